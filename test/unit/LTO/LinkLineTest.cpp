//===- unit/LTO/LinkLineTest.cpp ------------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "link/LinkLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::lto;

namespace {

/// Each argument as "name=value", "name" or "value".
std::vector<std::string> read(ArrayRef<const char *> Words,
                              ArrayRef<StringRef> WithValue = {}) {
  std::vector<std::string> Result;
  for (const LinkArgument &Argument : readLinkLine(Words, WithValue)) {
    if (Argument.isInput())
      Result.push_back(Argument.Value.str());
    else
      Result.push_back((Argument.Name + (Argument.HasValue ? "=" : "") +
                        Argument.Value + (Argument.LacksValue ? "?" : ""))
                           .str());
  }
  return Result;
}

using Texts = std::vector<std::string>;

TEST(LinkLine, ValuesInTheNextWord) {
  EXPECT_EQ(read({"-o", "a", "--output", "b", "-soname", "c.o", "-z", "now",
                  "d.o", "--no-undefined", "e.o"}),
            (Texts{"o=a", "output=b", "soname=c.o", "z=now", "d.o",
                   "no-undefined", "e.o"}));
  // Short options have one dash.
  EXPECT_EQ(read({"--o", "a"}), (Texts{"o", "a"}));
}

TEST(LinkLine, ValueThatLooksLikeAnOption) {
  EXPECT_EQ(read({"-mllvm", "--ours=x", "-o", "--ours", "--ours=y"}),
            (Texts{"mllvm=--ours=x", "o=--ours", "ours=y"}));
}

TEST(LinkLine, AttachedValues) {
  EXPECT_EQ(read({"-lx", "-l:x.a", "-Ldir", "-L=dir", "-oout", "-ox=y"}),
            (Texts{"l=x", "l=:x.a", "L=dir", "L==dir", "o=out", "o=x=y"}));
  EXPECT_EQ(read({"-library=x", "-library-path", "p", "-lto-O0", "-omagic",
                  "-output=x", "-opt-remarks-filename", "f"}),
            (Texts{"library=x", "library-path=p", "lto-O0", "omagic",
                   "output=x", "opt-remarks-filename=f"}));
}

TEST(LinkLine, OwnOptions) {
  EXPECT_EQ(read({"--ours", "a", "--other", "b"}, {"ours"}),
            (Texts{"ours=a", "other", "b"}));
  EXPECT_EQ(read({"--ours"}, {"ours"}), Texts{"ours?"});
}

TEST(LinkLine, WordsOfEach) {
  const char *const Words[] = {"a.o", "-o", "out", "-lx"};
  auto Line = readLinkLine(Words);
  ASSERT_EQ(Line.size(), 3u);
  EXPECT_EQ(Line[0].Words.data(), Words);
  EXPECT_EQ(Line[1].Words.size(), 2u);
  EXPECT_EQ(Line[2].Words.front(), Words[3]);
}

TEST(LinkLine, DashesAlone) {
  EXPECT_EQ(read({"-", "--", ""}), (Texts{"-", "--", ""}));
}

} // namespace
