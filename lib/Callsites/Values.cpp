//===- Callsites/Values.cpp - What a variable was set to ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "Conditions.h"
#include "Locals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// So many values of a variable count.
static constexpr unsigned MaxValues = 8;
/// So many uses of an object in front of a call are looked at.
static constexpr unsigned MaxUses = 64;

namespace {

class ValueReader {
public:
  ValueReader(const SourceTokens &File, uint32_t At, std::set<uint16_t> &To)
      : File(File), At(At), Function(File, At), To(To) {
    for (uint32_t S = File[At].Statement; S != Statement::None;
         S = File.statement(S).Outer)
      Around.insert(S);
  }

  /// Adds what \p Variable may be. If it is \p OnlyPlace, a number is nothing.
  void readValues(StringRef Variable, bool OnlyPlace = false) {
    const ArrayRef<uint32_t> Places = placesInFront(Variable);
    const std::optional<uint32_t> Declared = Function.declaration(Variable, At);
    if (!Declared && none_of(Places, [&](uint32_t I) { return isCaptured(I); }))
      return;
    unsigned Left = MaxValues;
    for (uint32_t Place : reverse(Places)) {
      if (!Left)
        return;
      const uint32_t Value = valueOf(Place);
      if (!Value || isCounter(Place) || (OnlyPlace && !hasName(Value)) ||
          !add(Value))
        continue;
      --Left;
      if (isAlwaysRun(Place))
        return;
    }
  }

  /// Adds that \p Variable is none of the function, if it is none.
  void readGlobal(StringRef Variable) {
    if (!Function.declaration(Variable, At))
      insert("global\n" + Variable);
  }

  /// Adds which one \p Variable is of those that the function declares.
  void readBinding(StringRef Variable) {
    if (const auto Declared = Function.declaration(Variable, At))
      addBinding(*Declared);
  }

  /// Adds what the members of \p Object are set to.
  void readMembers(StringRef Object) {
    unsigned Left = MaxUses;
    std::set<std::string> Seen;
    for (uint32_t Place : reverse(placesInFront(Object))) {
      if (!Left--)
        return;
      const Statement &Is = File.statement(File[Place].Statement);
      if (Is.First != Place)
        continue;
      std::string Path;
      uint32_t I = Place + 1;
      for (; I + 1 < At && isJoint(I); I += 2)
        (Path += '\n') += File[I + 1].Text;
      if (Path.empty() || !File[I].is("=") || !isPlace(I + 1, Is.Last) ||
          Seen.count(Path))
        continue;
      insert("member" + Path + "\n" + textBetween(I + 1, Is.Last));
      if (isAlwaysRun(Place))
        Seen.insert(Path);
    }
  }

private:
  ArrayRef<uint32_t> placesInFront(StringRef Name) const {
    const ArrayRef<uint32_t> All = File.placesOf(Name);
    const uint32_t *End = lower_bound(All, At);
    return ArrayRef(std::min(upper_bound(All, Function.begin()), End), End);
  }

  void insert(const Twine &Text) {
    To.insert(static_cast<uint16_t>(xxh3_64bits(Text.str()) % 0xffff + 1));
  }

  std::string textBetween(uint32_t Begin, uint32_t End) const {
    std::string Text;
    for (uint32_t I = Begin; I < End; ++I)
      (Text += File[I].Text) += '\n';
    return Text;
  }

  bool isJoint(uint32_t I) const {
    return File[I].is(".") || File[I].is("->") || File[I].is("::");
  }

  /// Whether the tokens from \p I to \p End are the name of something that is
  /// no number: `Grid`, `&s->head`.
  bool isPlace(uint32_t I, uint32_t End) const {
    if (I < End && File[I].is("&"))
      ++I;
    if (I >= End || File[I].Is != Token::Kind::Word ||
        isCommonWord(File[I].Text))
      return false;
    if (const auto Declared = Function.declaration(File[I].Text, At);
        Declared && Function.isNumber(*Declared))
      return false;
    for (++I; I + 1 < End && isJoint(I); I += 2)
      ;
    return I == End;
  }

  /// Whether the value at the token \p I has a name in it.
  bool hasName(uint32_t I) const {
    const uint32_t Last = File.statement(File[I].Statement).Last;
    for (; I < std::min(Last, At); ++I)
      if (File[I].Is == Token::Kind::Word && !isCommonWord(File[I].Text))
        return true;
    return false;
  }

  /// Adds which parameter, or which element, is declared at the token \p I.
  void addBinding(uint32_t I) {
    const StringRef Name = File[I].Text;
    if (Function.isParameter(I)) {
      const std::string Type = textBetween(typeOf(File, I), I);
      unsigned Number = 0;
      for (uint32_t Other = Function.begin(); Other < I; ++Other)
        Number += File[Other].Is == Token::Kind::Word &&
                  Function.isDeclared(Other) &&
                  textBetween(typeOf(File, Other), Other) == Type;
      insert("parameter\n" + Name + "\n" + Twine(Number));
    } else if (File[I + 1].is("]") || File[I - 1].is("[") ||
               File[I - 1].is(",")) {
      addElement(I);
    }
  }

  /// Adds which element of `auto [a, b] = f();` is declared at \p I, and what
  /// it is of.
  void addElement(uint32_t I) {
    const StringRef Name = File[I].Text;
    const uint32_t First = File.statement(File[I].Statement).First;
    unsigned Number = 0;
    uint32_t Open = I;
    for (; Open > First && !File[Open].is("["); --Open)
      Number += File[Open].is(",");
    while (I < At && !File[I].is("]"))
      ++I;
    if (!File[Open].is("[") || !File[I + 1].is("="))
      return;
    insert("element\n" + Name + "\n" + Twine(Number));
    add(I + 2);
  }

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
    insert("value\n" + Text);
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
                          const VariablesOfCall &Variables,
                          std::set<uint16_t> &To) {
  ValueReader Reader(File, At, To);
  for (StringRef Variable : Variables.Telling)
    Reader.readBinding(Variable);
  for (StringRef Variable : Variables.InFront)
    Reader.readValues(Variable);
  for (StringRef Variable : Variables.OfTarget)
    Reader.readGlobal(Variable);
  for (StringRef Variable : Variables.ByAddress)
    Reader.readValues(Variable, /*OnlyPlace=*/true);
  for (StringRef Variable : Variables.Passed)
    Reader.readMembers(Variable);
}
