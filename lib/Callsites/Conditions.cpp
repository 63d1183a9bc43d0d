//===- Callsites/Conditions.cpp - Under what a token stands ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conditions.h"
#include "Expressions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"
#include <string>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

bool callsites::isCommonWord(StringRef Word) {
  static const StringSet<> Known = {
      "alignof",    "auto",      "bool",        "break",
      "case",       "char",      "class",       "const",
      "const_cast", "constexpr", "continue",    "default",
      "delete",     "do",        "double",      "dynamic_cast",
      "else",       "float",     "for",         "if",
      "inline",     "int",       "long",        "mutable",
      "new",        "noexcept",  "nullptr",     "reinterpret_cast",
      "return",     "short",     "signed",      "size_t",
      "sizeof",     "static",    "static_cast", "std",
      "struct",     "switch",    "this",        "typename",
      "uint8_t",    "unsigned",  "void",        "volatile",
      "while",      "NULL"};
  return Known.contains(Word);
}

/// Whether a number with \p T beside it stands alone on that side.
static bool isBorder(const Token *T) {
  return !T || (T->Is == Token::Kind::Sign &&
                StringRef("(),[]{};=<>").contains(T->Text));
}

bool callsites::isAmount(const Token &T, const Token *Before,
                         const Token *Behind) {
  if (T.Is != Token::Kind::Number)
    return false;
  constexpr unsigned MaxSelector = 31;
  unsigned Value = 0;
  return !isBorder(Before) || !isBorder(Behind) ||
         T.Text.rtrim("uUlLzZ").getAsInteger(0, Value) || Value > MaxSelector;
}

uint16_t callsites::hash16(const Twine &Text) {
  SmallString<128> Buffer;
  const uint64_t Hash = xxh3_64bits(Text.toStringRef(Buffer));
  return static_cast<uint16_t>(Hash % 0xffff + 1);
}

/// So many jumps in front of a call count, of those that are looked at.
static constexpr unsigned MaxJumps = 32;
static constexpr unsigned MaxJumpsRead = 256;

namespace {

class Reader {
public:
  explicit Reader(const SourceTokens &File) : File(File) {}

  std::vector<std::string> read(uint32_t Place) {
    readAround(Place, /*Last=*/Statement::None);
    readLeaves(Place);
    llvm::sort(Result);
    Result.erase(llvm::unique(Result), Result.end());
    return std::move(Result);
  }

private:
  /// What is asked by the statement of the token \p Place, in front of it, and
  /// by those around, up to \p Last or to the function.
  void readAround(uint32_t Place, uint32_t Last) {
    uint32_t S = File[Place].Statement;
    readOwn(S, Place);
    while (S != Last) {
      readSiblings(S);
      S = File.statement(S).Outer;
      if (!isInFunction(S))
        break;
      readEnclosing(S);
    }
  }

  /// Whether \p S is a part of a function, not one itself or around it.
  bool isInFunction(uint32_t S) const {
    if (S == Statement::None)
      return false;
    const Token &First = File[File.statement(S).First];
    return isControl(First) || First.is("{") || isMacroLoop(S);
  }

  using Numbers = SmallVector<uint32_t, 32>;
  using Spelled = ArrayRef<std::string>;

  Numbers own(uint32_t S, uint32_t Begin, uint32_t End) const {
    Numbers Tokens;
    File.forEachOwn(S, Begin, End, [&](uint32_t I) { Tokens.push_back(I); });
    return Tokens;
  }

  //===-- One condition ---------------------------------------------------===//

  void add(StringRef Kind, StringRef Text) {
    Result.push_back((Kind + "\n" + Text).str());
  }

  /// Without the type of a variable that is declared and set there.
  static Spelling withoutType(Spelled Text) {
    const size_t Set = findOutside(Text, "=");
    const bool IsDeclared =
        Set != Text.size() && Set > 1 &&
        none_of(Text.take_front(Set),
                [](StringRef T) {
                  return T == "." || T == "->" || T == "[" || T == "(";
                }) &&
        isNameOrString(Text[Set - 1]) && isNameOrString(Text[0]);
    return Spelling(Text.begin() + (IsDeclared ? Set - 1 : 0), Text.end());
  }

  void addEach(ArrayRef<uint32_t> Condition, bool IsNegated = false) {
    const Spelling All = spell(File, Condition);
    const auto Parts = splitOutside(All, ";");
    for (Spelled Initial : ArrayRef(Parts).drop_back())
      addInitial(Initial);
    for (StringRef Term : termsOf(withoutType(Parts.back()), IsNegated))
      if (any_of(split(Term, '\n'), isNameOrString))
        add("if", Term);
  }

  //===-- Loops -----------------------------------------------------------===//

  /// Adds what variables begin with, but for numbers. Returns their names.
  std::vector<std::string> addInitial(Spelled Text) {
    std::vector<std::string> Names;
    for (Spelled Part : splitOutside(Text, ",")) {
      const Spelling Variable = withoutType(Part);
      if (Variable.empty())
        continue;
      Names.push_back(Variable[0]);
      const size_t Set = findOutside(Variable, "=");
      const Spelled Value =
          ArrayRef(Variable).drop_front(std::min(Set + 1, Variable.size()));
      if (any_of(Value, isNameOrString) && !addOver(Value))
        add("for", joinLines(Variable));
    }
    return Names;
  }

  /// Adds the container that \p Value is the begin of, if it is.
  bool addOver(Spelled Value) {
    constexpr size_t NumBehind = 4;
    if (Value.size() <= NumBehind)
      return false;
    const Spelled Behind = Value.take_back(NumBehind);
    if ((Behind[0] != "." && Behind[0] != "->") ||
        (Behind[1] != "begin" && Behind[1] != "cbegin") || Behind[2] != "(" ||
        Behind[3] != ")")
      return false;
    add("over", valueOf(Value.drop_back(NumBehind)));
    return true;
  }

  /// Adds what each step sets to something else than a number; adds to \p
  /// Names what is stepped.
  void addSteps(Spelled Text, std::vector<std::string> &Names) {
    for (Spelled Step : splitOutside(Text, ",")) {
      if (const auto *Name = find_if(Step, isNameOrString); Name != Step.end())
        Names.push_back(*Name);
      if (const size_t Set = findOutside(Step, "=");
          any_of(Step.drop_front(Set), isNameOrString))
        add("step", joinLines(Step));
    }
  }

  /// Whether \p Condition only says where one of \p Names ends: `p`, `i < n`.
  static bool isBound(Spelled Condition, ArrayRef<std::string> Names) {
    auto IsVariable = [&](Spelled Side) {
      if (!Side.empty() && (Side.back() == "--" || Side.back() == "++"))
        Side = Side.drop_back();
      return Side.size() == 1 && is_contained(Names, Side[0]);
    };
    for (StringRef Sign : {"<", ">", "<=", ">=", "!="})
      if (const size_t Pos = findOutside(Condition, Sign);
          Pos != Condition.size())
        return IsVariable(Condition.take_front(Pos)) ||
               IsVariable(Condition.drop_front(Pos + 1));
    return IsVariable(Condition);
  }

  void addFor(ArrayRef<uint32_t> Head) {
    const Spelling All = spell(File, Head);
    const auto Parts = splitOutside(All, ";");
    std::vector<std::string> Names;
    if (Parts.size() > 1)
      Names = addInitial(Parts[0]);
    if (Parts.size() < 3) {
      const size_t Colon = findOutside(Parts.back(), ":");
      if (Colon != Parts.back().size())
        add("over", valueOf(Parts.back().drop_front(Colon + 1)));
      return;
    }
    addSteps(Parts[2], Names);
    for (Spelled Condition : splitOutside(Parts[1], "&&"))
      if (!isBound(Condition, Names))
        for (StringRef Term : termsOf(Condition))
          add("if", Term);
  }

  /// Whether \p S is a loop of a macro in a function: `EACH(p, List) { ... }`.
  bool isMacroLoop(uint32_t S) const {
    const Statement &Is = File.statement(S);
    if (Is.Outer == Statement::None || Is.Opens == Statement::None ||
        Is.Opens < Is.First + 3 || !File[Is.First + 1].is("(") ||
        !File[Is.Opens - 1].is(")") || !isWord(File[Is.First]) ||
        isControl(File[Is.First]))
      return false;
    const Statement &Outer = File.statement(Is.Outer);
    const Token &First = File[Outer.First];
    return First.is("{") || isControl(First) ||
           (Outer.Opens != Statement::None && Outer.Opens > Outer.First &&
            File[Outer.Opens - 1].is(")"));
  }

  //===-- Statements ------------------------------------------------------===//

  /// What is inside of the parentheses of \p Tokens that begin at \p I, or
  /// behind a `constexpr` there. Moves \p I behind them. Nothing if they do not
  /// end.
  std::optional<ArrayRef<uint32_t>> parentheses(ArrayRef<uint32_t> Tokens,
                                                size_t &I) const {
    if (I < Tokens.size() && File[Tokens[I]].is("constexpr"))
      ++I;
    if (I >= Tokens.size() || !File[Tokens[I]].is("("))
      return std::nullopt;
    unsigned Depth = 0;
    for (size_t End = I; End != Tokens.size(); ++End) {
      if (opens(File[Tokens[End]]))
        ++Depth;
      else if (closes(File[Tokens[End]]) && --Depth == 0) {
        ArrayRef<uint32_t> Inside = Tokens.slice(I + 1, End - I - 1);
        I = End + 1;
        return Inside;
      }
    }
    return std::nullopt;
  }

  /// Adds what the heads ask that \p Tokens, the first ones of the statement
  /// \p S, begin with. Returns the number of the token behind them; nothing if
  /// the tokens end in a head.
  std::optional<size_t> readHeads(uint32_t S, ArrayRef<uint32_t> Tokens) {
    size_t I = 0;
    while (I < Tokens.size()) {
      const Token &T = File[Tokens[I]];
      if (T.is("else")) {
        addElse(S);
        ++I;
      } else if (T.is("do") || T.is("try")) {
        if (T.is("try"))
          add("try", "");
        ++I;
      } else if (T.is("if") || T.is("while") || T.is("for") || T.is("switch") ||
                 T.is("catch")) {
        ++I;
        std::optional<ArrayRef<uint32_t>> Inside = parentheses(Tokens, I);
        if (!Inside)
          return std::nullopt;
        if (T.is("if") || T.is("while"))
          addEach(*Inside);
        else if (T.is("for"))
          addFor(*Inside);
        else if (T.is("catch"))
          addCatch(S, *Inside);
      } else if (T.is("case") || T.is("default")) {
        const size_t End = endOfLabels(Tokens, I);
        if (End == I)
          return std::nullopt;
        addCase(S, Tokens.slice(I, End - I));
        I = End;
      } else {
        break;
      }
    }
    return I;
  }

  /// The condition of the statement in front of \p S, which is an `else`, and
  /// of those in front of that.
  void addElse(uint32_t S) {
    while (File[File.statement(S).First].is("else") &&
           File.statement(S).Previous != Statement::None) {
      S = File.statement(S).Previous;
      const Statement &If = File.statement(S);
      Numbers Tokens = own(
          S, If.First, If.Opens == Statement::None ? If.Last + 1 : If.Opens);
      size_t I = File[If.First].is("else") ? 1 : 0;
      if (I >= Tokens.size() || !File[Tokens[I]].is("if"))
        return;
      ++I;
      if (std::optional<ArrayRef<uint32_t>> Inside = parentheses(Tokens, I))
        addEach(*Inside, /*IsNegated=*/true);
    }
  }

  /// What a handler for \p Declared catches, without the name it has for it.
  std::string caught(ArrayRef<uint32_t> Declared) const {
    Spelling Type = spell(File, Declared);
    llvm::erase_if(Type, [](StringRef T) { return T == "const" || T == "&"; });
    if (Type.size() > 1 && isNameOrString(Type.back()) &&
        Type[Type.size() - 2] != "::")
      Type.pop_back();
    return joinLines(Type);
  }

  /// Adds what the handler \p S is for, and what those before it are for.
  void addCatch(uint32_t S, ArrayRef<uint32_t> Declared) {
    add("catch", caught(Declared));
    while ((S = File.statement(S).Previous) != Statement::None &&
           File[File.statement(S).First].is("catch")) {
      const Statement &Is = File.statement(S);
      const Numbers Head = own(S, Is.First, std::min(Is.Opens, Is.Last));
      size_t I = 1;
      if (std::optional<ArrayRef<uint32_t>> Inside = parentheses(Head, I))
        add("not caught", caught(*Inside));
    }
  }

  /// Behind the labels of cases at \p I: the number of the next token. \p I if
  /// they do not end.
  size_t endOfLabels(ArrayRef<uint32_t> Tokens, size_t I) const {
    while (I < Tokens.size() &&
           (File[Tokens[I]].is("case") || File[Tokens[I]].is("default"))) {
      size_t End = I;
      while (End < Tokens.size() && !File[Tokens[End]].is(":"))
        ++End;
      if (End == Tokens.size())
        return I;
      I = End + 1;
    }
    return I;
  }

  /// The labels that \p Tokens are, each as text.
  std::vector<std::string> labelsOf(ArrayRef<uint32_t> Tokens) const {
    std::vector<std::string> Labels;
    const Spelling All = spell(File, Tokens);
    for (ArrayRef<std::string> Label : splitOutside(All, ":"))
      if (!Label.empty())
        Labels.push_back(joinLines(Label));
    llvm::sort(Labels);
    return Labels;
  }

  /// What the switch \p S asks for.
  std::string switched(uint32_t S) const {
    const Statement &Switch = File.statement(S);
    const Numbers Head =
        own(S, Switch.First, std::min(Switch.Opens, Switch.Last));
    size_t I = 0;
    while (I != Head.size() && !File[Head[I]].is("switch"))
      ++I;
    const auto Inside = parentheses(Head, ++I);
    return Inside ? valueOf(spell(File, *Inside)) : std::string();
  }

  /// Adds to \p Labels those in front of the statement \p S whose code goes on
  /// there.
  void addFallingInto(uint32_t S, std::vector<std::string> &Labels) const {
    unsigned NumLeft = MaxJumps;
    while (true) {
      S = File.statement(S).Previous;
      if (S == Statement::None || isNeverPassed(S) || !NumLeft--)
        break;
      while (S != Statement::None && !isCase(S))
        S = File.statement(S).Previous;
      if (S == Statement::None)
        break;
      const Numbers Tokens =
          own(S, File.statement(S).First, File.statement(S).Last + 1);
      append_range(Labels, labelsOf(ArrayRef(Tokens).take_front(
                               endOfLabels(Tokens, 0))));
    }
    llvm::sort(Labels);
  }

  bool isCase(uint32_t S) const {
    const Token &First = File[File.statement(S).First];
    return First.is("case") || First.is("default");
  }

  /// Adds what the labels \p Tokens ask, which the statement \p S begins with.
  void addCase(uint32_t S, ArrayRef<uint32_t> Tokens) {
    std::vector<std::string> Labels = labelsOf(Tokens);
    const bool IsDefault = is_contained(Labels, "default");
    addFallingInto(S, Labels);
    const uint32_t Outer = File.statement(S).Outer;
    const std::string Switched =
        Outer == Statement::None ? std::string() : switched(Outer);
    add(IsDefault ? "default" : "case", joinLines(Labels) + ":\n" + Switched);
    if (!IsDefault)
      return;
    // What has a label of its own does not come here.
    for (bool IsBefore : {true, false})
      for (uint32_t B = S; B != Statement::None;
           B = IsBefore ? File.statement(B).Previous : File.statement(B).Next) {
        const Statement &Is = File.statement(B);
        if (B == S || !File[Is.First].is("case"))
          continue;
        const Numbers Tokens =
            own(B, Is.First, std::min(Is.Opens, Is.Last) + 1);
        for (StringRef Label :
             labelsOf(ArrayRef(Tokens).take_front(endOfLabels(Tokens, 0))))
          add("not case", (Label + ":\n" + Switched).str());
      }
  }

  /// What the statement \p S itself asks in front of the token \p Place.
  void readOwn(uint32_t S, uint32_t Place) {
    const Numbers Tokens = own(S, File.statement(S).First, Place);
    if (std::optional<size_t> Begin = readHeads(S, Tokens))
      readOperators(ArrayRef(Tokens).drop_front(*Begin));
  }

  /// An expression that is not at its end: what was asked in it.
  struct Operand {
    struct Question {
      ArrayRef<uint32_t> Condition;
      bool IsNegated;
      bool IsTernary = false;
    };
    /// Where it begins, the part of it behind the last `||` or `:`, and that
    /// behind the last `&&`.
    size_t Begin;
    size_t Or = Begin;
    size_t And = Begin;
    SmallVector<Question, 4> Asked = {};

    void begin(size_t Place) { Begin = Or = And = Place; }
    /// Forgets what was asked since the last `?` or `:`.
    void dropOperators() {
      while (!Asked.empty() && !Asked.back().IsTernary)
        Asked.pop_back();
    }
  };

  void readOperator(Operand &Last, ArrayRef<uint32_t> Tokens, size_t I) {
    const Token &T = File[Tokens[I]];
    auto Slice = [&](size_t Begin) { return Tokens.slice(Begin, I - Begin); };
    if (T.is("?")) {
      Last.dropOperators();
      Last.Asked.push_back({Slice(Last.Begin), /*IsNegated=*/false, true});
      Last.begin(I + 1);
    } else if (T.is("&&") || T.is("and")) {
      Last.Asked.push_back({Slice(Last.And), /*IsNegated=*/false});
      Last.And = I + 1;
    } else if (T.is("||") || T.is("or")) {
      // What was asked for the operand in front of it is a part of that.
      while (!Last.Asked.empty() && !Last.Asked.back().IsTernary &&
             !Last.Asked.back().IsNegated)
        Last.Asked.pop_back();
      Last.Asked.push_back({Slice(Last.Or), /*IsNegated=*/true});
      Last.Or = Last.And = I + 1;
    } else if (T.is(":") && !Last.Asked.empty()) {
      Last.dropOperators();
      if (!Last.Asked.empty())
        Last.Asked.back().IsNegated = true;
      Last.begin(I + 1);
    } else if (T.is(",") || T.is("=") || T.is("+=") || T.is("return")) {
      Last.Asked.clear();
      Last.begin(I + 1);
    }
  }

  /// What must hold behind \p Tokens, the first ones of an expression.
  void readOperators(ArrayRef<uint32_t> Tokens) {
    SmallVector<Operand, 4> Open = {Operand{0}};
    for (size_t I = 0; I != Tokens.size(); ++I) {
      const Token &T = File[Tokens[I]];
      if (opens(T))
        Open.push_back(Operand{I + 1});
      else if (!closes(T))
        readOperator(Open.back(), Tokens, I);
      else if (Open.size() > 1)
        Open.pop_back();
    }
    for (const Operand &Each : Open)
      for (const Operand::Question &Asked : Each.Asked)
        addEach(Asked.Condition, Asked.IsNegated);
  }

  /// What the case asks that \p S stands behind.
  void readSiblings(uint32_t S) {
    const uint32_t Outer = File.statement(S).Outer;
    if (Outer == Statement::None || !isSwitch(Outer))
      return;
    // Its own label is a head.
    for (uint32_t B = S; B != Statement::None; B = File.statement(B).Previous) {
      const Statement &Is = File.statement(B);
      if (!isCase(B))
        continue;
      if (B == S)
        return;
      const Numbers Tokens = own(B, Is.First, Is.Last + 1);
      if (const size_t End = endOfLabels(Tokens, 0))
        addCase(B, ArrayRef(Tokens).take_front(End));
      return;
    }
  }

  bool isSwitch(uint32_t S) const {
    const Statement &Is = File.statement(S);
    for (uint32_t I = Is.First; I <= std::min(Is.Opens, Is.Last); ++I)
      if (File[I].is("switch"))
        return true;
    return false;
  }

  void readEnclosing(uint32_t S) {
    const Statement &Is = File.statement(S);
    const Numbers Head = own(S, Is.First, std::min(Is.Opens, Is.Last));
    if (isMacroLoop(S))
      add("over", joinLines(spell(File, Head)));
    else
      readHeads(S, Head);
    if (!File[Is.First].is("do") || Is.Opens == Statement::None)
      return;
    const Numbers Behind = own(S, File[Is.Opens].End + 1, Is.Last + 1);
    size_t I = 1;
    if (!Behind.empty() && File[Behind.front()].is("while"))
      if (std::optional<ArrayRef<uint32_t>> Inside = parentheses(Behind, I))
        addEach(*Inside);
  }

  //===-- What leaves in front --------------------------------------------===//

  /// Whether the head of the statement \p S, as far as the token \p End, has a
  /// loop, or a switch if \p OrSwitch.
  bool isLoop(uint32_t S, uint32_t End, bool OrSwitch) const {
    bool Result = isMacroLoop(S);
    File.forEachOwn(S, File.statement(S).First, End, [&](uint32_t I) {
      for (StringRef Word : {"for", "while", "do"})
        Result |= File[I].is(Word);
      Result |= OrSwitch && File[I].is("switch");
    });
    return Result;
  }

  /// Whether the statement \p S begins with the label of a goto.
  bool isLabel(uint32_t S) const {
    const uint32_t First = File.statement(S).First;
    return First + 1 < File.size() && isWord(File[First]) &&
           File[First + 1].is(":") && !isControl(File[First]);
  }

  /// Whether the token \p I jumps out of the statement \p Sibling, and not to
  /// something in front of the token \p Place.
  bool leaves(uint32_t I, uint32_t Sibling, uint32_t Place) const {
    if (File[I].is("goto") && I + 1 < File.size())
      for (uint32_t Label : File.placesOf(File[I + 1].Text))
        if (Label > I && Label < Place && File[Label + 1].is(":"))
          return false;
    uint32_t End = I;
    for (uint32_t S = File[I].Statement;; S = File.statement(S).Outer) {
      if (S != File[I].Statement && !isInFunction(S))
        return false;
      if (File[I].is("break") || File[I].is("continue")) {
        if (isLoop(S, End, /*OrSwitch=*/File[I].is("break")))
          return false;
      } else if (File[I].is("throw") && File[File.statement(S).First].is("try"))
        return false;
      if (S == Sibling)
        return true;
      const uint32_t Outer = File.statement(S).Outer;
      if (Outer == Statement::None)
        return false;
      End = std::min(File.statement(Outer).Opens, File.statement(Outer).Last);
    }
  }

  /// Whether nothing goes on behind the statement \p S: `break;`, `{ return;
  /// }`.
  bool isNeverPassed(uint32_t S) const {
    uint32_t I = File.statement(S).Last;
    while (I > File.statement(S).First && File[I].is("}"))
      --I;
    for (uint32_t Inner = File[I].Statement; Inner != Statement::None;
         Inner = File.statement(Inner).Outer) {
      const Statement &Is = File.statement(Inner);
      Numbers Tokens = own(Inner, Is.First, std::min(Is.Opens, Is.Last) + 1);
      size_t Begin = endOfLabels(Tokens, 0);
      if (isLabel(Inner))
        Begin = 2;
      if (Begin >= Tokens.size() ||
          !(Inner == File[I].Statement ? isJump(File[Tokens[Begin]])
                                       : File[Tokens[Begin]].is("{")))
        return false;
      if (Inner == S)
        return true;
    }
    return false;
  }

  /// Adds what must not have been so that the jump \p I, in the statement \p
  /// Sibling, was not made.
  void addPassed(uint32_t I, uint32_t Sibling) {
    const Statement &Is = File.statement(Sibling);
    const Statement &Own = File.statement(File[I].Statement);
    const Numbers Head = own(Sibling, Is.First, std::min(Is.Opens, I));
    size_t End = 1;
    if (!Head.empty() && File[Head.front()].is("if") &&
        (&Own == &Is || (Own.Outer == Sibling && Own.First == I)))
      if (auto Inside = parentheses(Head, End); Inside && End == Head.size())
        return addEach(*Inside, /*IsNegated=*/true);
    Reader Inner(File);
    Inner.readAround(I, Sibling);
    if (!Inner.Result.empty())
      add("unless", joinSorted(std::move(Inner.Result)));
  }

  static std::string joinSorted(Spelling All) {
    llvm::sort(All);
    All.erase(llvm::unique(All), All.end());
    return joinLines(All);
  }

  /// Adds what is asked where the jumps in front are that lead to the label at
  /// \p I, from the token \p Begin on. Returns whether there are any.
  bool addLabel(uint32_t I, uint32_t Begin) {
    SmallVector<Spelling, 2> All;
    const ArrayRef<uint32_t> Places = File.placesOf(File[I].Text);
    for (const uint32_t *P = upper_bound(Places, Begin); *P < I; ++P)
      if (File[*P - 1].is("goto")) {
        Reader Inner(File);
        Inner.readAround(*P - 1, Statement::None);
        Inner.readLeaves(*P - 1, /*ToLabels=*/false);
        All.push_back(std::move(Inner.Result));
      }
    const uint32_t Before = File.statement(File[I].Statement).Previous;
    if (All.empty() || Before == Statement::None || !isNeverPassed(Before))
      return !All.empty();
    if (All.size() == 1) {
      append_range(Result, All.front());
      return true;
    }
    Spelling Ways;
    for (Spelling &Way : All)
      Ways.push_back(joinSorted(std::move(Way)));
    add("goto", joinSorted(std::move(Ways)));
    return true;
  }

  /// Reads the jumps in front of the token \p Place that would have left what
  /// it is in. Behind labels, one may come from elsewhere.
  void readLeaves(uint32_t Place, bool ToLabels = true) {
    // By the statement that a block is of, the one in it that At is in.
    SmallVector<std::pair<uint32_t, uint32_t>, 8> Blocks;
    uint32_t S = File[Place].Statement;
    do {
      Blocks.emplace_back(File.statement(S).Outer, S);
      S = File.statement(S).Outer;
    } while (isInFunction(S));
    const uint32_t Begin = S == Statement::None ? 0 : File.statement(S).First;
    const ArrayRef<uint32_t> All = File.jumps();
    const uint32_t *I = lower_bound(All, Place);
    unsigned NumLeft = MaxJumpsRead, NumTaken = 0;
    while (I != All.begin() && *--I >= Begin && NumLeft-- &&
           NumTaken != MaxJumps) {
      uint32_t Sibling = File[*I].Statement;
      auto Block = Blocks.end();
      for (; Sibling != Statement::None;
           Sibling = File.statement(Sibling).Outer) {
        Block = find_if(Blocks, [&](const auto &B) {
          return B.first == File.statement(Sibling).Outer;
        });
        if (Block != Blocks.end())
          break;
      }
      if (Sibling == Statement::None)
        continue;
      if (!isJump(File[*I])) {
        if (ToLabels && Sibling == File[*I].Statement && addLabel(*I, Begin))
          return;
      } else if (Sibling != Block->second &&
                 !isOtherCase(Sibling, Block->second) &&
                 leaves(*I, Sibling, Place)) {
        addPassed(*I, Sibling);
        ++NumTaken;
      }
    }
  }

  /// Whether the labels of a case are between two statements of a block.
  bool isOtherCase(uint32_t Before, uint32_t S) const {
    if (const uint32_t Outer = File.statement(S).Outer;
        Outer == Statement::None || !isSwitch(Outer))
      return false;
    for (; S != Before && S != Statement::None; S = File.statement(S).Previous)
      if (isCase(S))
        return true;
    return false;
  }

  const SourceTokens &File;
  /// The kind of each condition, and what it asks.
  std::vector<std::string> Result;
};

} // namespace

const std::vector<std::string> &
callsites::conditionsAt(const SourceTokens &File, uint32_t Place) {
  return File.conditions(Place, [&] { return Reader(File).read(Place); });
}

bool callsites::isValueAsked(StringRef Condition) {
  for (StringRef Loop : {"for\n", "step\n", "over\n"})
    if (Condition.starts_with(Loop))
      return false;
  return true;
}
