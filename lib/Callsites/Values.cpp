//===- Callsites/Values.cpp - What a variable was set to ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "Locals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// So many values of a variable count.
static constexpr unsigned MaxValues = 8;

namespace {

class ValueReader {
public:
  ValueReader(const SourceTokens &File, uint32_t At, std::set<uint16_t> &To)
      : File(File), At(At), Function(File, At), To(To) {
    for (uint32_t S = File[At].Statement; S != Statement::None;
         S = File.statement(S).Outer)
      Around.insert(S);
  }

  void read(StringRef Variable) {
    const ArrayRef<uint32_t> All = File.placesOf(Variable);
    const ArrayRef<uint32_t> Places(lower_bound(All, Function.begin() + 1),
                                    lower_bound(All, At));
    if (!Function.declaration(Variable, At) &&
        none_of(Places, [&](uint32_t I) { return isCaptured(I); }))
      return;
    unsigned Left = MaxValues;
    for (uint32_t Place : reverse(Places)) {
      if (!Left)
        return;
      const uint32_t Value = valueOf(Place);
      if (!Value || isCounter(Place) || !add(Value))
        continue;
      --Left;
      if (isAlwaysRun(Place))
        return;
    }
  }

private:
  /// What the variable at the token \p I is set to there begins with the token
  /// that is returned; 0 if it is not set.
  uint32_t valueOf(uint32_t I) const {
    for (StringRef Sign : {".", "->", "::"})
      if (File[I - 1].is(Sign))
        return 0;
    const Token &Next = File[I + 1];
    if (Next.is("="))
      return I + 2;
    return (Next.is("(") || Next.is("{")) && Function.isDeclared(I) ? I + 1 : 0;
  }

  /// Whether a lambda captures the name \p I first, with a value.
  bool isCaptured(uint32_t I) const {
    return File[I - 1].is("[") && File[I + 1].is("=");
  }

  /// Whether the token \p I is in the head of a `for`.
  bool isCounter(uint32_t I) const {
    return File[File.statement(File[I].Statement).First].is("for");
  }

  /// Whether what stands at the token \p I is run before the call, whatever
  /// way leads there.
  bool isAlwaysRun(uint32_t I) const {
    const Statement &Is = File.statement(File[I].Statement);
    return !isControl(File[Is.First]) &&
           (Is.Outer == Statement::None || Around.count(Is.Outer));
  }

  /// Adds the expression that begins with the token \p I, if it ends in front
  /// of the call.
  bool add(uint32_t I) {
    std::string Text;
    unsigned Depth = 0;
    for (; I < At; ++I) {
      const Token &T = File[I];
      if (T.is("(") || T.is("[") || T.is("{"))
        ++Depth;
      else if (T.is(")") || T.is("]") || T.is("}")) {
        if (!Depth)
          break;
        --Depth;
      } else if (T.is(";") || (T.is(",") && !Depth)) {
        break;
      }
      Text += isAmount(I) ? StringRef("0x") : T.Text;
      Text += '\n';
    }
    if (I >= At)
      return false;
    To.insert(
        static_cast<uint16_t>(xxh3_64bits("value\n" + Text) % 0xffff + 1));
    return true;
  }

  /// Whether a number is not small, or is calculated with.
  bool isAmount(uint32_t I) const {
    if (File[I].Is != Token::Kind::Number)
      return false;
    constexpr unsigned MaxSelector = 31;
    unsigned Value = 0;
    for (StringRef Sign : {"+", "-", "*", "/"})
      if (File[I - 1].is(Sign) || File[I + 1].is(Sign))
        return true;
    return File[I].Text.getAsInteger(0, Value) || Value > MaxSelector;
  }

  const SourceTokens &File;
  const uint32_t At;
  const Locals Function;
  std::set<uint16_t> &To;
  /// The statement of the call, and those that it is in.
  std::set<uint32_t> Around;
};

} // namespace

void callsites::addValues(const SourceTokens &File, uint32_t At,
                          const std::set<StringRef> &Variables,
                          std::set<uint16_t> &To) {
  ValueReader Reader(File, At, To);
  for (StringRef Variable : Variables)
    Reader.read(Variable);
}
