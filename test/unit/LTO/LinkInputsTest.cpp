//===- unit/LTO/LinkInputsTest.cpp ----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "link/LinkInputs.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::lto;

namespace {

class LinkInputsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("link-inputs", Directory));
  }
  void TearDown() override { sys::fs::remove_directories(Directory); }

  std::string path(StringRef Name) const {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Name);
    return Path.str().str();
  }
  /// Not a script, by itself.
  void write(StringRef Name,
             StringRef Text = StringRef("no object\0", 10)) const {
    sys::fs::create_directories(sys::path::parent_path(path(Name)));
    std::error_code EC;
    raw_fd_ostream OS(path(Name), EC);
    ASSERT_FALSE(EC);
    OS << Text;
  }
  static LinkInputs find(std::initializer_list<std::string> Words) {
    std::vector<const char *> Arguments;
    for (const std::string &Word : Words)
      Arguments.push_back(Word.c_str());
    return LinkInputs::find(readLinkLine(Arguments));
  }
  static std::vector<std::string>
  parse(std::initializer_list<std::string> Words) {
    return find(Words).files().vec();
  }

  SmallString<128> Directory;
};

using Files = std::vector<std::string>;

TEST_F(LinkInputsTest, OutputsAndValuesOfOptionsAreNoInputs) {
  EXPECT_EQ(
      parse({"a.o", "-o", "out", "--output=out", "--output", "out", "-oout",
             "-dynamic-linker", "ld.so", "-mllvm", "x", "--start-lib", "b.a"}),
      (Files{"a.o", "b.a"}));
}

TEST_F(LinkInputsTest, NamesOfTheOutputAreNoInputs) {
  // A shared library of this name may be there from the last link.
  EXPECT_EQ(parse({"-soname", "libx.so", "--soname", "libx.so", "-h", "libx.so",
                   "-hlibx.so", "-Map", "x.map", "-plugin", "p.so", "-z", "now",
                   "-rpath", "x", "-T", "x.lds", "a.o"}),
            Files{"a.o"});
  EXPECT_EQ(parse({"--just-symbols", "rom.o", "--just-symbols=ram.o"}),
            (Files{"rom.o", "ram.o"}));
  EXPECT_EQ(parse({"-b", "binary", "data.o", "--format=default", "a.o"}),
            Files{"a.o"});
}

TEST_F(LinkInputsTest, StateIsPushedAndPopped) {
  write("libx.so");
  write("libx.a");
  EXPECT_EQ(parse({"-L" + Directory.str().str(), "--push-state", "-Bstatic",
                   "-lx", "--pop-state", "-lx", "--pop-state"}),
            (Files{path("libx.a"), path("libx.so")}));
}

TEST_F(LinkInputsTest, LibrariesAreFoundAsLldFindsThem) {
  write("libx.so");
  write("libx.a");
  write("liby.a");
  write("odd.name");
  const std::string D = Directory.str().str();
  EXPECT_EQ(parse({"-lx", "-L", D}), Files{path("libx.so")});
  EXPECT_EQ(parse({"-L" + D, "-l", "x"}), Files{path("libx.so")});
  EXPECT_EQ(parse({"--library-path=" + D, "--library=x"}),
            Files{path("libx.so")});
  EXPECT_EQ(parse({"-L" + D, "-Bstatic", "-lx", "-Bdynamic", "-lx"}),
            (Files{path("libx.a"), path("libx.so")}));
  EXPECT_EQ(parse({"-L" + D, "-ly", "-l:odd.name", "-lnone"}),
            (Files{path("liby.a"), path("odd.name")}));
  StringRef Parent = sys::path::parent_path(Directory);
  EXPECT_EQ(parse({"--sysroot=" + Parent.str(), "-L=" + D.substr(Parent.size()),
                   "-ly"}),
            Files{path("liby.a")});
}

TEST_F(LinkInputsTest, ScriptsNameFiles) {
  const std::string D = Directory.str().str();
  for (StringRef Name : {"here/x.o", "x.o", "libs/y.o", "libs/libz.a", "t.o"})
    write(Name);
  // What stands beside the script comes first, then what -L names.
  write("here/x.so", "INPUT(x.o y.o -lz none.o)");
  EXPECT_EQ(find({path("here/x.so"), "-L" + path("libs"), "-L" + D})
                .filesWithThoseOfScripts(),
            (Files{path("here/x.so"), path("here/x.o"), path("libs/y.o"),
                   path("libs/libz.a")}));
  // A script of -T is found as libraries are, and one may name itself.
  write("libs/t.lds", "INCLUDE t.lds GROUP(AS_NEEDED(" + path("t.o") + "))");
  EXPECT_EQ(
      find({"-T", "t.lds", "-L" + path("libs")}).filesWithThoseOfScripts(),
      (Files{path("libs/t.lds"), path("t.o")}));
  // Absolute paths are the sysroot's if the script is.
  write("root/usr/lib/libs.so", "GROUP(/usr/lib/s.o)");
  write("root/usr/lib/s.o");
  write("outside.so", "GROUP(=/usr/lib/s.o " + path("t.o") + ")");
  EXPECT_EQ(find({"--sysroot=" + path("root"), "-L=/usr/lib", "-ls",
                  path("outside.so")})
                .filesWithThoseOfScripts(),
            (Files{path("outside.so"), path("root/usr/lib/libs.so"),
                   path("root/usr/lib/s.o"), path("t.o")}));
}

TEST_F(LinkInputsTest, WhatCannotBeReadDefinesNothing) {
  write("libx.a");
  std::string Broken = path("libx.a"), Missing = path("missing.o");
  const char *const Words[] = {Broken.c_str(), Missing.c_str()};
  LinkInputs Inputs = LinkInputs::find(readLinkLine(Words));
  EXPECT_FALSE(Inputs.defines("f"));
}

} // namespace
