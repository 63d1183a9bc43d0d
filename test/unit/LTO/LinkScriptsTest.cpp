//===- unit/LTO/LinkScriptsTest.cpp ---------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "link/LinkScripts.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::lto;

namespace {

std::vector<std::string> assignedIn(StringRef Text) {
  std::vector<std::string> Result;
  for (StringRef Name : namesAssignedIn(Text))
    Result.push_back(Name.str());
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
  EXPECT_EQ(NamedIn("INCLUDE more.lds\na = b; INCLUDE \"c d.lds\""),
            (Names{"more.lds", "c d.lds"}));
  EXPECT_EQ(assignedIn("INCLUDE more.lds\na = b;"), Names{"a"});
  EXPECT_EQ(NamedIn("INPUT = (a); INPUT(b (c"), (Names{"b", "c"}));
  EXPECT_EQ(NamedIn("# INPUT(a) \"\nINPUT(b # c\nd)#"), (Names{"b", "d"}));
  EXPECT_EQ(NamedIn("GROUP(\"d"), Names{"d"});
  EXPECT_EQ(NamedIn("GROUP("), Names());
}

} // namespace
