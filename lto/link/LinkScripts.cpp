//===- lto/link/LinkScripts.cpp - What linker scripts define --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkScripts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"

using namespace llvm;
using namespace thermocline::lto;

/// More is no script that a person wrote.
static constexpr size_t MaxScriptBytes = 1 << 20;

/// Passes over blanks, other characters of \p Between, and comments, of which
/// there are two kinds.
static void skip(StringRef &Text, StringRef Between = " \t\n\v\f\r") {
  const auto SkipComment = [&](StringRef Start, StringRef End) {
    if (!Text.consume_front(Start))
      return false;
    Text = Text.split(End).second;
    return true;
  };
  do
    Text = Text.ltrim(Between);
  while (SkipComment("/*", "*/") || SkipComment("#", "\n"));
}

/// Takes the next word or sign from \p Text, without comments. Empty at its
/// end.
static StringRef takeToken(StringRef &Text) {
  skip(Text);
  if (Text.empty())
    return "";
  StringRef Token;
  if (Text.front() == '"')
    Token = Text.take_front(std::max(Text.find('"', 1), size_t(1)));
  else
    Token = Text.take_while(
        [](char C) { return isAlnum(C) || StringRef("_.$@/-~").contains(C); });
  if (Token.empty()) {
    const auto IsOperator = [](char C) {
      return StringRef("=<>!&|+*^%").contains(C);
    };
    Token = Text.take_while(IsOperator);
  }
  if (Token.empty())
    Token = Text.take_front();
  Text = Text.drop_front(Token.size());
  if (Token.consume_front("\""))
    Text.consume_front("\"");
  return Token;
}

static bool isAssignment(StringRef Token) {
  for (StringRef Sign :
       {"=", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "<<=", ">>="})
    if (Token == Sign)
      return true;
  return false;
}

std::vector<StringRef> thermocline::lto::namesAssignedIn(StringRef Text) {
  std::vector<StringRef> Result;
  StringRef Before;
  for (StringRef Token; !(Token = takeToken(Text)).empty(); Before = Token)
    if (isAssignment(Token) && Before != "." && !Before.empty())
      Result.push_back(Before);
  return Result;
}

/// Takes from \p Text the names up to the parenthesis that ends a list. They
/// may have signs that tokens do not have, as that of libstdc++.
static void takeList(StringRef &Text, std::vector<StringRef> &Names) {
  constexpr StringRef Between = " \t\n\v\f\r,", Ends = " \t\n\v\f\r,()\"";
  for (unsigned Depth = 1; Depth;) {
    skip(Text, Between);
    if (Text.empty())
      return;
    if (Text.consume_front("(")) {
      ++Depth;
    } else if (Text.consume_front(")")) {
      --Depth;
    } else if (Text.consume_front("\"")) {
      auto [Name, Rest] = Text.split('"');
      Names.push_back(Name);
      Text = Rest;
    } else {
      const StringRef Name = Text.substr(0, Text.find_first_of(Ends));
      Text = Text.drop_front(Name.size());
      if (Name != "AS_NEEDED")
        Names.push_back(Name);
    }
  }
}

std::vector<StringRef> thermocline::lto::inputsNamedIn(StringRef Text) {
  std::vector<StringRef> Result;
  StringRef Before;
  for (StringRef Token; !(Token = takeToken(Text)).empty(); Before = Token) {
    if (Before == "INCLUDE")
      Result.push_back(Token);
    else if (Token == "(" && (Before == "INPUT" || Before == "GROUP"))
      takeList(Text, Result);
  }
  return Result;
}

bool thermocline::lto::isScript(StringRef Contents) {
  return Contents.size() <= MaxScriptBytes &&
         identify_magic(Contents) == file_magic::unknown &&
         !Contents.contains('\0');
}
