//===- Callsites/Locals.cpp - Variables of a function ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Locals.h"
#include "Conditions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// Words that may stand in front of a variable that they do not declare.
static bool isOperatorWord(const Token &T) {
  for (StringRef Word : {"return", "co_return", "co_yield", "co_await", "throw",
                         "goto", "new", "delete", "sizeof", "not", "and", "or",
                         "using", "namespace", "operator", "break", "continue"})
    if (T.is(Word))
      return true;
  return isControl(T);
}

static bool isTypeToken(const Token &T) {
  if (T.Is == Token::Kind::Word)
    return !isOperatorWord(T);
  for (StringRef Sign : {"*", "&", "&&", "::", "<", ">"})
    if (T.is(Sign))
      return true;
  return false;
}

/// Where the type begins of what may be declared at \p I.
static uint32_t typeOf(const SourceTokens &File, uint32_t I) {
  const uint32_t Begin = File.statement(File[I].Statement).First;
  if (I > Begin && File[I - 1].is("::"))
    return I;
  unsigned Depth = 0;
  uint32_t Type = I;
  while (Type > Begin) {
    const Token &T = File[Type - 1];
    if (T.is(">"))
      ++Depth;
    else if (T.is("<") && Depth-- == 0)
      return Type;
    // Arguments of templates.
    const bool IsInside = Depth && (T.is(",") || T.Is == Token::Kind::Number);
    if (!IsInside && !isTypeToken(T))
      break;
    --Type;
  }
  return Depth ? I : Type;
}

/// Whether a statement begins as `int a`, `T *a`, `std::list<T> a`.
static bool beginsDeclaration(const SourceTokens &File, uint32_t S) {
  const Statement &Is = File.statement(S);
  if (Is.First + 1 > Is.Last || File[Is.First].Is != Token::Kind::Word ||
      isOperatorWord(File[Is.First]))
    return false;
  const Token &Next = File[Is.First + 1];
  return Next.Is == Token::Kind::Word || Next.is("*") || Next.is("&") ||
         Next.is("<") || Next.is("::");
}

static bool isInBrackets(const SourceTokens &File, uint32_t I) {
  unsigned Depth = 0;
  for (uint32_t At = I; At-- > File.statement(File[I].Statement).First;) {
    const Token &T = File[At];
    if (T.is(")") || T.is("]") || T.is("}"))
      ++Depth;
    else if ((T.is("(") || T.is("[") || T.is("{")) && Depth-- == 0)
      return true;
  }
  return false;
}

bool callsites::declares(const SourceTokens &File, uint32_t I) {
  if (I == 0 || I + 1 >= File.size())
    return false;
  if (!isTypeToken(File[I - 1]) && !File[I - 1].is(",") && !File[I - 1].is("["))
    return false;
  const Token &Next = File[I + 1];
  bool IsName = false;
  for (StringRef Sign : {"=", ";", ",", ")", "(", "{", "[", ":", "]"})
    IsName |= Next.is(Sign);
  if (!IsName)
    return false;
  const uint32_t Type = typeOf(File, I);
  const uint32_t S = File[I].Statement;
  const Statement &Is = File.statement(S);
  const bool IsFirst = Type == Is.First;
  const bool IsTyped = Type != I && File[Type].Is == Token::Kind::Word &&
                       (Type + 1 != I || File[I - 1].Is == Token::Kind::Word);
  if (IsFirst)
    return IsTyped;
  const Token &Before = File[Type - 1];
  // `auto [a, b] = f();`
  if (Before.is("[") || (Before.is(",") && Next.is("]")))
    for (uint32_t At = Type; At-- > File.statement(S).First;)
      if (File[At].is("["))
        return At &&
               (File[At - 1].is("auto") || (At > 1 && File[At - 2].is("auto")));
  const bool IsSet = Next.is("=") || Next.is(":");
  const bool IsOfFunction =
      Is.Opens != Statement::None && I < Is.Opens && !isControl(File[Is.First]);
  const bool IsParameter =
      IsOfFunction ||
      (Before.is("(") && Type > 1 &&
       (File[Type - 2].is("catch") || (IsSet && isControl(File[Type - 2]))));
  if (IsParameter)
    return IsTyped;
  if (Before.is(","))
    return beginsDeclaration(File, S) && !isInBrackets(File, I);
  return IsTyped && Before.is(":");
}

Locals::Locals(const SourceTokens &File, uint32_t At)
    : File(File), Begin(0), Body(0), End(File.size()) {
  uint32_t S = File[At].Statement;
  auto IsInFunction = [&](uint32_t Of) {
    const Token &First = File[File.statement(Of).First];
    return isControl(First) || First.is("{");
  };
  while (File.statement(S).Outer != Statement::None &&
         IsInFunction(File.statement(S).Outer))
    S = File.statement(S).Outer;
  const uint32_t Function = File.statement(S).Outer;
  Begin = Body = File.statement(S).First;
  if (Function != Statement::None) {
    Begin = File.statement(Function).First;
    Body = File.statement(Function).Opens;
  }
  End = blockEnd(S);
}

uint32_t Locals::blockEnd(uint32_t S) const {
  const uint32_t Outer = File.statement(S).Outer;
  if (Outer == Statement::None)
    return File.size();
  const uint32_t At = File.statement(S).First;
  uint32_t Result = File.size();
  File.forEachOwn(Outer, File.statement(Outer).First, At, [&](uint32_t I) {
    if (I < At && File[I].End > At)
      Result = File[I].End;
  });
  return Result;
}

std::optional<uint32_t> Locals::declaration(StringRef Name,
                                            uint32_t Before) const {
  const ArrayRef<uint32_t> Places = File.declarationsOf(Name);
  const uint32_t *Next = lower_bound(Places, std::min(Before, End));
  if (Next == Places.begin() || Next[-1] < Begin)
    return std::nullopt;
  return Next[-1];
}

bool Locals::isNumber(uint32_t I) const {
  static const StringSet<> Numbers = {
      "bool",    "short",   "int",     "unsigned", "signed",   "char",
      "float",   "double",  "size_t",  "ssize_t",  "int8_t",   "int16_t",
      "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
      "long",    "time_t",  "off_t",   "ptrdiff_t"};
  bool Any = false;
  for (uint32_t At = typeOf(File, I); At != I; ++At) {
    const Token &T = File[At];
    if (Numbers.contains(T.Text))
      Any = true;
    else if (!T.is("const") && !T.is("std") && !T.is("::") && !T.is("static"))
      return false;
  }
  return Any && !File[I + 1].is("[");
}

bool Locals::isStatic(uint32_t I) const {
  for (uint32_t At = File.statement(File[I].Statement).First; At < I; ++At)
    if (File[At].is("static") || File[At].is("extern") ||
        File[At].is("thread_local"))
      return At >= Body;
  return false;
}

SmallVector<uint32_t, 8> Locals::initial(uint32_t I) const {
  SmallVector<uint32_t, 8> Result;
  if (isParameter(I) || !(File[I + 1].is("=") || File[I + 1].is("(") ||
                          File[I + 1].is("{") || File[I + 1].is(":")))
    return Result;
  const uint32_t Last = File.statement(File[I].Statement).Last;
  constexpr size_t MaxTokens = 64;
  for (uint32_t At = I + 1;
       At <= Last && !File[At].is(";") && Result.size() != MaxTokens; ++At)
    Result.push_back(At);
  return Result;
}

bool Locals::isUnset(uint32_t I, uint32_t Before) const {
  if (I + 2 >= File.size() || isParameter(I))
    return false;
  const Token &Next = File[I + 1];
  const Token &Value = File[I + 2];
  const bool IsNothing = Next.is("=") && (Value.is("0") || Value.is("NULL") ||
                                          Value.is("nullptr"));
  if (!IsNothing && !Next.is(";") && !Next.is(","))
    return false;
  const ArrayRef<uint32_t> Places = File.placesOf(File[I].Text);
  for (const uint32_t *P = upper_bound(Places, I);
       P != Places.end() && *P < Before; ++P)
    if (File[*P + 1].is("=") || File[*P - 1].is("&"))
      return false;
  return true;
}
