//===- Callsites/CallText.cpp - What the source has around a call ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/CallText.h"
#include "Conditions.h"
#include "Constants.h"
#include "Locals.h"
#include "Sinks.h"
#include "Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;
using profile::SourceCall;

static bool isAssignment(const Token &T) {
  for (StringRef Sign : {"=", "+=", "-=", "|=", "&=", "^="})
    if (T.is(Sign))
      return true;
  return false;
}

namespace {

uint16_t wordHash(StringRef Word) {
  return static_cast<uint16_t>(xxh3_64bits(Word) % (SourceCall::AmountBit - 1) +
                               1);
}

class Describer {
public:
  Describer(const SourceTokens &File, uint32_t Place, StringRef Callee)
      : File(File), Place(Place), Callee(Callee),
        OwnStatement(File[Place].Statement) {
    collect();
  }

  void describe(SourceCall &Call, AddMeaning Meaning, IsDefined IsOwn,
                TakesSize IsSize) {
    findChoosing(IsSize);
    findNested(IsSize);
    Numbers ButCallee = Left;
    append_range(ButCallee, ArrayRef(All).drop_front(behindCallee()));
    Call.Text = hash(ButCallee);
    Call.Left = Left.empty() ? 0 : hash(Left);
    findTarget(Call);
    Sinks Goes = sinksOf(
        File, Place, ArrayRef(Left).slice(TargetBegin, TargetEnd - TargetBegin),
        IsOwn);
    Call.Sinks = std::move(Goes.Hashes);
    Call.StoredAs = Call.Sinks.empty() ? storedAs(Call) : 0;
    const Numbers Around = tokensAround();
    Call.Guard = Around.empty() ? 0 : hash(Around) % 0xffff + 1;
    std::vector<std::string> Asked = conditionsAt(File, Place);
    std::set<uint16_t> Hashes;
    for (StringRef Condition : Asked)
      Hashes.insert(hash16(Condition));
    llvm::erase_if(
        Asked, [](StringRef Condition) { return !isValueAsked(Condition); });
    const ValuesInFront Values =
        addOfVariables(Around, Asked, Goes.Names.All, Hashes);
    if (Meaning)
      addMeanings(Meaning, Around, Asked, Goes, Values, Hashes);
    callsites::addMeanings(File, Goes, Meaning, Hashes);
    addLambdas(Meaning, IsOwn, Hashes);
    Call.Conditions.assign(Hashes.begin(), Hashes.end());
    Call.Given.assign(Values.Given.begin(), Values.Given.end());
    Call.Words = words();
    findPieces(Call);
    Call.IsReturned = isReturned();
  }

  NamesInCall names() {
    NamesInCall Result;
    auto Add = [&](size_t I, std::set<uint16_t> &To) {
      const Token &T = File[All[I]];
      if (T.Is != Token::Kind::Sign && !isAmount(I) &&
          !(isWord(T) && isCommonWord(T.Text)))
        To.insert(wordHash(T.Text));
    };
    SourceCall Found;
    findTarget(Found);
    for (size_t I = TargetBegin; I < TargetEnd; ++I)
      Add(I, Result.Target);
    unsigned Depth = 0;
    const size_t Begin = behindCallee(), End = argumentsEnd(Begin);
    for (size_t I = Begin; I < End; ++I) {
      const Token &T = File[All[I]];
      if (opens(T) && ++Depth == 1)
        Result.Arguments.emplace_back();
      else if (closes(T) && Depth)
        --Depth;
      else if (T.is(",") && Depth == 1)
        Result.Arguments.emplace_back();
      else if (Depth)
        Add(I, Result.Arguments.back());
    }
    return Result;
  }

  /// Whether the callee's name stands at the place.
  bool isNamed() const { return behindCallee() != Left.size(); }

private:
  using Numbers = SmallVector<uint32_t, 32>;

  uint32_t hash(ArrayRef<uint32_t> Tokens) const {
    std::string Text;
    for (uint32_t I : Tokens) {
      Text += meantText(File[I]);
      Text += '\n';
    }
    return std::max<uint32_t>(static_cast<uint32_t>(xxh3_64bits(Text)), 1);
  }

  void addOwn(uint32_t S, uint32_t Begin, uint32_t End, Numbers &To) const {
    File.forEachOwn(S, Begin, End, [&](uint32_t I) { To.push_back(I); });
  }
  void addAll(uint32_t S, Numbers &To) const {
    addOwn(S, File.statement(S).First, File.statement(S).Last + 1, To);
  }

  void collect() {
    SmallVector<uint32_t, 4> Before;
    uint32_t S = OwnStatement;
    auto IsOnLineOfNext = [&](uint32_t Previous) {
      return Previous != Statement::None &&
             File[File.statement(Previous).Last].Line ==
                 File[File.statement(S).First].Line;
    };
    for (; IsOnLineOfNext(File.statement(S).Previous); S = Before.back())
      Before.push_back(File.statement(S).Previous);
    for (uint32_t B : reverse(Before))
      addAll(B, Left);
    const Statement &Own = File.statement(OwnStatement);
    FirstOwn = Left.size();
    OwnBegin = behindConditions(Own.First);
    addOwn(OwnStatement, OwnBegin, Place, Left);
    All = Left;
    // What has a block on its right ends there.
    if (Own.Opens != Statement::None && Own.Opens >= Place) {
      addOwn(OwnStatement, Place, std::max(Own.Opens, Place + 1), All);
      return;
    }
    addOwn(OwnStatement, Place, Own.Last + 1, All);
    for (S = OwnStatement;
         File.statement(S).Next != Statement::None &&
         File[File.statement(S).Last].Line ==
             File[File.statement(File.statement(S).Next).First].Line;) {
      S = File.statement(S).Next;
      addAll(S, All);
    }
  }

  /// The token behind those of `if (a)` and `else` that stand from \p I on in
  /// front of the call, which are around it as if there were braces; \p I if it
  /// is in there. What a loop goes over is not all told by conditions.
  uint32_t behindConditions(uint32_t I) const {
    auto IsHead = [&](const Token &T) { return T.is("if") || T.is("else"); };
    uint32_t Begin = I;
    while (I < Place && IsHead(File[I])) {
      const bool IsElse = File[I].is("else");
      ++I;
      if (!IsElse) {
        if (File[I].is("constexpr"))
          ++I;
        if (!File[I].is("("))
          return Begin;
        unsigned Depth = 0;
        do {
          if (I >= Place)
            return Begin;
          Depth += File[I].is("(");
          Depth -= File[I].is(")");
          ++I;
        } while (Depth);
      }
      if (I <= Place)
        Begin = I;
    }
    return Begin;
  }

  /// The token in front of the call that opens what \p Close closes.
  std::optional<size_t> opening(size_t Close) const {
    unsigned Depth = 0;
    for (size_t I = Close + 1; I-- != FirstOwn;) {
      const Token &T = File[Left[I]];
      if (closes(T))
        ++Depth;
      else if (opens(T) && --Depth == 0)
        return I;
    }
    return std::nullopt;
  }

  /// What the result of the call is stored in: what stands left of the last
  /// assignment that the call is on the right of.
  void findTarget(SourceCall &Call) {
    bool IsBehindComma = false;
    for (size_t I = Left.size(); I-- != FirstOwn;) {
      const Token &T = File[Left[I]];
      if (closes(T)) {
        std::optional<size_t> Open = opening(I);
        if (!Open)
          return;
        I = *Open;
        if (I != FirstOwn && isControl(File[Left[I - 1]]))
          return;
      } else if (opens(T)) {
        IsBehindComma = false;
        if (I != FirstOwn && isControl(File[Left[I - 1]]))
          return;
      } else if (T.is(",")) {
        IsBehindComma = true;
      } else if (T.is(";") || T.is("else") || T.is("do")) {
        return;
      } else if (T.is("return") || T.is("co_return") || T.is("co_yield")) {
        if (!IsBehindComma)
          setTarget(Call, I, I + 1, /*IsPath=*/false);
        return;
      } else if (isAssignment(T)) {
        if (!IsBehindComma)
          readTarget(Call, I);
        return;
      }
    }
  }

  /// Reads the target that ends before \p End backwards: `a.b->c[i]`.
  void readTarget(SourceCall &Call, size_t End) {
    size_t I = End;
    bool IsPath = false;
    while (I != FirstOwn) {
      const Token &T = File[Left[I - 1]];
      if (T.is("]") || T.is(")")) {
        std::optional<size_t> Open = opening(I - 1);
        if (!Open)
          return;
        IsPath |= T.is("]");
        I = *Open;
        continue;
      }
      if (!isWord(T))
        break;
      --I;
      if (I - FirstOwn < 2)
        break;
      const Token &Joint = File[Left[I - 1]];
      if (!Joint.is(".") && !Joint.is("->") && !Joint.is("::"))
        break;
      if (File[Left[I - 2]].is("this"))
        break;
      IsPath |= !Joint.is("::");
      --I;
    }
    if (I == End)
      return;
    // `*p = ...`, but not `char *p = ...`.
    if (I != FirstOwn && File[Left[I - 1]].is("*") &&
        (I - 1 == FirstOwn ||
         (File[Left[I - 2]].Is == Token::Kind::Sign &&
          !File[Left[I - 2]].is("*") && !File[Left[I - 2]].is(">")))) {
      --I;
      IsPath = true;
    }
    // Where more than the assignment is on the line, the target does not tell
    // alone what it is for.
    IsPath &= I == FirstOwn && FirstOwn == 0 && all_of(All, [&](uint32_t T) {
                return File[T].Statement == OwnStatement;
              });
    setTarget(Call, I, End, IsPath);
  }

  void setTarget(SourceCall &Call, size_t Begin, size_t End, bool IsPath) {
    TargetBegin = Begin;
    TargetEnd = End;
    Call.Target = (hash(ArrayRef(Left).slice(Begin, End - Begin)) &
                   ~SourceCall::PathBit) |
                  (IsPath ? SourceCall::PathBit : 0);
    Call.Target = std::max<uint32_t>(Call.Target, 1);
  }

  /// Where the call ends with its arguments, or `new T(n)`, `new T[n]`.
  size_t expressionEnd() const {
    const size_t Behind = behindCallee();
    if (!File[All[Left.size()]].is("new"))
      return Behind == Left.size() ? All.size() : argumentsEnd(Behind);
    size_t I = Behind;
    auto IsOfType = [](const Token &T) {
      return isWord(T) || T.is("::") || T.is("*");
    };
    while (I < All.size() && IsOfType(File[All[I]]))
      ++I;
    if (I < All.size() && File[All[I]].is("["))
      while (I < All.size() && !File[All[I++]].is("]")) {
      }
    return argumentsEnd(I);
  }

  /// SourceCall::StoredAs, for a result that nothing else is done with.
  uint16_t storedAs(const SourceCall &Call) const {
    if (!(Call.Target & SourceCall::PathBit) || TargetEnd == Left.size() ||
        !File[Left[TargetEnd]].is("="))
      return 0;
    // `(T *)make(n)`
    const Numbers Cast(ArrayRef(Left).drop_front(TargetEnd + 1));
    const bool IsCast = Cast.size() > 2 && File[Cast.front()].is("(") &&
                        File[Cast.back()].is(")") &&
                        File[Cast[Cast.size() - 2]].is("*");
    const size_t End = expressionEnd();
    if ((!Cast.empty() && !IsCast) || End + 1 != All.size() ||
        !File[All[End]].is(";"))
      return 0;
    return storedSink(textBetween(File, Left[TargetBegin], Left[TargetEnd]));
  }

  /// What the statement is in, up to its function, and the cases that it is in.
  Numbers tokensAround() const {
    Numbers Tokens;
    uint32_t S = OwnStatement;
    addOwn(S, File.statement(S).First, OwnBegin, Tokens);
    while (S != Statement::None) {
      for (uint32_t B = S; B != Statement::None;) {
        const Statement &Is = File.statement(B);
        const Token &First = File[Is.First];
        if (B != OwnStatement &&
            (B == S || First.is("case") || First.is("default")))
          addOwn(B, Is.First, std::min(Is.Opens, Is.Last), Tokens);
        if (B != OwnStatement && First.is("do") && Is.Opens != Statement::None)
          addOwn(B, File[Is.Opens].End + 1, Is.Last + 1, Tokens);
        if (First.is("case") || First.is("default"))
          break;
        // What an else belongs to.
        if (First.is("else") && Is.Previous != Statement::None) {
          const Statement &If = File.statement(Is.Previous);
          addOwn(Is.Previous, If.First, std::min(If.Opens, If.Last), Tokens);
        }
        // Only the cases of a switch go through what is before.
        const uint32_t Outer = Is.Outer;
        if (First.is("else") ||
            (Outer != Statement::None &&
             File[File.statement(Outer).First].is("switch")))
          B = Is.Previous;
        else
          break;
      }
      S = File.statement(S).Outer;
      if (S == Statement::None)
        break;
      const Token &First = File[File.statement(S).First];
      if (!isControl(First) && !First.is("{"))
        break;
    }
    return Tokens;
  }

  /// In Left, behind `if (...)`, `for (...)` and labels; its end if the call is
  /// in there.
  size_t behindHeads() const {
    size_t I = FirstOwn;
    while (I < Left.size() && isControl(File[Left[I]])) {
      const Token &Head = File[Left[I++]];
      if (Head.is("case") || Head.is("default"))
        while (I < Left.size() && !File[Left[I - 1]].is(":"))
          ++I;
      if (I < Left.size() && File[Left[I]].is("constexpr"))
        ++I;
      if (I == Left.size() || !File[Left[I]].is("("))
        continue;
      unsigned Depth = 0;
      do {
        if (File[Left[I]].is("("))
          ++Depth;
        else if (File[Left[I]].is(")"))
          --Depth;
      } while (++I < Left.size() && Depth);
    }
    return I;
  }

  /// Adds what the variables in front of the call and around it were set to.
  ValuesInFront addOfVariables(ArrayRef<uint32_t> Around,
                               ArrayRef<std::string> Asked,
                               const AlikeNames &Alike,
                               std::set<uint16_t> &To) const {
    VariablesOfCall Variables;
    auto Add = [&](ArrayRef<uint32_t> Tokens, std::set<StringRef> &Names) {
      for (uint32_t I : Tokens)
        if (isWord(File[I]) && !isCommonWord(File[I].Text))
          Names.insert(File[I].Text);
    };
    Add(ArrayRef(Left).drop_front(FirstOwn), Variables.InFront);
    Add(Around, Variables.InFront);
    Add(ArrayRef(Left).drop_front(behindHeads()), Variables.Telling);
    for (StringRef Condition : Asked)
      forEachVariable(Condition, [&](StringRef Name) {
        Variables.Telling.insert(Name);
        Variables.Asked.insert(Name);
      });
    addPassed(Variables);
    addPaths(Variables);
    Variables.Paths = Asked;
    if (TargetEnd != TargetBegin)
      Variables.Paths.push_back(
          textBetween(File, Left[TargetBegin], Left[TargetEnd - 1] + 1));
    if (TargetEnd > TargetBegin + 1 && isWord(File[Left[TargetBegin]]))
      Add(Left[TargetBegin], Variables.OfTarget);
    return addValues(File, Place, Variables, Alike, To);
  }

  /// Adds the words with members behind them, and those in brackets.
  void addPaths(VariablesOfCall &To) const {
    unsigned Depth = 0;
    for (size_t I = FirstOwn; I < All.size(); ++I) {
      const Token &T = File[All[I]];
      if (T.is("["))
        ++Depth;
      else if (T.is("]") && Depth)
        --Depth;
      else if (isWord(T) && Depth && I < Left.size())
        To.Indices.push_back(All[I]);
      else if (isWord(T) &&
               (isBefore(File, All[I], ".") || isBefore(File, All[I], "->")))
        To.Owners.push_back(All[I]);
    }
  }

  /// Adds the objects that the call gets, or that it is of.
  void addPassed(VariablesOfCall &To) const {
    auto IsName = [&](size_t I) {
      return I < All.size() && isWord(File[All[I]]) &&
             !isCommonWord(File[All[I]].Text);
    };
    if (const size_t N = Left.size();
        N > FirstOwn + 1 && IsName(N - 2) &&
        (File[Left[N - 1]].is(".") || File[Left[N - 1]].is("->")))
      To.Passed.insert(File[Left[N - 2]].Text);
    const size_t Begin = behindCallee(), End = argumentsEnd(Begin);
    for (size_t I = Begin; I + 2 < End; ++I) {
      if (!File[All[I]].is("(") && !File[All[I]].is(","))
        continue;
      const bool IsAddress = File[All[I + 1]].is("&");
      const size_t Name = I + (IsAddress ? 2 : 1);
      if (!IsName(Name) || Name + 1 >= End ||
          (!File[All[Name + 1]].is(",") && !File[All[Name + 1]].is(")")))
        continue;
      To.Passed.insert(File[All[Name]].Text);
    }
    for (size_t I : Choosing)
      if (IsName(I)) {
        To.Telling.insert(File[All[I]].Text);
        To.Asked.insert(File[All[I]].Text);
      }
  }

  /// Adds to \p To the functions that the call is an argument of, with the
  /// types that these are given: `put(Grid, make(n))`, `new Row(make(n))`.
  void addTakers(std::set<StringRef> &To) const {
    for (size_t I = Left.size(); I-- > FirstOwn;) {
      const Token &T = File[Left[I]];
      if (closes(T)) {
        std::optional<size_t> Open = opening(I);
        if (!Open)
          return;
        I = *Open;
        continue;
      }
      if ((!T.is("(") && !T.is("{")) || I == FirstOwn)
        continue;
      size_t Name = I - 1;
      if (File[Left[Name]].is(">"))
        for (; Name > FirstOwn && !File[Left[Name]].is("<"); --Name)
          if (isWord(File[Left[Name]]))
            To.insert(File[Left[Name]].Text);
      if (File[Left[Name]].is("<") && Name > FirstOwn)
        --Name;
      const Token &Taker = File[Left[Name]];
      if (isControl(Taker))
        return;
      if (isWord(Taker) && !isCommonWord(Taker.Text))
        To.insert(Taker.Text);
      // `Row r(make(n))`
      if (Name > FirstOwn && isWord(File[Left[Name - 1]]) &&
          !isCommonWord(File[Left[Name - 1]].Text) &&
          !File[Left[Name - 1]].is("new"))
        To.insert(File[Left[Name - 1]].Text);
    }
  }

  /// Visits the operators of classes that take the result, tell where it is
  /// stored, or decide: those of the objects that are named there.
  void forEachOperator(const Locals &Function, ArrayRef<std::string> Asked,
                       function_ref<void(OperatorOfClass)> Visit) const {
    auto Add = [&](StringRef Object, StringRef Operator) {
      if (!Operator.empty())
        for (StringRef Class : Function.classesOf(Object, Place))
          Visit({Class, Operator});
    };
    const size_t N = Left.size();
    const bool IsPut = N > FirstOwn + 1 && File[Left[N - 1]].is("<") &&
                       File[Left[N - 2]].is("<");
    std::set<StringRef> OfTarget;
    if (TargetEnd > TargetBegin && TargetEnd < N)
      OfTarget.insert(operatorName(File[Left[TargetEnd]].Text));
    for (size_t I = TargetBegin; I != TargetEnd; ++I)
      OfTarget.insert(operatorOfPlace(File[Left[I]]));
    for (size_t I = FirstOwn; I != N; ++I) {
      if (!isWord(File[Left[I]]))
        continue;
      if (IsPut)
        Add(File[Left[I]].Text, operatorName("<<"));
      if (I >= TargetBegin && I < TargetEnd)
        for (StringRef Operator : OfTarget)
          Add(File[Left[I]].Text, Operator);
    }
    for (StringRef Condition : Asked)
      forEachWord(Condition, [&](StringRef Word, StringRef) {
        Add(Word, operatorName("bool"));
      });
  }

  /// Adds to \p To the functions that tell of which object what stands in front
  /// of the call is, or the call itself: `rows().add(make(n))`,
  /// `at(i)->fill()`.
  void addObjectFunctions(std::set<StringRef> &To) const {
    for (size_t I = FirstOwn + 1; I + 1 < Left.size(); ++I) {
      const Token &Joint = File[Left[I + 1]];
      if (!File[Left[I]].is(")") || (!Joint.is(".") && !Joint.is("->")))
        continue;
      const std::optional<size_t> Open = opening(I);
      if (Open && *Open > FirstOwn && isWord(File[Left[*Open - 1]]))
        To.insert(File[Left[*Open - 1]].Text);
    }
  }

  /// Whether the token \p I tells what a loop goes over: `for (T &t : all())`.
  bool isGoneOver(uint32_t I) const {
    uint32_t First = File.statement(File[I].Statement).First;
    if (!File[First].is("for"))
      return false;
    while (First < I && !File[First].is(":"))
      ++First;
    return First < I;
  }

  /// Adds to \p To the functions that tell what a loop around goes over.
  void addGoneOver(ArrayRef<uint32_t> Around, std::set<StringRef> &To) const {
    for (ArrayRef<uint32_t> Tokens :
         {ArrayRef<uint32_t>(Left).drop_front(FirstOwn), Around})
      for (uint32_t I : Tokens)
        if (isWord(File[I]) && I + 1 < File.size() && File[I + 1].is("(") &&
            !isControl(File[I]) && isGoneOver(I))
          To.insert(File[I].Text);
  }

  /// Adds to \p To the functions that tell where the result is stored.
  void addDeciders(std::set<StringRef> &To) const {
    for (size_t I = TargetBegin; I + 1 < TargetEnd; ++I)
      if (isWord(File[Left[I]]) && File[Left[I + 1]].is("("))
        To.insert(File[Left[I]].Text);
    addObjectFunctions(To);
  }

  /// Adds what the names stand for in the statement, \p Around it, and in what
  /// is \p Asked; and what the functions do that the result \p Goes to.
  void addMeanings(AddMeaning Meaning, ArrayRef<uint32_t> Around,
                   ArrayRef<std::string> Asked, const Sinks &Goes,
                   const ValuesInFront &Values, std::set<uint16_t> &To) const {
    Meanings Names(File, Place, Meaning, To);
    for (ArrayRef<uint32_t> Tokens : {ArrayRef<uint32_t>(All), Around})
      for (uint32_t I : Tokens)
        if (isWord(File[I]))
          Names.addWord(I, /*IsAsked=*/false);
    for (StringRef Condition : Asked)
      Names.addCondition(Condition);
    Names.addValues(Values);
    std::set<StringRef> Takers = Goes.Takers, Deciders = Goes.Deciders;
    addTakers(Takers);
    addDeciders(Deciders);
    addGoneOver(Around, Deciders);
    for (StringRef Name : Takers)
      Names.addFunction(Name, NameInSource::Role::Taker);
    for (StringRef Name : Deciders)
      Names.addFunction(Name, NameInSource::Role::Decider);
    for (StringRef Name : calledInArguments())
      Names.addFunction(Name, NameInSource::Role::Locator);
    addCallbacks(Names);
    addClasses(Names);
    for (size_t I : Choosing)
      if (isBefore(File, All[I], "("))
        Names.addFunction(File[All[I]].Text, NameInSource::Role::Decider);
    for (StringRef Name : Nested)
      Names.addFunction(Name, NameInSource::Role::Decider);
    auto AddOperator = [&](OperatorOfClass Operator) {
      Names.addOperator(Operator);
    };
    forEachOperator(Locals(File, Place), Asked, AddOperator);
    llvm::for_each(Goes.Operators, AddOperator);
  }

  /// Adds what the classes stand for of objects that methods are called of, or
  /// that the call gets: `Idle.put(make(n))`, `put(&Idle, make(n))`.
  void addClasses(Meanings &Names) const {
    const Locals Function(File, Place);
    for (size_t I = FirstOwn; I + 1 < All.size(); ++I) {
      const Token &T = File[All[I]];
      const Token &Behind = File[All[I + 1]];
      if (!isWord(T) || isCommonWord(T.Text) ||
          (I && isMemberSign(File[All[I - 1]].Text)))
        continue;
      if (isMemberSign(Behind.Text) || Behind.is(",") || Behind.is(")"))
        for (StringRef Class : Function.classesOf(T.Text, Place))
          Names.addClass(Class);
    }
  }

  /// Adds what functions and objects do that the call gets: `each(put)`,
  /// `each(&Ops)`, `each(Put())`.
  void addCallbacks(Meanings &Names) const {
    const Locals Function(File, Place);
    const size_t Begin = behindCallee(), End = argumentsEnd(Begin);
    for (size_t I = Begin + 1; I + 1 < End; ++I) {
      const Token &T = File[All[I]];
      const Token &Before = File[All[I - 1]];
      const Token &Behind = File[All[I + 1]];
      if (!isWord(T) || isCommonWord(T.Text) ||
          (!Before.is("(") && !Before.is(",") && !Before.is("&")))
        continue;
      if (Behind.is("(") || Behind.is("{")) {
        Names.addOperator({T.Text, operatorName("()")});
      } else if (Behind.is(",") || Behind.is(")")) {
        Names.addFunction(T.Text, NameInSource::Role::Callback);
        for (StringRef Class : Function.classesOf(T.Text, Place))
          Names.addOperator({Class, operatorName("()")});
      }
    }
  }

  /// Adds where the parameters of lambdas go that the call gets.
  void addLambdas(AddMeaning Meaning, IsDefined IsOwn,
                  std::set<uint16_t> &To) const {
    const size_t Begin = behindCallee(), End = argumentsEnd(Begin);
    unsigned Index = 0;
    for (size_t I = Begin + 1; I < End; ++I)
      if (File[All[I]].is("[") &&
          (File[All[I - 1]].is("(") || File[All[I - 1]].is(",")))
        addLambda(All[I], "lambda\n" + std::to_string(Index++) + "\n", Meaning,
                  IsOwn, To);
  }

  /// The same for the lambda whose captures begin at the token \p Open.
  void addLambda(uint32_t Open, const std::string &Own, AddMeaning Meaning,
                 IsDefined IsOwn, std::set<uint16_t> &To) const {
    auto Skip = [&](uint32_t I, StringRef Sign) {
      while (I < File.size() && !File[I].is(Sign) && !File[I].is(";"))
        ++I;
      return I;
    };
    const uint32_t First = Skip(Open, "]") + 1;
    if (First >= File.size() || !File[First].is("("))
      return;
    const uint32_t Body = Skip(First, "{");
    if (Body >= File.size() || !File[Body].End)
      return;
    uint32_t Closes = Body;
    while (Closes > First && !File[Closes].is(")"))
      --Closes;
    std::set<StringRef> Takers;
    Meanings Names(File, Place, Meaning, To);
    unsigned Number = 0;
    for (uint32_t P = First + 1; P < Closes; ++P) {
      if (!isWord(File[P]) || !declares(File, P))
        continue;
      const Sinks Goes = sinksOfParameter(File, P, Closes, Body, IsOwn);
      for (uint16_t Sink : Goes.Hashes)
        To.insert(hash16(Own + Twine(Number) + "\n" + Twine(Sink)));
      ++Number;
      callsites::addMeanings(File, Goes, Meaning, To);
      for (StringRef Name : Meaning ? Goes.Takers : std::set<StringRef>())
        Names.addFunction(Name, NameInSource::Role::Taker);
    }
  }

  /// The tokens after the name that is called at the place. What stands there
  /// may be something else: `Object(n)`, `Object[n]`, `Type Object(n)`.
  size_t behindCallee() const {
    size_t I = Left.size();
    while (I + 2 < All.size() && isWord(File[All[I]]) &&
           File[All[I + 1]].is("::"))
      I += 2;
    const Token &Name = File[All[I]];
    const bool IsCallee = isWord(Name) && !Callee.empty() &&
                          (Name.Text == Callee ||
                           (Name.is("new") && Callee.starts_with("operator")));
    return IsCallee ? I + 1 : Left.size();
  }

  /// The functions that are called in the arguments of the call.
  std::set<StringRef> calledInArguments() const {
    std::set<StringRef> Result;
    const size_t Begin = behindCallee(), End = argumentsEnd(Begin);
    for (size_t I = Begin; I + 1 < End; ++I)
      if (isWord(File[All[I]]) && File[All[I + 1]].is("("))
        Result.insert(File[All[I]].Text);
    return Result;
  }

  //===-- Arguments, and what is around -----------------------------------===//

  /// Finds what is in those arguments that are no sizes, if it is known what is
  /// called.
  void findChoosing(TakesSize IsSize) {
    const size_t Begin = behindCallee(), End = argumentsEnd(Begin);
    unsigned Depth = 0, Index = 0;
    for (size_t I = Begin; I < End; ++I) {
      const Token &T = File[All[I]];
      if (opens(T))
        ++Depth;
      else if (closes(T))
        --Depth;
      else if (T.is(",") && Depth == 1)
        ++Index;
      else if (Depth && !IsSize(Callee, Index))
        Choosing.insert(I);
    }
  }

  /// Finds the functions that are called in arguments of functions of the
  /// source which are no sizes: `put(kindOf(s), make(n))`.
  void findNested(TakesSize IsSize) {
    struct Level {
      StringRef Called;
      unsigned Index;
    };
    SmallVector<Level, 8> Levels;
    for (size_t I = FirstOwn; I < All.size(); ++I) {
      const Token &T = File[All[I]];
      if (isWord(T) && isBefore(File, All[I], "(") && !isControl(T) &&
          I != Left.size() && !Levels.empty() &&
          !Levels.back().Called.empty() &&
          !IsSize(Levels.back().Called, Levels.back().Index))
        Nested.insert(T.Text);
      if (opens(T)) {
        const bool IsCall = T.is("(") && I && isWord(File[All[I - 1]]);
        Levels.push_back({IsCall ? File[All[I - 1]].Text : StringRef(), 0});
      } else if (closes(T) && !Levels.empty()) {
        Levels.pop_back();
      } else if (T.is(",") && !Levels.empty()) {
        ++Levels.back().Index;
      }
    }
  }

  /// Where the arguments of the call end, which begin behind \p Callee; there
  /// if it has none.
  size_t argumentsEnd(size_t Behind) const {
    size_t I = Behind;
    // Template arguments.
    if (I != All.size() && File[All[I]].is("<"))
      while (I != All.size() && !File[All[I]].is("("))
        ++I;
    if (I == All.size() || !(File[All[I]].is("(") || File[All[I]].is("{")))
      return Behind;
    unsigned Depth = 0;
    for (; I != All.size(); ++I) {
      const Token &T = File[All[I]];
      if (T.is("(") || T.is("{"))
        ++Depth;
      else if ((T.is(")") || T.is("}")) && --Depth == 0)
        return I + 1;
    }
    return All.size();
  }

  void findPieces(SourceCall &Call) const {
    const size_t Behind = behindCallee(), End = argumentsEnd(Behind);
    Numbers Before;
    for (size_t I = 0; I != Left.size(); ++I)
      if (I < TargetBegin || I >= TargetEnd)
        Before.push_back(I);
    addPieces(Before, Call.Around);
    const size_t NumBefore = Call.Around.size();
    Numbers Part;
    for (size_t I = Behind; I != End; ++I)
      Part.push_back(I);
    addPieces(Part, Call.Arguments);
    Part.clear();
    for (size_t I = End; I != All.size(); ++I)
      Part.push_back(I);
    addPieces(Part, Call.Around);
    // The call is one of the parts that keep their order.
    if (!Call.Around.empty() && Call.Around.size() < SourceCall::MaxPieces)
      Call.Around.insert(Call.Around.begin() + NumBefore,
                         static_cast<uint16_t>(xxh3_64bits("call")));
  }

  /// Adds the pieces of the tokens \p Part, which are numbers in All.
  void addPieces(ArrayRef<uint32_t> Part, std::vector<uint16_t> &To) const {
    std::string Piece;
    bool HasName = false;
    auto Finish = [&] {
      if (HasName && To.size() != SourceCall::MaxPieces)
        To.push_back(static_cast<uint16_t>(xxh3_64bits(Piece)));
      Piece.clear();
      HasName = false;
    };
    for (uint32_t I : Part) {
      const Token &T = File[All[I]];
      if (T.Is == Token::Kind::Sign && StringRef("(){},;").contains(T.Text)) {
        Finish();
        continue;
      }
      HasName |= T.Is != Token::Kind::Sign &&
                 (!isWord(T) || !isCommonWord(T.Text) || T.is("nullptr") ||
                  T.is("NULL") || T.is("this"));
      Piece += isAmount(I) ? StringRef("0x") : meantText(T);
      Piece += '\n';
    }
    Finish();
  }

  /// Whether the result is returned, at once or from a variable, or is in what
  /// is returned.
  bool isReturned() const {
    if (TargetEnd == TargetBegin)
      return false;
    const Token &Target = File[Left[TargetBegin]];
    if (Target.is("return"))
      return true;
    for (size_t I = TargetBegin; I != TargetEnd; ++I)
      if (File[Left[I]].is("["))
        return false;
    const uint32_t End = functionEnd();
    const ArrayRef<uint32_t> Places = File.placesOf(Target.Text);
    for (const uint32_t *I = upper_bound(Places, Place);
         I != Places.end() && *I + 1 < End; ++I)
      if (File[*I - 1].is("return") && File[*I + 1].is(";"))
        return true;
    return false;
  }

  /// The token that ends the function.
  uint32_t functionEnd() const {
    const Statement &Is = File.statement(functionStatement());
    return Is.Opens == Statement::None ? Is.Last : File[Is.Opens].End;
  }

  /// The statement that the function is.
  uint32_t functionStatement() const {
    uint32_t S = OwnStatement;
    while (File.statement(S).Outer != Statement::None) {
      S = File.statement(S).Outer;
      const Token &First = File[File.statement(S).First];
      if (!isControl(First) && !First.is("{"))
        break;
    }
    return S;
  }

  std::vector<uint16_t> words() const {
    std::vector<uint16_t> Result;
    const size_t Behind = behindCallee();
    for (size_t I = 0; I != All.size(); ++I) {
      const Token &T = File[All[I]];
      const bool IsTarget = I >= TargetBegin && I < TargetEnd;
      const bool IsCallee = I >= Left.size() && I < Behind;
      if (IsTarget || IsCallee || T.Is == Token::Kind::Sign ||
          (isWord(T) && isCommonWord(T.Text)))
        continue;
      const uint16_t Hash = wordHash(T.Text);
      Result.push_back(isAmount(I) ? Hash | SourceCall::AmountBit : Hash);
    }
    llvm::sort(Result);
    Result.erase(llvm::unique(Result), Result.end());
    if (Result.size() > SourceCall::MaxWords)
      Result.resize(SourceCall::MaxWords);
    return Result;
  }

  bool isAmount(size_t I) const {
    return !Choosing.count(I) &&
           callsites::isAmount(File[All[I]], I ? &File[All[I - 1]] : nullptr,
                               I + 1 != All.size() ? &File[All[I + 1]]
                                                   : nullptr);
  }

  const SourceTokens &File;
  const uint32_t Place;
  const StringRef Callee;
  const uint32_t OwnStatement;
  /// The tokens in front of the call, and all.
  Numbers Left, All;
  /// In Left, the first token of the statement itself, and the target.
  size_t FirstOwn = 0;
  /// Of the file, the first token of the statement behind conditions.
  uint32_t OwnBegin = 0;
  size_t TargetBegin = 0;
  size_t TargetEnd = 0;
  /// In All, what is in arguments that are no sizes.
  std::set<size_t> Choosing;
  std::set<StringRef> Nested;
};

} // namespace

void callsites::describeCall(const SourceTokens &File,
                             const SourceTokens *Nameless, uint32_t Line,
                             uint32_t Column, StringRef Callee,
                             SourceCall &Call, AddMeaning Meaning,
                             IsDefined IsOwn, TakesSize IsSize) {
  const std::optional<uint32_t> Place = File.at(Line, Column);
  if (!Place)
    return;
  if (Nameless) {
    SourceCall Described;
    Describer(*Nameless, *Place, Callee)
        .describe(Described, Meaning, IsOwn, IsSize);
    Call.Nameless = profile::digestOf(Described);
  }
  Describer(File, *Place, Callee).describe(Call, Meaning, IsOwn, IsSize);
}

bool callsites::isNamedAt(const SourceTokens &File, uint32_t Line,
                          uint32_t Column, StringRef Callee) {
  const std::optional<uint32_t> Place = File.at(Line, Column);
  return Place && Describer(File, *Place, Callee).isNamed();
}

NamesInCall callsites::namesAt(const SourceTokens &File, uint32_t Line,
                               uint32_t Column, StringRef Callee) {
  const std::optional<uint32_t> Place = File.at(Line, Column);
  return Place ? Describer(File, *Place, Callee).names() : NamesInCall();
}

VariableNames callsites::variablesAt(const SourceTokens &File, uint32_t Line,
                                     uint32_t Column) {
  VariableNames Result;
  if (std::optional<uint32_t> Place = File.at(Line, Column)) {
    const Locals Function(File, *Place);
    for (uint32_t I : localsAround(File, *Place))
      if (const uint16_t Hash = wordHash(File[I].Text); Function.isParameter(I))
        Result.Parameters.push_back(Hash);
      else
        Result.Others.insert(Hash);
  }
  return Result;
}

std::vector<uint16_t> callsites::localsAt(const SourceTokens &File,
                                          uint32_t Line, uint32_t Column) {
  std::vector<uint16_t> Result;
  if (std::optional<uint32_t> Place = File.at(Line, Column))
    for (uint32_t I : localsAround(File, *Place))
      Result.push_back(hash16(File[I].Text));
  return Result;
}
