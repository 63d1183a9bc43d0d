//===- NameKeysTest.cpp - Names that outlive an edit ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/NameKeys.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>

using namespace thermocline::profile;

namespace {

TEST(NameKeys, LeavesOutVersions) {
  for (const char *Name :
       {"shop::make(shop::Box)", "shop::v1::make(shop::v1::Box)",
        "shop::api_v2::make(shop::api_v2::Box)", "shop::_72::make(shop::Box)",
        "shop::lts_20240116::make(shop::lts_20240116::Box)",
        "shop::__1::make(shop::__1::Box)", "shop::make[abi:v2](shop::Box)",
        "shop::__cxx11::make(shop::Box)", "shop::_V2::make(shop::Box)"})
    EXPECT_EQ(withoutVersions(Name), "shop::make(shop::Box)");
  for (const char *Name :
       {"Grid2::make(int)", "utf8::make(int)", "A::make_2(int)", "v1(int)",
        "x64::f(int)", "conv2::f(int)", "abi2::f()", "f() [clone"})
    EXPECT_EQ(withoutVersions(Name), Name);
}

TEST(NameKeys, KeepsTheNameThatAVersionIsOf) {
  for (const char *Name : {"json_abi_v3_11_2::make()", "json_abi_v3_12::make()",
                           "json_abi_5::make()", "json_abi::make()"})
    EXPECT_EQ(withoutVersions(Name), "json_abi::make()");
  EXPECT_EQ(withoutVersions("icu_72::Rows_2<icu_72::Key>::add(int)"),
            "icu::Rows_2<icu::Key>::add(int)");
  EXPECT_NE(withoutVersions("rows_1::fill(int)"),
            withoutVersions("index_2::fill(int)"));
}

TEST(NameKeys, KeepsTheBaseOfASignature) {
  const NameKeys Text = NameKeys::of("_ZN4shop4copyEPKc"),
                 View = NameKeys::of("_ZN4shop4copyEi"),
                 Other = NameKeys::of("_ZN4shop4moveEi");
  EXPECT_EQ(Text.Base, View.Base);
  EXPECT_NE(Text.Versionless, View.Versionless);
  EXPECT_NE(Text.Base, Other.Base);
  EXPECT_NE(Text.Base, 0u);
  // The number of a local function does not count.
  EXPECT_EQ(NameKeys::of("_ZL4copyi.__uniq.123"), NameKeys::of("_ZL4copyi"));
  // Of a class, there are two constructors.
  EXPECT_NE(NameKeys::of("_ZN3BoxC1Ev").Base, NameKeys::of("_ZN3BoxC2Ev").Base);
  EXPECT_EQ(NameKeys::of("copy_text").Base, 0u);
  EXPECT_EQ(NameKeys::of("_Z").Versionless, 0u);
}

TEST(NameKeys, HasTheWordsOfTheName) {
  EXPECT_EQ(NameKeys::of("make_note").Words, NameKeys::of("makeNote").Words);
  EXPECT_EQ(NameKeys::of("_ZN4shop8makeNoteEPKc").Words,
            NameKeys::of("make_note").Words);
  EXPECT_NE(NameKeys::of("make_note").Words, NameKeys::of("make_name").Words);
  EXPECT_EQ(NameKeys::of("make_note").Words.size(), 2u);
}

TEST(NameKeys, PathsShareTheEndsThatTheyHaveInCommon) {
  auto WordsOf = [](llvm::StringRef Path) {
    NameKeys Keys = NameKeys::of("make");
    Keys.addPath(Path);
    return Keys.Words;
  };
  auto Shared = [](const std::vector<uint16_t> &A,
                   const std::vector<uint16_t> &B) {
    std::vector<uint16_t> Both;
    std::set_intersection(A.begin(), A.end(), B.begin(), B.end(),
                          std::back_inserter(Both));
    return Both.size();
  };
  const auto Known = WordsOf("/first/gen/x/a.c");
  EXPECT_TRUE(std::is_sorted(Known.begin(), Known.end()));
  // The name of the function is one of them.
  EXPECT_EQ(Shared(Known, WordsOf("/second/gen/x/a.c")), 4u);
  EXPECT_EQ(Shared(Known, WordsOf("/second/gen/y/a.c")), 2u);
  EXPECT_EQ(Shared(Known, WordsOf("a.c")), 2u);
  EXPECT_EQ(Shared(Known, WordsOf("/first/gen/x/b.c")), 1u);
}

} // namespace
