//===- Callsites/Sinks.cpp - Where a local variable goes ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sinks.h"
#include "Conditions.h"
#include "Expressions.h"
#include "Locals.h"
#include "Values.h"
#include "thermocline/Profile/CallTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <deque>
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;
using profile::SourceCall;

/// What is not followed further counts as a whole.
static constexpr size_t MaxVariables = 16;
static constexpr size_t MaxUses = 128;
/// As far as this from the call, in tokens, its statement is read.
static constexpr uint32_t MaxDistance = 4096;

/// A sink under more conditions has one hash for them all.
static constexpr size_t MaxConditions = 16;

/// \p Text, a token in each line, with \p Names all alike.
static std::string withoutNames(StringRef Text, const AlikeNames &Names) {
  std::string Result;
  StringRef Before;
  for (StringRef Token : split(Text, '\n')) {
    Result += isMemberSign(Before) ? Token.str() : spelled(Token, Names);
    Result += '\n';
    Before = Token;
  }
  return Result;
}

static uint16_t sinkHash(uint16_t Kind, StringRef Text) {
  return Kind | static_cast<uint16_t>(
                    xxh3_64bits(Text) % (SourceCall::SinkStored - 1) + 1);
}

uint16_t callsites::storedSink(StringRef Place) {
  return sinkHash(SourceCall::SinkStored, Place);
}

static bool isLoop(const Token &T) {
  return T.is("for") || T.is("while") || T.is("do");
}

namespace {

class Finder {
public:
  Finder(const SourceTokens &File, uint32_t Start, IsDefined IsOwn)
      : File(File), Start(Start), End(endOfCall()), Scope(File, Start),
        IsOwn(IsOwn), OfCall(&conditionsAt(File, Start)) {}

  /// Finds the sinks of a parameter: see sinksOfParameter().
  Finder(const SourceTokens &File, uint32_t Declared, uint32_t Closes,
         uint32_t Opens, IsDefined IsOwn)
      : File(File), Start(Closes), End(Closes), Limit(File[Opens].End),
        Scope(File, Opens + 1), IsOwn(IsOwn) {
    holdFirst(File[Declared].Text, Closes);
  }

  Sinks find(ArrayRef<uint32_t> Target) {
    addFirst(Target);
    return followed(Target);
  }
  Sinks followed(ArrayRef<uint32_t> Target) {
    // What variables there are is known behind the first round, and what is
    // done with them behind the second.
    const size_t NumFirst = Variables.size();
    followAll();
    if (Variables.size() != NumFirst) {
      Result.clear();
      Goals.clear();
      Conditions.clear();
      Found = Sinks();
      NumUses = 0;
      followAll();
    }
    if (IsTooLong)
      addRest();
    if (Target.size() > 1)
      findExchanges(Target);
    addConditions();
    llvm::sort(Result);
    Result.erase(llvm::unique(Result), Result.end());
    Found.Hashes = std::move(Result);
    Found.Names = std::move(Names);
    return std::move(Found);
  }

private:
  struct Variable {
    StringRef Name;
    /// The token behind which it has the result.
    uint32_t Begin;
    /// What must hold so that it has it.
    Spelling Conditions;
    /// A function made it of a variable: `x = next(p)`.
    bool IsResult;
    /// Which of the results of the call it has.
    unsigned Which;
    /// The call got its address.
    bool IsLent = false;
  };

  /// Notes that the call sets \p Name, to a result of its own.
  void holdFirst(StringRef Name, uint32_t Begin, bool IsInside = false) {
    hold(Name, Begin, {}, static_cast<unsigned>(Variables.size()),
         /*IsResult=*/false, IsInside);
  }
  void holdLent(StringRef Name, uint32_t Begin) {
    const size_t NumBefore = Variables.size();
    holdFirst(Name, Begin);
    if (Variables.size() != NumBefore)
      Variables.back().IsLent = true;
  }
  void hold(StringRef Name, uint32_t Begin, Spelling Under, unsigned Which,
            bool IsResult = false, bool IsInside = false) {
    if (Names.All.contains(Name))
      return;
    if (Variables.size() == MaxVariables) {
      IsTooLong = true;
      return;
    }
    Names.All[Name] = Which;
    if (IsInside)
      Names.Inside.insert(Name);
    Variables.push_back({Name, Begin, std::move(Under), IsResult, Which});
  }

  //===-- The first variables ---------------------------------------------===//

  /// The bracket that closes the one at \p Open; that itself if none does.
  uint32_t closing(uint32_t Open) const {
    unsigned Depth = 0;
    const uint32_t Last = File.statement(File[Open].Statement).Last;
    for (uint32_t I = Open; I <= Last; ++I)
      if (opens(File[I]))
        ++Depth;
      else if (closes(File[I]) && --Depth == 0)
        return I;
    return Open;
  }

  /// The last token of the call, with its arguments.
  uint32_t endOfCall() const {
    uint32_t I = Start;
    const uint32_t Last = File.statement(File[Start].Statement).Last;
    auto IsOfName = [&](const Token &T) {
      return isWord(T) || T.is("::") || T.is("<") || T.is(">") || T.is("*");
    };
    while (I < Last && IsOfName(File[I]))
      ++I;
    return File[I].is("(") || File[I].is("{") ? closing(I) : Start;
  }

  bool isLocalVariable(StringRef Name) const {
    const std::optional<uint32_t> Declared = Scope.declaration(Name, End + 1);
    return Declared && !Scope.isParameter(*Declared) &&
           !Scope.isReference(*Declared) && !Scope.isStatic(*Declared);
  }

  void addFirst(ArrayRef<uint32_t> Target) {
    addTarget(Target);
    const uint32_t First = std::max(File.statement(File[Start].Statement).First,
                                    Start - std::min(Start, MaxDistance));
    addDeclared(Start);
    // `v.resize(n)`, `r.key = make(n)`
    if (File[Start].Is == Token::Kind::Sign ||
        (Start > First &&
         (File[Start - 1].is(".") || File[Start - 1].is("->"))))
      addObject(First, Start);
    // `T v(make(n))`, `T v{make(n)}`, `v.push_back(make(n))`
    uint32_t Outermost = Start;
    unsigned Depth = 0;
    for (uint32_t I = Start; I-- > First;)
      if (closes(File[I])) {
        ++Depth;
      } else if (opens(File[I]) && Depth) {
        --Depth;
      } else if (opens(File[I])) {
        Outermost = I;
        if (I == First || File[I].is("["))
          continue;
        addDeclared(I - 1);
        addObject(First, I);
      }
    addArguments(Outermost);
  }

  /// The variable that the token \p I declares, if it does.
  void addDeclared(uint32_t I) {
    if (isWord(File[I]) && Scope.isDeclared(I) && !Scope.isNumber(I))
      holdFirst(File[I].Text, I == Start ? I : End);
  }

  void addTarget(ArrayRef<uint32_t> Target) {
    // `auto [a, b] = make(n)`
    if (any_of(Target.take_front(2),
               [&](uint32_t I) { return File[I].is("["); }))
      for (uint32_t I : Target)
        if (Scope.isDeclared(I))
          holdFirst(File[I].Text, End);
    while (!Target.empty() && !isWord(File[Target.front()]))
      Target = Target.drop_front();
    if (Target.empty() || File[Target.front()].is("return"))
      return;
    const StringRef Name = File[Target.front()].Text;
    if (Target.size() > 1) {
      if (isLocalVariable(Name))
        holdFirst(Name, End, /*IsInside=*/true);
      // `std::tie(a, b) = make(n)`
      if (any_of(Target, [&](uint32_t I) { return File[I].is("tie"); }))
        for (uint32_t I : Target)
          if (isWord(File[I]) && isLocalVariable(File[I].Text))
            holdFirst(File[I].Text, End);
      return;
    }
    const std::optional<uint32_t> Declared = Scope.declaration(Name, Start);
    if (!Declared || !Scope.isNumber(*Declared))
      holdFirst(Name, End);
  }

  /// The end of the statement, or of what is in front of its block.
  uint32_t endOfStatement() const {
    const Statement &S = File.statement(File[Start].Statement);
    return std::max(std::min(S.Last, S.Opens), End);
  }

  /// The object in the path of names in front of \p Behind, if it is local.
  void addObject(uint32_t First, uint32_t Behind) {
    uint32_t I = Behind;
    while (I > First &&
           (isWord(File[I - 1]) || File[I - 1].is(".") || File[I - 1].is("->")))
      --I;
    if (I != Behind && isWord(File[I]) && !Scope.isDeclared(I) &&
        isLocalVariable(File[I].Text))
      holdFirst(File[I].Text, endOfStatement());
  }

  /// `create(&p, n)`, and `create(p, n)` where nothing is in p so far.
  void addArguments(uint32_t First) {
    const uint32_t Last = endOfStatement();
    for (uint32_t I = First; I < std::min(Last, Start + MaxDistance); ++I) {
      const Token &T = File[I + 1];
      const bool IsInCall = I >= Start && I < End;
      const bool IsAddress =
          File[I].is("&") && I > First &&
          (File[I - 1].is("(") || File[I - 1].is(",") || File[I - 1].is(")"));
      const bool IsArgument = IsInCall && (File[I].is("(") || File[I].is(","));
      if (!isWord(T) || !(IsAddress || IsArgument))
        continue;
      const bool IsAlone =
          I + 2 <= Last && (File[I + 2].is(",") || File[I + 2].is(")"));
      if (!IsAlone || !isLocalVariable(T.Text))
        continue;
      const uint32_t Declared = *Scope.declaration(T.Text, End + 1);
      if (!Scope.isNumber(Declared) &&
          (IsAddress || Scope.isUnset(Declared, Start)))
        holdLent(T.Text, Last);
    }
  }

  //===-- Where a variable goes -------------------------------------------===//

  void followAll() {
    for (size_t I = 0; I != Variables.size(); ++I)
      follow(Variables[I]);
  }

  void follow(const Variable &V) {
    const std::optional<uint32_t> Declared =
        Scope.declaration(V.Name, V.Begin + 1);
    uint32_t Last = std::min(Scope.end(), Limit);
    if (Declared && !Scope.isParameter(*Declared))
      Last = std::min(Last, File.blockEnd(File[*Declared].Statement));
    if (!followIn(V, V.Begin + 1, Last, /*IsNext=*/false))
      return;
    // Around the outermost loop that it outlives.
    std::optional<uint32_t> Loop;
    for (uint32_t S = File[V.Begin].Statement; S != Statement::None;
         S = File.statement(S).Outer) {
      const uint32_t First = File.statement(S).First;
      if (First <= Declared.value_or(Scope.begin()))
        break;
      if (isLoop(File[First]))
        Loop = First;
    }
    if (Loop)
      followIn(V, *Loop, Start, /*IsNext=*/true);
  }

  /// Reads what is done with it from \p Begin to \p Last, or in the next turn
  /// of a loop if it \p IsNext, where it may be filled anew. Returns whether it
  /// is the same behind.
  bool followIn(const Variable &V, uint32_t Begin, uint32_t Last, bool IsNext) {
    const auto Else = elseOf(V.Begin);
    const ArrayRef<VariablePlace> Places = File.variablePlaces(V.Name);
    auto FirstFrom = [&](uint32_t Token) {
      return partition_point(
                 Places,
                 [&](const VariablePlace &P) { return P.Token < Token; }) -
             Places.begin();
    };
    for (size_t P = FirstFrom(Begin);
         P < Places.size() && Places[P].Token < Last;) {
      const uint32_t I = Places[P].Token;
      const auto *Not = find_if(Else, [&](auto Branch) {
        return I >= Branch.first && I <= Branch.second;
      });
      if (Not != Else.end()) {
        P = FirstFrom(Not->second + 1);
      } else if (Places[P].IsSet) {
        const uint32_t S = File[I].Statement;
        if (isOnTheWay(S, V.Begin))
          return false;
        P = isInBlockOf(S, V.Begin) ? P + 1 : behindBlocks(Places, P, V.Begin);
      } else if (++NumUses > MaxUses) {
        IsTooLong = true;
        return false;
      } else {
        VariableUse Use = useAt(File, Scope, I, Names, IsOwn);
        // What is made of it then goes somewhere: `Grid[i] = taken(&s);`
        if (Use.IsLent && V.IsLent)
          llvm::erase_if(Use.Goals, [](const VariableUse::Goal &G) {
            return G.Is != VariableUse::Kind::Stored;
          });
        if (!(Use.IsLent && IsNext))
          take(Use, I, V);
        ++P;
      }
    }
    return true;
  }

  /// The next place behind the block that \p P is in, which sets the variable;
  /// behind all blocks of which the same is true that follow, but none in which
  /// the token \p Place is. A function may have thousands.
  static size_t behindBlocks(ArrayRef<VariablePlace> Places, size_t P,
                             uint32_t Place) {
    const bool IsBefore = Places[P].Token < Place;
    auto IsPassed = [&](size_t To, uint32_t FirstBegin) {
      return IsBefore ? To < Places.size() && Places[To].Token <= Place
                      : FirstBegin > Place;
    };
    size_t Next = P;
    while (Next < Places.size() && Places[Next].IsSet)
      if (IsPassed(Places[Next].Far, Places[Next].FirstBegin))
        Next = Places[Next].Far;
      else if (Next == P || IsPassed(Places[Next].Behind, Places[Next].Begin))
        Next = Places[Next].Behind;
      else
        break;
    return Next;
  }

  /// Whether \p S is in the block of the token \p Place, or in one around.
  bool isInBlockOf(uint32_t S, uint32_t Place) const {
    for (uint32_t P = File[Place].Statement; P != Statement::None;
         P = File.statement(P).Outer)
      if (File.statement(P).Outer == File.statement(S).Outer &&
          File.blockEnd(P) == File.blockEnd(S))
        return true;
    return false;
  }
  bool hasCaseBetween(uint32_t S, uint32_t Place) const {
    for (; S != Statement::None && File.statement(S).First > Place;
         S = File.statement(S).Previous) {
      const Token &First = File[File.statement(S).First];
      if (First.is("case") || First.is("default"))
        return true;
    }
    return false;
  }
  /// Whether what goes on behind the token \p Place comes through \p S.
  bool isOnTheWay(uint32_t S, uint32_t Place) const {
    return isInBlockOf(S, Place) && !hasCaseBetween(S, Place);
  }

  /// What is not done if the token \p Place is.
  SmallVector<std::pair<uint32_t, uint32_t>, 4> elseOf(uint32_t Place) const {
    SmallVector<std::pair<uint32_t, uint32_t>, 4> Result;
    for (uint32_t S = File[Place].Statement; S != Statement::None;
         S = File.statement(S).Outer) {
      const Token &First = File[File.statement(S).First];
      if (!First.is("if") && !First.is("else"))
        continue;
      uint32_t Last = S;
      for (uint32_t N = File.statement(S).Next;
           N != Statement::None && File[File.statement(N).First].is("else");
           N = File.statement(N).Next)
        Last = N;
      if (Last != S)
        Result.emplace_back(File.statement(S).Last + 1,
                            File.statement(Last).Last);
    }
    return Result;
  }

  //===-- Hashes ----------------------------------------------------------===//

  void add(uint16_t Kind, StringRef Text) {
    Result.push_back(sinkHash(Kind, Text));
  }

  void take(const VariableUse &Use, uint32_t I, const Variable &V) {
    if (Use.Goals.empty() && Use.Holders.empty())
      return;
    Spelling Under = conditions(I);
    if (!V.Conditions.empty()) {
      append_range(Under, V.Conditions);
      llvm::sort(Under);
      Under.erase(llvm::unique(Under), Under.end());
    }
    // What functions make of results is too far away.
    for (const VariableUse::Holder &H : Use.Holders)
      if (!H.IsResult || !V.IsResult)
        hold(H.Name, I, Under, V.Which, H.IsResult || V.IsResult, H.IsInside);
    if (Use.Goals.empty())
      return;
    Found.Deciders.insert(Use.Deciders.begin(), Use.Deciders.end());
    Found.Operators.insert(Use.Operators.begin(), Use.Operators.end());
    Found.Places.push_back(
        {I, {Use.Words.begin(), Use.Words.end()}, Under, Use.IsCall});
    Goals.emplace_back();
    for (const VariableUse::Goal &G : Use.Goals) {
      if (!G.Taker.empty())
        Found.Takers.insert(G.Taker);
      const std::string Text =
          V.Which ? G.Text + spelled(V.Name, Names.All) : G.Text;
      switch (G.Is) {
      case VariableUse::Kind::Taken:
        add(SourceCall::SinkTaken, Text);
        break;
      case VariableUse::Kind::Stored:
        add(SourceCall::SinkStored, Text);
        break;
      case VariableUse::Kind::Returned:
        if (V.Which)
          add(SourceCall::SinkStored, "return\n" + Text);
        else
          Result.push_back(SourceCall::SinkReturned);
        break;
      case VariableUse::Kind::Exchanged:
        add(SourceCall::SinkExchanged, Text);
        break;
      }
      if (!G.IsFree)
        Goals.back().push_back(Text);
    }
  }

  /// Adds under what sinks are. That there is memory at all chooses nothing if
  /// there is one alone.
  void addConditions() {
    llvm::sort(Result);
    Result.erase(llvm::unique(Result), Result.end());
    const bool IsOne = Result.size() <= 1;
    for (auto [P, Texts] : zip_equal(Found.Places, Goals)) {
      if (IsOne)
        llvm::erase_if(P.Conditions, asksForNoOther);
      Spelling Under = P.Conditions;
      if (Under.size() > MaxConditions)
        Under = {joinLines(Under)};
      for (StringRef Goal : Texts)
        for (StringRef Condition : Under)
          add(SourceCall::SinkUnder, (Goal + "\nif\n" + Condition).str());
    }
  }

  /// Whether \p Condition asks for the variable alone.
  static bool asksForNoOther(StringRef Condition) {
    const auto Words = split(Condition.split('\n').second, '\n');
    return isValueAsked(Condition) &&
           any_of(Words,
                  [](StringRef Word) { return Word.starts_with("$"); }) &&
           none_of(Words, [](StringRef Word) {
             return isNameOrString(Word) && !Word.starts_with("$");
           });
  }

  /// What must hold at the token \p I, but need not for the call. Names of
  /// the variable are all alike.
  const Spelling &conditions(uint32_t I) {
    auto [Known, New] = Conditions.try_emplace(I);
    if (New)
      for (StringRef Condition : conditionsAt(File, I))
        if (!OfCall || !llvm::binary_search(*OfCall, Condition))
          Known->second.push_back(withoutNames(Condition, Names.All));
    return Known->second;
  }

  /// All that the function has behind the call, as it is written.
  void addRest() {
    const char *Begin = File[End].Text.end();
    const char *Last = File[std::min(Scope.end(), Limit) - 1].Text.end();
    add(SourceCall::SinkStored,
        StringRef(Begin, std::max(Begin, Last) - Begin));
  }

  /// What is stored in a place that is no variable may be exchanged there.
  void findExchanges(ArrayRef<uint32_t> Target) {
    for (uint32_t I : File.placesOf("swap"))
      if (I > End && I < Scope.end() && I + 1 < File.size() &&
          File[I + 1].is("(")) {
        const uint32_t Close = closing(I + 1);
        for (uint32_t Arg = I + 2; Arg < Close; ++Arg)
          if (isPath(Arg, Target))
            add(SourceCall::SinkExchanged, textBetween(File, I, Close));
      }
  }
  bool isPath(uint32_t I, ArrayRef<uint32_t> Path) const {
    for (uint32_t Number : Path)
      if (I >= File.size() || File[I++].Text != File[Number].Text)
        return false;
    return true;
  }

  const SourceTokens &File;
  const uint32_t Start;
  const uint32_t End;
  /// Where the function ends, if that is known.
  const uint32_t Limit = Statement::None;
  const Locals Scope;
  const IsDefined IsOwn;
  /// What must hold at the call.
  const Spelling *const OfCall = nullptr;
  /// By token, what must hold besides.
  DenseMap<uint32_t, Spelling> Conditions;
  /// In the order in which they are found; more come while they are followed.
  std::deque<Variable> Variables;
  HolderNames Names;
  size_t NumUses = 0;
  bool IsTooLong = false;
  std::vector<uint16_t> Result;
  /// For each of the places that are found, what is done there.
  std::vector<SmallVector<std::string, 2>> Goals;
  Sinks Found;
};

} // namespace

Sinks callsites::sinksOf(const SourceTokens &File, uint32_t Place,
                         ArrayRef<uint32_t> Target, IsDefined IsOwn) {
  return Finder(File, Place, IsOwn).find(Target);
}

Sinks callsites::sinksOfParameter(const SourceTokens &File, uint32_t Declared,
                                  uint32_t Closes, uint32_t Opens,
                                  IsDefined IsOwn) {
  return Finder(File, Declared, Closes, Opens, IsOwn).followed({});
}

/// Whether the word \p I is an argument of a call, alone.
static bool isArgument(const SourceTokens &File, uint32_t I) {
  return I &&
         (File[I - 1].is("(") || File[I - 1].is(",") || File[I - 1].is("&")) &&
         (isBefore(File, I, ",") || isBefore(File, I, ")"));
}

/// Whether the word \p I is in square brackets of its statement.
static bool isIndex(const SourceTokens &File, uint32_t I) {
  unsigned Depth = 0;
  for (uint32_t J = I; J-- > File.statement(File[I].Statement).First;)
    if (closes(File[J]))
      ++Depth;
    else if (opens(File[J]) && Depth)
      --Depth;
    else if (opens(File[J]))
      return File[J].is("[");
  return false;
}

static VariablesOfCall variablesOf(const SourceTokens &File,
                                   const Sinks::Place &P,
                                   const HolderNames &Names) {
  VariablesOfCall Variables;
  Variables.HasState = P.IsCall;
  // What is set in the memory may tell who takes it what it is for.
  auto IsAsked = [](StringRef Condition) {
    return any_of(split(Condition, '\n'),
                  [](StringRef Word) { return Word.starts_with("$"); });
  };
  for (StringRef Name : Names.All.keys()) {
    if (P.IsCall)
      Variables.Passed.insert(Name);
    if (any_of(P.Conditions, IsAsked))
      Variables.Asked.insert(Name);
  }
  for (uint32_t I : P.Words) {
    const StringRef Name = File[I].Text;
    if (isCommonWord(Name) || isMember(File, I))
      continue;
    Variables.Telling.insert(Name);
    if (isIndex(File, I))
      Variables.Indices.push_back(I);
    if (!isBefore(File, I, "("))
      Variables.OfTarget.insert(Name);
    if (isArgument(File, I) || isBefore(File, I, ".") ||
        isBefore(File, I, "->"))
      Variables.Passed.insert(Name);
  }
  Variables.Paths = P.Conditions;
  Variables.Paths.push_back(textBetween(
      File, File.statement(File[P.Token].Statement).First, P.Token + 1));
  for (StringRef Condition : P.Conditions)
    forEachVariable(Condition, [&](StringRef Name) {
      Variables.Telling.insert(Name);
      Variables.Asked.insert(Name);
    });
  return Variables;
}

void callsites::addMeanings(const SourceTokens &File, const Sinks &Goes,
                            AddMeaning Meaning, std::set<uint16_t> &To) {
  for (const Sinks::Place &P : Goes.Places) {
    const ValuesInFront Values = addValues(
        File, P.Token, variablesOf(File, P, Goes.Names), Goes.Names.All, To);
    if (!Meaning)
      continue;
    Meanings Names(File, P.Token, Meaning, To);
    for (uint32_t I : P.Words) {
      Names.addWord(I, /*IsAsked=*/true);
      if (isBefore(File, I, "(") && !Goes.Takers.count(File[I].Text))
        Names.addFunction(File[I].Text, NameInSource::Role::Locator);
    }
    for (StringRef Condition : P.Conditions)
      Names.addCondition(Condition);
    Names.addValues(Values);
  }
}
