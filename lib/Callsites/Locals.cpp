//===- Callsites/Locals.cpp - Variables of a function ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Locals.h"
#include "Conditions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

std::string callsites::spelled(StringRef Name, const AlikeNames &Alike) {
  auto Known = Alike.find(Name);
  return Known == Alike.end() ? Name.str()
         : Known->second == 0 ? "$"
                              : "$" + std::to_string(Known->second);
}

Locals::Locals(const SourceTokens &File, uint32_t Place)
    : File(File), Begin(0), Body(0), End(File.size()) {
  uint32_t S = File[Place].Statement;
  auto IsInFunction = [&](uint32_t Number) {
    const Token &First = File[File.statement(Number).First];
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
  End = File.blockEnd(S);
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
  for (uint32_t J = typeOf(File, I); J != I; ++J) {
    const Token &T = File[J];
    if (Numbers.contains(T.Text))
      Any = true;
    else if (!T.is("const") && !T.is("std") && !T.is("::") && !T.is("static"))
      return false;
  }
  return Any && !File[I + 1].is("[");
}

bool Locals::isStatic(uint32_t I) const {
  for (uint32_t J = File.statement(File[I].Statement).First; J < I; ++J)
    if (File[J].is("static") || File[J].is("extern") ||
        File[J].is("thread_local"))
      return J >= Body;
  return false;
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

std::set<StringRef> Locals::classesOf(StringRef Name, uint32_t Before) const {
  // So many declarations of one name are looked at.
  constexpr size_t MaxPlaces = 8;
  SmallVector<uint32_t, 8> Places;
  if (const std::optional<uint32_t> Own = declaration(Name, Before))
    Places.push_back(*Own);
  else
    for (uint32_t I : File.declarationsOf(Name).take_front(MaxPlaces))
      Places.push_back(I);
  std::set<StringRef> Result;
  for (uint32_t I : Places)
    for (uint32_t J = typeOf(File, I); J < I; ++J)
      if (isWord(File[J]) && !isCommonWord(File[J].Text))
        Result.insert(File[J].Text);
  return Result;
}

/// Whether the block of the statement \p S is that of a function.
static bool isFunction(const SourceTokens &File, uint32_t S) {
  const Statement &Is = File.statement(S);
  const Token &First = File[Is.First];
  if (Is.Opens == Statement::None || Is.Opens == Is.First || isControl(First))
    return false;
  uint32_t Open = Is.First;
  while (Open != Is.Opens && !File[Open].is("("))
    ++Open;
  if (Open == Is.Opens || First.is("namespace"))
    return false;
  // `struct T f() {`, but not `struct __attribute__((packed)) T {`.
  for (StringRef Word : {"struct", "class", "union", "enum"})
    if (First.is(Word))
      return Open > Is.First + 2 && File[Is.Opens - 1].is(")") &&
             !File[Open - 1].is("__attribute__") &&
             !File[Open - 1].is("alignas");
  return true;
}

/// The statement that is the outermost function which the token \p I is in;
/// None if it is in none.
static uint32_t outermostFunction(const SourceTokens &File, uint32_t I) {
  uint32_t Result = Statement::None;
  for (uint32_t S = File[I].Statement; S != Statement::None;
       S = File.statement(S).Outer)
    if (isFunction(File, S))
      Result = S;
  return Result;
}

/// The same of the function \p S.
static std::vector<uint32_t> localsOf(const SourceTokens &File, uint32_t S) {
  std::vector<uint32_t> Result;
  StringSet<> Names;
  const Statement &Is = File.statement(S);
  for (uint32_t I = Is.First; I < File[Is.Opens].End; ++I) {
    // The function itself.
    if (I < Is.Opens && isBefore(File, I, "("))
      continue;
    if (isWord(File[I]) &&
        binary_search(File.declarationsOf(File[I].Text), I) &&
        Names.insert(File[I].Text).second)
      Result.push_back(I);
  }
  return Result;
}

std::vector<uint32_t> callsites::localsAround(const SourceTokens &File,
                                              uint32_t Place) {
  const uint32_t S = outermostFunction(File, Place);
  return S == Statement::None ? std::vector<uint32_t>() : localsOf(File, S);
}

SourceTokens callsites::withoutLocalNames(const SourceTokens &File) {
  std::map<uint32_t, StringMap<std::string>> NamesOf;
  auto Read = [&](uint32_t S) {
    auto [Known, New] = NamesOf.try_emplace(S);
    std::map<std::string, unsigned> NumOf;
    if (New)
      for (uint32_t I : localsOf(File, S)) {
        const std::string Type = textBetween(File, typeOf(File, I), I);
        Known->second[File[I].Text] =
            ("v" + utohexstr(hash16(Type)) + "_" + Twine(NumOf[Type]++)).str();
      }
    return &Known->second;
  };
  return SourceTokens(File, [&](uint32_t I) -> std::string {
    if (!isWord(File[I]) || (I && isJoint(File[I - 1])))
      return "";
    const uint32_t S = outermostFunction(File, I);
    return S == Statement::None ? "" : Read(S)->lookup(File[I].Text);
  });
}
