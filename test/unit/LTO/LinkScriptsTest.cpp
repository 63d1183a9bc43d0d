//===- unit/LTO/LinkScriptsTest.cpp ---------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "link/LinkScripts.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::lto;

namespace {

std::vector<std::string> assignedIn(StringRef Text) {
  std::vector<StringRef> Included;
  std::vector<std::string> Result;
  for (StringRef Name : namesAssignedIn(Text, Included))
    Result.push_back(Name.str());
  for (StringRef Name : Included)
    Result.push_back("include " + Name.str());
  return Result;
}

using Names = std::vector<std::string>;

TEST(LinkScripts, EachKindOfAssignment) {
  EXPECT_EQ(assignedIn("malloc = mine;"), Names{"malloc"});
  EXPECT_EQ(assignedIn("a=b;c+=1;\"d e\" <<= 2;"), (Names{"a", "c", "d e"}));
  EXPECT_EQ(assignedIn("PROVIDE(a = b); PROVIDE_HIDDEN ( c = . );\n"
                       "SECTIONS { .text : { d = .; *(.text.*) } }"),
            (Names{"a", "c", "d"}));
}

TEST(LinkScripts, WhatIsNoAssignment) {
  EXPECT_EQ(assignedIn(""), Names());
  EXPECT_EQ(assignedIn("= = ;"), Names{"="});
  EXPECT_EQ(
      assignedIn(". = . + 4; ASSERT(a == b && c <= d && e != f, \"g=h\")"),
      Names());
  EXPECT_EQ(assignedIn("/* a = b; */ ENTRY(c) /* d = e"), Names());
  EXPECT_EQ(assignedIn("\"a = b"), Names());
  EXPECT_EQ(assignedIn("{ global: malloc; local: *; };"), Names());
}

TEST(LinkScripts, IncludedScripts) {
  EXPECT_EQ(assignedIn("INCLUDE more.lds\na = b; INCLUDE \"c d.lds\""),
            (Names{"a", "include more.lds", "include c d.lds"}));
}

TEST(LinkScripts, InputsThatScriptsName) {
  const auto NamedIn = [](StringRef Text) {
    Names Result;
    for (StringRef Name : inputsNamedIn(Text))
      Result.push_back(Name.str());
    return Result;
  };
  EXPECT_EQ(NamedIn("/* GNU ld script */ OUTPUT_FORMAT(elf64-x86-64)\n"
                    "GROUP ( /lib/libc.so.6 /lib/libc_nonshared.a AS_NEEDED ( "
                    "/lib64/ld-linux-x86-64.so.2 ) )"),
            (Names{"/lib/libc.so.6", "/lib/libc_nonshared.a",
                   "/lib64/ld-linux-x86-64.so.2"}));
  EXPECT_EQ(NamedIn("INPUT(-lstdc++,=/x.o \"a b.o\"/* c */d.o)INPUT(e)"),
            (Names{"-lstdc++", "=/x.o", "a b.o", "d.o", "e"}));
  EXPECT_EQ(NamedIn("INCLUDE f.lds SECTIONS { .text : { *(.text) } }"),
            Names{"f.lds"});
  EXPECT_EQ(NamedIn("INPUT = (a); INPUT(b (c"), (Names{"b", "c"}));
  EXPECT_EQ(NamedIn("# INPUT(a) \"\nINPUT(b # c\nd)#"), (Names{"b", "d"}));
  EXPECT_EQ(NamedIn("GROUP(\"d"), Names{"d"});
  EXPECT_EQ(NamedIn("GROUP("), Names());
}

TEST(LinkScripts, AllOfALinkLine) {
  SmallString<128> Directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("link-scripts", Directory));
  const auto Write = [&](StringRef Name, StringRef Text) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Name);
    std::error_code EC;
    raw_fd_ostream OS(Path, EC);
    EXPECT_FALSE(EC);
    OS << Text;
    return Path.str().str();
  };
  Write("more.lds", "c = d; INCLUDE more.lds");
  const std::string Input = Write("input.lds", "a = b; INCLUDE more.lds");
  const std::string Given = Write("given.lds", "e = f;");
  const std::string Archive = Write("x.a", "!<arch>\ng = h;");
  const std::string Other = Write("other", "i = j;");
  std::vector<std::string> Words = {Input,
                                    "-T",
                                    Given,
                                    "-T" + Given,
                                    Archive,
                                    "-L" + Directory.str().str(),
                                    "--script=gone.lds",
                                    "-Ttext=0x1000",
                                    "-Map",
                                    Other};
  std::vector<const char *> Arguments;
  for (const std::string &Word : Words)
    Arguments.push_back(Word.c_str());
  EXPECT_EQ(namesAssignedByScripts(readLinkLine(Arguments)),
            (Names{"a", "c", "e"}));
  EXPECT_EQ(namesAssignedByScripts(readLinkLine({"-Tother", Archive.c_str()})),
            Names());
  sys::fs::remove_directories(Directory);
}

} // namespace
