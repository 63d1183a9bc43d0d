//===- Callsites/Values.cpp - What a variable was set to ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "Conditions.h"
#include "Expressions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <iterator>
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// So many values of a variable count.
static constexpr unsigned MaxValues = 8;
/// So many variables are looked at for the sake of values.
static constexpr unsigned MaxVariables = 16;
/// So many uses of an object in front of a call are looked at.
static constexpr unsigned MaxUses = 64;
/// So many statements in front of a call are looked at for what they set.
static constexpr unsigned MaxStatements = 256;

namespace {

class ValueReader {
public:
  ValueReader(const SourceTokens &File, uint32_t CallPlace,
              const AlikeNames &Alike, std::set<uint16_t> &To)
      : File(File), CallPlace(CallPlace), Alike(Alike),
        Function(File, CallPlace), To(To) {
    for (uint32_t S = File[CallPlace].Statement; S != Statement::None;
         S = File.statement(S).Outer)
      Around.push_back(S);
  }

  /// What counts of a value: that it is a choice; what it is but for amounts;
  /// what it is but for amounts in arguments, with what it is made of and when;
  /// or all.
  enum class Counts { Choice, Kind, Origin, All };

  /// Adds what \p Variable may be: all of its values together, as one more is
  /// another choice.
  /// Returns whether it has some.
  bool readValues(StringRef Variable, Counts What) {
    const ArrayRef<uint32_t> Places = placesInFront(Variable);
    const std::optional<uint32_t> Declared =
        Function.declaration(Variable, CallPlace);
    if (!Declared && What < Counts::Origin &&
        none_of(Places, [&](uint32_t I) { return isCaptured(I); }))
      return false;
    unsigned Left = MaxValues;
    std::string All;
    for (uint32_t Place : reverse(Places)) {
      if (!Left)
        break;
      if (isCounter(Place) && isAround(Place))
        continue;
      const Value Is =
          isCounter(Place) ? loopAt(Place, What) : valueAt(Place, What);
      if (!Is.Begin || !addText(Is, What, All))
        continue;
      --Left;
      if (Is.IsWhole && isAlwaysRun(Place))
        break;
      if (What != Counts::Kind)
        addConditions(Place, All);
    }
    if (!All.empty())
      insert("values\n" + All);
    return !All.empty();
  }

  /// Adds what \p Variables may be, and those that make their values.
  void readOrigins(const std::set<StringRef> &Variables, Counts What) {
    Next.clear();
    Seen.insert(Variables.begin(), Variables.end());
    for (StringRef Variable : Variables)
      if (readValues(Variable, What))
        WithValues.insert(Variable);
    for (unsigned I = 0; I < std::min<size_t>(Next.size(), MaxVariables); ++I)
      readValues(Next[I], What);
  }

  /// Whether the function declares \p Variable.
  bool isDeclared(StringRef Variable) const {
    return Function.declaration(Variable, CallPlace).has_value();
  }

  /// Notes that nothing in front of the call sets \p Variable, nor one of its
  /// members that is asked in \p Paths, if that is so. The next one to set it
  /// would make another choice.
  void readUnset(StringRef Variable, ArrayRef<std::string> Paths) {
    if (WithValues.contains(Variable) || Alike.contains(Variable))
      return;
    std::set<std::string> Members;
    for (StringRef Path : Paths) {
      StringRef Before;
      bool IsOf = false;
      for (StringRef Token : split(Path, '\n')) {
        if (!isMemberSign(Token)) {
          IsOf = isMemberSign(Before) ? IsOf : Token == Variable;
          if (IsOf && isMemberSign(Before))
            Members.insert(Token.str());
        }
        Before = Token;
      }
    }
    unsigned Left = MaxUses;
    for (uint32_t Place : reverse(placesInFront(Variable))) {
      if (!Left--)
        return;
      const uint32_t Last = File.statement(File[Place].Statement).Last;
      uint32_t I = Place + 1;
      while (I + 1 < Last && isJoint(File[I]))
        I += 2;
      if (I == Place + 1 || Last >= CallPlace || !File[I].is("="))
        continue;
      const std::string Set = textBetween(File, Place, I);
      if (any_of(Paths, [&](StringRef Path) {
            return Path.starts_with(Set) || Path.contains("\n" + Set);
          }))
        return;
    }
    Found.Unset.emplace(Variable, std::move(Members));
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

  /// Adds what the members of \p Object are set to: choices, or all that is
  /// \p Asked.
  void readMembers(StringRef Object, bool IsAsked) {
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
      if (!Path.empty() && isUpdate(File[I]) && Is.Last < CallPlace &&
          isChoice(I + 1, Is.Last))
        insert("member" + Path + "\n" + textBetween(File, I, Is.Last));
      if (Path.empty() || !File[I].is("=") || Is.Last >= CallPlace ||
          !(IsAsked || isChoice(I + 1, Is.Last)) || Seen.count(Path))
        continue;
      std::string Text = "member" + Path + "\n";
      addText({I + 1, Is.Last}, IsAsked ? Counts::All : Counts::Choice, Text);
      insert(Text);
      if (isAlwaysRun(Place))
        Seen.insert(Path);
    }
  }

  /// Adds what the members are set to in front that stand behind the word
  /// \p Root of the statement; and if they are in brackets, also how often and
  /// how they are changed, which may be not at all.
  void readPath(uint32_t Root, bool IsIndex) {
    if (isMember(File, Root) || isCommonWord(File[Root].Text))
      return;
    uint32_t End = Root + 1;
    if (IsIndex && End < File.size() && !isJoint(File[End]) &&
        !Function.declaration(File[Root].Text, CallPlace))
      readChanges(Root, End, IsIndex);
    while (End + 1 < File.size() && isMemberSign(File[End].Text) &&
           isWord(File[End + 1]) && !isBefore(File, End + 1, "(")) {
      End += 2;
      readChanges(Root, End, IsIndex);
    }
  }

  /// Adds what the statements set that are always run in front of the call.
  void readState(bool HasState) {
    Found.HasState = HasState;
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

  /// Adds what \p Variables are that the call gets, and what is in them.
  void readGiven(const std::set<StringRef> &Variables) {
    std::set<uint16_t> All = std::exchange(To, {});
    for (StringRef Variable : Variables) {
      readValues(Variable, Counts::Choice);
      readMembers(Variable, /*IsAsked=*/false);
    }
    Found.Given = std::exchange(To, std::move(All));
    To.insert(Found.Given.begin(), Found.Given.end());
  }

  ValuesInFront take() { return std::move(Found); }

private:
  /// Whether the tokens from \p Place on are those from \p Root to \p End.
  bool isPathAt(uint32_t Place, uint32_t Root, uint32_t End) const {
    for (uint32_t I = Root; I != End; ++I)
      if (File[I].Text != File[Place + I - Root].Text)
        return false;
    return true;
  }

  void readChanges(uint32_t Root, uint32_t End, bool IsIndex) {
    const std::string Path = textBetween(File, Root + 1, End);
    unsigned Left = MaxUses;
    std::string Changes;
    for (uint32_t Place : reverse(placesInFront(File[Root].Text))) {
      if (!Left--)
        return;
      const uint32_t Sign = Place + End - Root;
      if (File[Place].Statement == File[CallPlace].Statement ||
          Sign >= CallPlace || isMember(File, Place) ||
          !isPathAt(Place, Root, End))
        continue;
      const Token &T = File[Sign], &Before = File[Place - 1];
      if (T.is("=")) {
        const Value Is = expressionAt(Sign + 1);
        const bool IsNothing =
            Is.End == Is.Begin + 1 && meantText(File[Is.Begin]) == "nullptr";
        if (Is.Begin && !IsNothing && isChoice(Is.Begin, Is.End, IsIndex)) {
          std::string Text =
              "path\n" + Path + textBetween(File, Is.Begin, Is.End);
          if (!isAlwaysRun(Place))
            addConditions(Place, Text);
          insert(Text);
        }
        if (isAlwaysRun(Place))
          break;
      } else if (isUpdate(T)) {
        Changes += textBetween(File, Sign, expressionAt(Sign + 1).End);
      } else if (T.is("++") || T.is("--")) {
        Changes += T.Text;
      } else if (Before.is("++") || Before.is("--")) {
        Changes += Before.Text;
      }
    }
    if (IsIndex)
      insert("changes\n" + Path + Changes);
  }

  void readStatement(const Statement &Is, std::set<std::string> &Seen) {
    if (Is.Opens != Statement::None || !File[Is.Last].is(";") ||
        !isWord(File[Is.First]) || isControl(File[Is.First]))
      return;
    uint32_t Sign = Is.First + 1;
    while (Sign + 1 < Is.Last && isJoint(File[Sign]))
      Sign += 2;
    // What is done with the variable itself is no state, unless it is the
    // object of the call: `Job.toGrid();`.
    const uint32_t Begin = Is.First + (File[Sign].is("(") ? 1 : 0);
    for (uint32_t I = Begin; I < Is.Last; ++I)
      if (isWord(File[I]) && Alike.contains(File[I].Text))
        return;
    const std::string Path = textBetween(File, Is.First, Sign);
    const bool IsGlobal = !Function.declaration(File[Is.First].Text, CallPlace);
    const std::string Text = Path + textBetween(File, Sign, Is.Last);
    if (File[Sign].is("=")) {
      if (IsGlobal && Found.HasState && isChoice(Sign + 1, Is.Last) &&
          Seen.insert(Path).second)
        insert("state\n" + Text);
      return;
    }
    if (isUpdate(File[Sign]) && IsGlobal && Found.HasState &&
        isChoice(Sign + 1, Is.Last))
      insert("state\n" + Text);
    if (!File[Sign].is("(") || !File[Is.Last - 1].is(")") ||
        !Seen.insert(Path + "(").second)
      return;
    Found.Setters.emplace_back(File[Sign - 1].Text, Text);
    if (IsGlobal && Found.HasState && Sign == Is.First + 1 &&
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
        if (!isPlace(Part, P) && !File[Part].is("sizeof"))
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
    if (!File[Open].is("[") || !(File[I + 1].is("=") || File[I + 1].is(":")))
      return;
    insert("element\n" + Name + "\n" + Twine(Number));
    std::string Text;
    if (addText(expressionAt(I + 2), Counts::Origin, Text))
      insert("element of\n" + Text);
  }

  /// What a variable is given in one place: the tokens from Begin to End, in
  /// place of what it was if it IsWhole. None if Begin is 0.
  struct Value {
    uint32_t Begin = 0;
    uint32_t End = 0;
    bool IsWhole = true;
  };

  /// The tokens of the expression that begins at \p I; none if it does not end
  /// in front of the call.
  Value expressionAt(uint32_t I) const {
    const uint32_t Begin = I;
    unsigned Depth = 0;
    for (; I < CallPlace; ++I) {
      const Token &T = File[I];
      if (opens(T))
        ++Depth;
      else if (closes(T) ? !Depth : T.is(";") || (T.is(",") && !Depth))
        return {Begin, I};
      else if (closes(T))
        --Depth;
    }
    return {};
  }

  /// The call that the token \p I is an argument of, or `&` in front of it.
  Value callAround(uint32_t I) const {
    const uint32_t First = File.statement(File[I].Statement).First;
    unsigned Depth = 0;
    while (I > First && (Depth || !File[I].is("("))) {
      if (closes(File[I]))
        ++Depth;
      else if (opens(File[I]))
        --Depth;
      --I;
    }
    if (I <= First || !isWord(File[I - 1]) || isControl(File[I - 1]))
      return {};
    return {I - 1, expressionAt(I).End, /*IsWhole=*/false};
  }

  /// Whether the arguments of the call \p Is tell something besides \p Name.
  bool tellsMore(Value Is, StringRef Name) const {
    for (uint32_t I = Is.Begin + 1; I < Is.End; ++I)
      if (File[I].Is == Token::Kind::Number ||
          (isWord(File[I]) && !File[I].is(Name) && !isCommonWord(File[I].Text)))
        return true;
    return false;
  }

  /// What the variable at the token \p I is given there, if that counts.
  Value valueAt(uint32_t I, Counts What) const {
    if (isJoint(File[I - 1]))
      return {};
    // `T *All[2] = {a, b}`
    uint32_t Last = I;
    while (Function.isDeclared(I) && isBefore(File, Last, "[")) {
      const Value Size = expressionAt(Last + 2);
      if (!Size.Begin)
        return {};
      Last = Size.End;
    }
    const Token &Next = File[Last + 1];
    Value Result;
    if (Next.is("="))
      Result = expressionAt(Last + 2);
    else if ((Next.is("(") || Next.is("{")) && Function.isDeclared(I) &&
             !Function.isParameter(I))
      Result = expressionAt(I + 1);
    else if (What < Counts::Origin)
      return {};
    else if (Next.is("++") || Next.is("--"))
      return {I + 1, I + 2, /*IsWhole=*/false};
    else if (File[I - 1].is("++") || File[I - 1].is("--"))
      return {I - 1, I, /*IsWhole=*/false};
    else if (isUpdate(Next))
      return {I + 1, expressionAt(I + 2).End, /*IsWhole=*/false};
    else if (I > 1 && File[I - 1].is("&") &&
             (File[I - 2].is("(") || File[I - 2].is(","))) {
      const Value Call = callAround(I - 1);
      return tellsMore(Call, File[I].Text) ? Call : Value();
    } else if (const Value Call = callAround(I);
               Call.Begin && File[Call.Begin].is("swap"))
      return {Call.Begin, Call.End};
    else
      return {};
    if (What == Counts::Choice && !isChoice(Result.Begin, Result.End))
      return {};
    return Result;
  }

  /// `+=` and its like.
  static bool isUpdate(const Token &T) {
    return T.Is == Token::Kind::Sign && T.Text.size() > 1 &&
           T.Text.ends_with("=") && !T.is("==") && !T.is("!=") && !T.is("<=") &&
           !T.is(">=");
  }

  /// Whether the tokens from \p I to \p End are names, but no variables that
  /// are numbers, and what chooses: small numbers, `true`, `a ? Grid : Log`.
  bool isChoice(uint32_t I, uint32_t End, bool MayBeZero = false) const {
    if (I >= End)
      return false;
    if (I + 1 == End && !MayBeZero)
      for (StringRef Nothing : {"0", "NULL", "nullptr"})
        if (File[I].is(Nothing))
          return false;
    for (; I != End; ++I) {
      const Token &T = File[I];
      if (T.Is == Token::Kind::Sign) {
        if (!T.is("{") && !T.is("}") && !T.is(",") && !T.is("&") &&
            !T.is("?") && !T.is(":") && !T.is("!") && !T.is("[") &&
            !T.is("]") && !isJoint(T))
          return false;
      } else if (isWord(T)) {
        const auto Declared = Function.declaration(T.Text, CallPlace);
        if (!isMember(File, I) && Declared && Function.isNumber(*Declared))
          return false;
      } else if (isAmount(I)) {
        return false;
      }
    }
    return true;
  }

  /// Whether a lambda captures the name \p I first, with a value.
  bool isCaptured(uint32_t I) const {
    return File[I - 1].is("[") && File[I + 1].is("=");
  }

  /// Whether the token \p I is in the head of a `for`.
  bool isCounter(uint32_t I) const {
    return File[File.statement(File[I].Statement).First].is("for");
  }

  bool isAround(uint32_t I) const {
    return is_contained(Around, File[I].Statement);
  }

  /// The loop whose head has the token \p I, which looks for something.
  Value loopAt(uint32_t I, Counts What) const {
    const Statement &Is = File.statement(File[I].Statement);
    constexpr uint32_t MaxTokens = 128;
    if (What < Counts::Origin || Is.Last - Is.First > MaxTokens)
      return {};
    return {Is.First, Is.Last, /*IsWhole=*/false};
  }

  /// Whether what stands at the token \p I is run before the call, whatever
  /// way leads there.
  bool isAlwaysRun(uint32_t I) const {
    const Statement &Is = File.statement(File[I].Statement);
    return !isControl(File[Is.First]) &&
           (Is.Outer == Statement::None || is_contained(Around, Is.Outer));
  }

  /// Adds what counts of \p Is to \p Text. Returns whether it is a value.
  bool addText(Value Is, Counts What, std::string &Text) {
    if (Is.End <= Is.Begin || Is.End >= CallPlace)
      return false;
    unsigned Depth = 0;
    for (uint32_t I = Is.Begin; I != Is.End; ++I) {
      const Token &T = File[I];
      if (opens(T))
        ++Depth;
      else if (closes(T) && Depth)
        --Depth;
      const bool IsName = isWord(T) && !isMember(File, I);
      if (IsName && Alike.contains(T.Text))
        Text += spelled(T.Text, Alike);
      else
        Text += counts(I, What, Depth) ? meantText(T) : StringRef("0x");
      Text += '\n';
      if (isWord(T) && isBefore(File, I, "("))
        Found.Deciders.insert(T.Text);
      if (!isWord(T) || Alike.contains(T.Text) || What == Counts::Kind)
        continue;
      if (Named.emplace(T.Text, File[I - 1].Text).second)
        Found.Words.push_back(I);
      if (IsName && What >= Counts::Origin)
        follow(T.Text);
    }
    Text += ";\n";
    return true;
  }

  /// Adds to \p Text under what a variable is given a value at the token \p
  /// Place.
  void addConditions(uint32_t Place, std::string &Text) {
    auto [Known, New] = Under.try_emplace(Place);
    if (New)
      Known->second = readConditions(Place);
    Text += Known->second;
  }

  /// What must hold at the token \p Place that need not for the call. Has the
  /// names in there looked at.
  std::string readConditions(uint32_t Place) {
    const std::vector<std::string> &All = conditionsAt(File, Place);
    const std::vector<std::string> &OfCall = conditionsAt(File, CallPlace);
    std::vector<std::string> Own;
    std::set_difference(All.begin(), All.end(), OfCall.begin(), OfCall.end(),
                        std::back_inserter(Own));
    for (StringRef Condition : Own)
      forEachVariable(Condition, [&](StringRef Name) { follow(Name); });
    std::string Text;
    for (std::string &Condition : Own) {
      (Text += "under\n") += Condition;
      Found.Conditions.insert(std::move(Condition));
    }
    return Text;
  }

  /// Has the variable \p Name looked at, if it is one of the function.
  void follow(StringRef Name) {
    if (!Asked.insert(Name).second || Alike.contains(Name))
      return;
    const auto Declared = Function.declaration(Name, CallPlace);
    if (!Declared)
      return;
    const StringRef Owned = File[*Declared].Text;
    if (Seen.insert(Owned).second)
      Next.push_back(Owned);
  }

  /// Whether the token \p I of a value counts, which stands in as many brackets
  /// as \p Depth says.
  bool counts(uint32_t I, Counts What, unsigned Depth) const {
    return What == Counts::All || (What == Counts::Origin && !Depth) ||
           !isAmount(I);
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
  const AlikeNames &Alike;
  const Locals Function;
  std::set<uint16_t> &To;
  /// The statement of the call, and those that it is in, from within.
  SmallVector<uint32_t, 8> Around;
  /// Names that were asked for, variables that were looked at, and those to
  /// look at next.
  StringSet<> Asked;
  std::set<StringRef> Seen;
  std::vector<StringRef> Next;
  StringSet<> WithValues;
  /// By token, the text of what must hold there.
  DenseMap<uint32_t, std::string> Under;
  /// The words of values, with what stands in front of them.
  std::set<std::pair<StringRef, StringRef>> Named;
  ValuesInFront Found;
};

} // namespace

uint16_t callsites::hashOfSet(StringRef Name) {
  return hash16("sets name\n" + Name);
}

ValuesInFront callsites::addValues(const SourceTokens &File, uint32_t CallPlace,
                                   const VariablesOfCall &Variables,
                                   const AlikeNames &Alike,
                                   std::set<uint16_t> &To) {
  using Counts = ValueReader::Counts;
  ValueReader Reader(File, CallPlace, Alike, To);
  for (StringRef Variable : Variables.Telling)
    Reader.readBinding(Variable);
  Reader.readOrigins(Variables.Asked, Counts::All);
  std::set<StringRef> Rest;
  std::set_difference(Variables.Telling.begin(), Variables.Telling.end(),
                      Variables.Asked.begin(), Variables.Asked.end(),
                      std::inserter(Rest, Rest.end()));
  Reader.readOrigins(Rest, Counts::Origin);
  Reader.readGiven(Variables.Passed);
  for (StringRef Variable : Variables.InFront)
    if (!Variables.Telling.count(Variable))
      Reader.readValues(Variable, Counts::Kind);
  for (StringRef Variable : Variables.OfTarget)
    Reader.readGlobal(Variable);
  for (StringRef Variable : Variables.Asked)
    Reader.readMembers(Variable, /*IsAsked=*/true);
  for (StringRef Variable : Variables.Telling)
    if (Variables.OfTarget.count(Variable) || Variables.Asked.count(Variable) ||
        Reader.isDeclared(Variable))
      Reader.readUnset(Variable, Variables.Paths);
  for (uint32_t Root : Variables.Owners)
    Reader.readPath(Root, /*IsIndex=*/false);
  for (uint32_t Root : Variables.Indices)
    Reader.readPath(Root, /*IsIndex=*/true);
  Reader.readState(Variables.HasState);
  return Reader.take();
}

void callsites::forEachWord(StringRef Text,
                            function_ref<void(StringRef, StringRef)> Visit) {
  StringRef Before;
  for (StringRef Word : split(Text, '\n')) {
    Visit(Word, Before);
    Before = Word;
  }
}

void callsites::forEachVariable(StringRef Condition,
                                function_ref<void(StringRef)> Visit) {
  forEachWord(Condition, [&](StringRef Word, StringRef Before) {
    if (isNameOrString(Word) && !isCommonWord(Word) && !isMemberSign(Before))
      Visit(Word);
  });
}

//===-- Names -------------------------------------------------------------===//

void Meanings::addName(StringRef Name, StringRef Before, bool IsAsked) {
  using Kind = NameInSource::Kind;
  const Kind What = isMemberSign(Before) ? Kind::Member
                    : isLocal(Name)      ? Kind::Local
                                         : Kind::Global;
  Meaning({Name, What, IsAsked}, To);
}

void Meanings::addWord(uint32_t I, bool IsAsked) {
  addName(File[I].Text, I ? File[I - 1].Text : StringRef(), IsAsked);
}

void Meanings::addCondition(StringRef Condition) {
  forEachWord(Condition, [&](StringRef Word, StringRef Before) {
    addName(Word, Before, /*IsAsked=*/true);
    if (Word == "(" && !isCommonWord(Before))
      addFunction(Before, NameInSource::Role::Decider);
  });
}

void Meanings::addFunction(StringRef Name, NameInSource::Role Is) {
  if (!isLocal(Name))
    Meaning({Name, NameInSource::Kind::Global, /*IsAsked=*/false, Is}, To);
}

void Meanings::addClass(StringRef Name) {
  Meaning({Name, NameInSource::Kind::Global, /*IsAsked=*/false}, To);
}

void Meanings::addOperator(OperatorOfClass Operator) {
  Meaning({Operator.Name, NameInSource::Kind::Global, /*IsAsked=*/false,
           NameInSource::Role::Operator, Operator.Class},
          To);
}

void Meanings::addValues(const ValuesInFront &Values) {
  for (uint32_t I : Values.Words)
    addWord(I, /*IsAsked=*/true);
  for (StringRef Condition : Values.Conditions)
    addCondition(Condition);
  for (StringRef Name : Values.Deciders)
    addFunction(Name, NameInSource::Role::Decider);
  std::set<uint16_t> All;
  for (const auto &[Name, Text] : Values.Setters) {
    std::set<uint16_t> Sets;
    Meanings(File, Place, Meaning, Sets)
        .addFunction(Name, NameInSource::Role::Setter);
    if (!Sets.empty())
      Sets.insert(hash16("sets\n" + Text));
    All.insert(Sets.begin(), Sets.end());
  }
  if (Values.HasState)
    To.insert(All.begin(), All.end());
  for (const auto &[Name, Members] : Values.Unset) {
    auto IsSet = [&](StringRef Word) { return All.contains(hashOfSet(Word)); };
    if (!IsSet(Name) && none_of(Members, IsSet))
      To.insert(hash16("unset\n" + Name));
  }
}
