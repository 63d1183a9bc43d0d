//===- unit/Profile/FunctionNamesTest.cpp ---------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/ProfileData/MemProf.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::profile;

TEST(FunctionNames, ShowsPeopleNeitherManglingNorUniqueSuffix) {
  FunctionNames Names;
  Names.add("_ZL4loadPKc.__uniq.1234");
  EXPECT_EQ(Names.display(memprof::getGUID("_ZL4loadPKc.__uniq.1234")),
            "load(char const*)");
  Names.add("pool_buffer");
  EXPECT_EQ(Names.display(memprof::getGUID("pool_buffer")), "pool_buffer");
}

TEST(FunctionNames, AnUnknownFunctionIsItsNumber) {
  EXPECT_EQ(FunctionNames().display(0x1234abcd), "0x1234abcd");
}

TEST(FunctionNames, VersionsAndPartsOfCoroutinesAreTheirFunction) {
  EXPECT_EQ(sourceName("_Z4makei"), "_Z4makei");
  EXPECT_EQ(sourceName("_Z4makei.memprof.12"), "_Z4makei");
  EXPECT_EQ(sourceName("_Z4makei.memprof.x"), "_Z4makei.memprof.x");
  for (const char *Part : {"resume", "destroy", "cleanup"}) {
    EXPECT_EQ(sourceName(std::string("_Z3genv.") + Part), "_Z3genv");
    EXPECT_EQ(sourceName(std::string("_Z3genv.") + Part + ".memprof.1"),
              "_Z3genv");
    EXPECT_EQ(sourceName(Part), Part);
  }
  constexpr char Split[] = ".0123456789abcdef0123456789abcdef";
  EXPECT_EQ(sourceName(std::string("_ZL3genv") + Split + ".resume.memprof.1"),
            "_ZL3genv");
  EXPECT_EQ(sourceName(std::string("_ZL3genv") + Split + "0"),
            std::string("_ZL3genv") + Split + "0");
  EXPECT_EQ(sourceGUID("_ZL3genv.llvm.123.resume"),
            memprof::getGUID("_ZL3genv"));
  FunctionNames Names;
  Names.add("_Z3genv.destroy");
  EXPECT_EQ(Names.lookup(memprof::getGUID("_Z3genv")), "_Z3genv");
}
TEST(FunctionNames, LibraryNames) {
  for (StringRef Name :
       {"std::__new_allocator<int>::allocate(unsigned long, void const*)",
        "__gnu_cxx::new_allocator<Of>::allocate(unsigned long)",
        "void std::vector<Of, std::allocator<Of>>::_M_realloc_insert<Of>("
        "__gnu_cxx::__normal_iterator<Of*, std::vector<Of>>, Of&&)",
        "std::_MakeUniq<Of>::__single_object std::make_unique<Of>()",
        "operator new(unsigned long)"})
    EXPECT_TRUE(isLibraryName(Name)) << Name.str();
  for (StringRef Name :
       {"main", "xmalloc", "make(std::vector<int>&)",
        "std::string Of::name() const", "0x1234",
        "std::vector<int> copy<std::vector<int>>(std::vector<int> const&)",
        "Of::operator std::string() const", "mystd::f()",
        "(anonymous namespace)::f(std::string)"})
    EXPECT_FALSE(isLibraryName(Name)) << Name.str();
}

TEST(FunctionNames, RustsLibraryIsToldFromOtherCode) {
  for (StringRef Name :
       {"alloc::alloc::alloc", "core::iter::range::next",
        "<alloc::boxed::Box<str> as core::convert::From<&str>>::from",
        "<T as alloc::slice::hack::ConvertVec>::to_vec",
        "<&T as core::convert::Into<U>>::into", "__rustc::__rust_alloc",
        "alloc::raw_vec::RawVec<T,A>::grow_one", "std::rt::lang_start"})
    EXPECT_TRUE(isLibraryName(Name)) << Name.str();
  for (StringRef Name :
       {"catalogue::keep", "<catalogue::Book as core::clone::Clone>::clone",
        "catalogue::load::{{closure}}", "core::f(int)", "alloc::g()"})
    EXPECT_FALSE(isLibraryName(Name)) << Name.str();
}
