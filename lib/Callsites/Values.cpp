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

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// So many values of a variable count.
static constexpr unsigned MaxValues = 8;
/// So many uses of an object in front of a call are looked at.
static constexpr unsigned MaxUses = 64;
/// So many statements in front of a call are looked at for what they set.
static constexpr unsigned MaxStatements = 256;

namespace {

class ValueReader {
public:
  ValueReader(const SourceTokens &File, uint32_t CallPlace,
              std::set<uint16_t> &To)
      : File(File), CallPlace(CallPlace), Function(File, CallPlace), To(To) {
    for (uint32_t S = File[CallPlace].Statement; S != Statement::None;
         S = File.statement(S).Outer)
      Around.push_back(S);
  }

  /// Adds what \p Variable may be. If it is \p OnlyPlace, a number is nothing.
  void readValues(StringRef Variable, bool OnlyPlace = false) {
    const ArrayRef<uint32_t> Places = placesInFront(Variable);
    const std::optional<uint32_t> Declared =
        Function.declaration(Variable, CallPlace);
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
    if (!Function.declaration(Variable, CallPlace))
      insert("global\n" + Variable);
  }

  /// Adds which one \p Variable is of those that the function declares.
  void readBinding(StringRef Variable) {
    if (const auto Declared = Function.declaration(Variable, CallPlace))
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
      if (readSetter(Place, Is, Seen) || Is.First != Place)
        continue;
      std::string Path;
      uint32_t I = Place + 1;
      for (; I + 1 < CallPlace && isJoint(File[I]); I += 2)
        (Path += '\n') += File[I + 1].Text;
      if (Path.empty() || !File[I].is("=") || !isPlace(I + 1, Is.Last) ||
          Seen.count(Path))
        continue;
      insert("member" + Path + "\n" + textBetween(File, I + 1, Is.Last));
      if (isAlwaysRun(Place))
        Seen.insert(Path);
    }
  }

  /// Adds what the statements set that are always run in front of the call.
  void readState() {
    unsigned Left = MaxStatements;
    std::set<std::string> Seen;
    // `Tag = Cold, make(n);`
    for (uint32_t I = File.statement(Around.front()).First; I + 1 < CallPlace;
         ++I)
      if (File[I + 1].is("="))
        Seen.insert(textBetween(File, I, I + 1));
    for (uint32_t S : Around)
      for (uint32_t P = File.statement(S).Previous;
           P != Statement::None && Left &&
           File.statement(P).First > Function.begin();
           P = File.statement(P).Previous, --Left)
        readStatement(File.statement(P), Seen);
  }

  FunctionsInFront takeFunctions() { return std::move(Functions); }

private:
  void readStatement(const Statement &Is, std::set<std::string> &Seen) {
    if (Is.Opens != Statement::None || !File[Is.Last].is(";") ||
        !isWord(File[Is.First]) || isControl(File[Is.First]))
      return;
    uint32_t Sign = Is.First + 1;
    while (Sign + 1 < Is.Last && isJoint(File[Sign]))
      Sign += 2;
    const std::string Path = textBetween(File, Is.First, Sign);
    const bool IsGlobal = !Function.declaration(File[Is.First].Text, CallPlace);
    const std::string Text = Path + textBetween(File, Sign, Is.Last);
    if (File[Sign].is("=")) {
      if (IsGlobal && Sign == Is.First + 1 && isPlace(Sign + 1, Is.Last) &&
          Seen.insert(Path).second)
        insert("state\n" + Text);
      return;
    }
    if (!File[Sign].is("(") || !File[Is.Last - 1].is(")") ||
        !Seen.insert(Path + "(").second)
      return;
    Functions.Setters.emplace_back(File[Sign - 1].Text, Text);
    if (IsGlobal && Sign == Is.First + 1 &&
        areGlobalPlaces(Sign + 1, Is.Last - 1))
      insert("state\n" + Text);
  }

  bool areGlobalPlaces(uint32_t Begin, uint32_t End) const {
    if (Begin >= End)
      return false;
    for (uint32_t Part = Begin, P = Begin; P <= End; ++P)
      if (P == End || File[P].is(",")) {
        const uint32_t Name = Part + (Part < P && File[Part].is("&"));
        if (!isPlace(Part, P) ||
            Function.declaration(File[Name].Text, CallPlace))
          return false;
        Part = P + 1;
      }
    return true;
  }

  /// If the statement \p Is gives places to the object at the token \p I, and
  /// nothing else, adds what it gives, unless \p Seen has a later one of the
  /// kind.
  bool readSetter(uint32_t I, const Statement &Is,
                  std::set<std::string> &Seen) {
    // `Object.set(`, or `set(&Object,`
    const bool IsMethod = Is.First == I;
    uint32_t Open = I + 1;
    while (IsMethod && Open + 1 < Is.Last && isJoint(File[Open]))
      Open += 2;
    if (!IsMethod) {
      Open = I - (File[I - 1].is("&") ? 2 : 1);
      if (Open != Is.First + 1)
        return false;
    }
    if (Is.Opens != Statement::None || !File[Is.Last].is(";") ||
        Is.Last >= CallPlace || Open + 2 >= Is.Last || !File[Open].is("(") ||
        !File[Is.Last - 1].is(")") || isControl(File[Is.First]) ||
        (IsMethod && Open == I + 1))
      return false;
    uint32_t Begin = IsMethod ? Open + 1 : I + 2;
    if (!IsMethod && !File[I + 1].is(","))
      return false;
    const uint32_t End = Is.Last - 1;
    if (Begin >= End)
      return false;
    for (uint32_t Part = Begin, P = Begin; P <= End; ++P)
      if (P == End || File[P].is(",")) {
        if (!isPlace(Part, P))
          return false;
        Part = P + 1;
      }
    const std::string Path = IsMethod ? "\n" + textBetween(File, I + 1, Open)
                                      : textBetween(File, Is.First, Open);
    if (Seen.count(Path))
      return true;
    insert("setter" + Path + "\n" + textBetween(File, Begin, End));
    if (isAlwaysRun(I))
      Seen.insert(Path);
    return true;
  }

  ArrayRef<uint32_t> placesInFront(StringRef Name) const {
    const ArrayRef<uint32_t> All = File.placesOf(Name);
    const uint32_t *End = lower_bound(All, CallPlace);
    return ArrayRef(std::min(upper_bound(All, Function.begin()), End), End);
  }

  void insert(const Twine &Text) { To.insert(hash16(Text)); }

  /// Whether the tokens from \p I to \p End are the name of something that is
  /// no number: `Grid`, `&s->head`.
  bool isPlace(uint32_t I, uint32_t End) const {
    if (I < End && File[I].is("&"))
      ++I;
    if (I >= End || !isWord(File[I]) || isCommonWord(File[I].Text))
      return false;
    if (const auto Declared = Function.declaration(File[I].Text, CallPlace);
        Declared && Function.isNumber(*Declared))
      return false;
    for (++I; I + 1 < End && isJoint(File[I]); I += 2)
      ;
    return I == End;
  }

  /// Whether the value at the token \p I has a name in it.
  bool hasName(uint32_t I) const {
    const uint32_t Last = File.statement(File[I].Statement).Last;
    for (; I < std::min(Last, CallPlace); ++I)
      if (isWord(File[I]) && !isCommonWord(File[I].Text))
        return true;
    return false;
  }

  /// Adds which parameter, or which element, is declared at the token \p I.
  void addBinding(uint32_t I) {
    const StringRef Name = File[I].Text;
    if (Function.isParameter(I)) {
      const std::string Type = textBetween(File, typeOf(File, I), I);
      unsigned Number = 0;
      for (uint32_t Other = Function.begin(); Other < I; ++Other)
        Number += isWord(File[Other]) && Function.isDeclared(Other) &&
                  textBetween(File, typeOf(File, Other), Other) == Type;
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
    while (I < CallPlace && !File[I].is("]"))
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
           (Is.Outer == Statement::None || is_contained(Around, Is.Outer));
  }

  /// Adds the expression that begins with the token \p I, if it ends in front
  /// of the call.
  bool add(uint32_t I) {
    std::string Text;
    SmallVector<StringRef, 2> Called;
    unsigned Depth = 0;
    for (; I < CallPlace; ++I) {
      const Token &T = File[I];
      if (opens(T))
        ++Depth;
      else if (closes(T)) {
        if (!Depth)
          break;
        --Depth;
      } else if (T.is(";") || (T.is(",") && !Depth)) {
        break;
      }
      Text += isAmount(I) ? StringRef("0x") : T.Text;
      Text += '\n';
      if (isWord(T) && File[I + 1].is("("))
        Called.push_back(T.Text);
    }
    if (I >= CallPlace)
      return false;
    Functions.Deciders.insert(Called.begin(), Called.end());
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
  const uint32_t CallPlace;
  const Locals Function;
  std::set<uint16_t> &To;
  /// The statement of the call, and those that it is in, from within.
  SmallVector<uint32_t, 8> Around;
  FunctionsInFront Functions;
};

} // namespace

FunctionsInFront callsites::addValues(const SourceTokens &File,
                                      uint32_t CallPlace,
                                      const VariablesOfCall &Variables,
                                      std::set<uint16_t> &To) {
  ValueReader Reader(File, CallPlace, To);
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
  Reader.readState();
  return Reader.takeFunctions();
}
