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

static bool opens(const Token &T) {
  return T.is("(") || T.is("[") || T.is("{");
}
static bool closes(const Token &T) {
  return T.is(")") || T.is("]") || T.is("}");
}

static std::string join(ArrayRef<std::string> Parts) {
  return llvm::join(Parts, "\n");
}

namespace {

class Reader {
public:
  explicit Reader(const SourceTokens &File) : File(File) {}

  std::vector<uint16_t> read(uint32_t At) {
    uint32_t S = File[At].Statement;
    readOwn(S, At);
    for (; S != Statement::None; S = File.statement(S).Outer) {
      readSiblings(S);
      const uint32_t Outer = File.statement(S).Outer;
      if (Outer == Statement::None)
        break;
      const Token &First = File[File.statement(Outer).First];
      if (!isControl(First) && !First.is("{") && !isMacroLoop(Outer))
        break;
      readEnclosing(Outer);
    }
    llvm::sort(Result);
    Result.erase(llvm::unique(Result), Result.end());
    return std::move(Result);
  }

private:
  using Numbers = SmallVector<uint32_t, 32>;
  using Spelled = ArrayRef<std::string>;

  Numbers own(uint32_t S, uint32_t Begin, uint32_t End) const {
    Numbers Tokens;
    File.forEachOwn(S, Begin, End, [&](uint32_t I) { Tokens.push_back(I); });
    return Tokens;
  }

  //===-- One condition ---------------------------------------------------===//

  void add(StringRef Kind, StringRef Text) {
    const std::string All = (Kind + "\n" + Text).str();
    Result.push_back(static_cast<uint16_t>(xxh3_64bits(All) % 0xffff + 1));
  }

  /// Without the type of a variable that is declared and set there.
  static Spelling withoutType(Spelled Of) {
    const size_t Set = findOutside(Of, "=");
    const bool IsDeclared =
        Set != Of.size() && Set > 1 &&
        none_of(Of.take_front(Set),
                [](StringRef T) {
                  return T == "." || T == "->" || T == "[" || T == "(";
                }) &&
        isNameOrString(Of[Set - 1]) && isNameOrString(Of[0]);
    return Spelling(Of.begin() + (IsDeclared ? Set - 1 : 0), Of.end());
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
  std::vector<std::string> addInitial(Spelled Of) {
    std::vector<std::string> Names;
    for (Spelled Part : splitOutside(Of, ",")) {
      const Spelling Variable = withoutType(Part);
      if (Variable.empty())
        continue;
      Names.push_back(Variable[0]);
      const size_t Set = findOutside(Variable, "=");
      const Spelled Value =
          ArrayRef(Variable).drop_front(std::min(Set + 1, Variable.size()));
      if (any_of(Value, isNameOrString) && !addOver(Value))
        add("for", join(Variable));
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
  void addSteps(Spelled Of, std::vector<std::string> &Names) {
    for (Spelled Step : splitOutside(Of, ",")) {
      if (const auto *Name = find_if(Step, isNameOrString); Name != Step.end())
        Names.push_back(*Name);
      if (const size_t Set = findOutside(Step, "=");
          any_of(Step.drop_front(Set), isNameOrString))
        add("step", join(Step));
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
      if (const size_t At = findOutside(Condition, Sign);
          At != Condition.size())
        return IsVariable(Condition.take_front(At)) ||
               IsVariable(Condition.drop_front(At + 1));
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
        !File[Is.Opens - 1].is(")") || File[Is.First].Is != Token::Kind::Word)
      return false;
    const Statement &Outer = File.statement(Is.Outer);
    const Token &First = File[Outer.First];
    return First.is("{") || isControl(First) ||
           (Outer.Opens != Statement::None && Outer.Opens > Outer.First &&
            File[Outer.Opens - 1].is(")"));
  }

  //===-- Statements ------------------------------------------------------===//

  /// Of \p Tokens, the parentheses that begin at \p I or behind `constexpr`:
  /// what is inside. Moves \p I behind them. Nothing if they do not end.
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
    return join(Type);
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
        Labels.push_back(join(Label));
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

  /// Adds what the labels \p Of ask, which the statement \p S begins with.
  void addCase(uint32_t S, ArrayRef<uint32_t> Of) {
    const std::vector<std::string> Labels = labelsOf(Of);
    const uint32_t Outer = File.statement(S).Outer;
    const std::string Switched =
        Outer == Statement::None ? std::string() : switched(Outer);
    if (!is_contained(Labels, "default"))
      return add("case", join(Labels) + ":\n" + Switched);
    add("default", Switched);
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

  /// What the statement \p S itself asks in front of the token \p At.
  void readOwn(uint32_t S, uint32_t At) {
    const Numbers Tokens = own(S, File.statement(S).First, At);
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

    void begin(size_t At) { Begin = Or = And = At; }
    /// Forgets what was asked since the last `?` or `:`.
    void dropOperators() {
      while (!Asked.empty() && !Asked.back().IsTernary)
        Asked.pop_back();
    }
  };

  void readOperator(Operand &Of, ArrayRef<uint32_t> Tokens, size_t I) {
    const Token &T = File[Tokens[I]];
    auto From = [&](size_t Begin) { return Tokens.slice(Begin, I - Begin); };
    if (T.is("?")) {
      Of.dropOperators();
      Of.Asked.push_back({From(Of.Begin), /*IsNegated=*/false, true});
      Of.begin(I + 1);
    } else if (T.is("&&") || T.is("and")) {
      Of.Asked.push_back({From(Of.And), /*IsNegated=*/false});
      Of.And = I + 1;
    } else if (T.is("||") || T.is("or")) {
      // What was asked for the operand in front of it is a part of that.
      while (!Of.Asked.empty() && !Of.Asked.back().IsTernary &&
             !Of.Asked.back().IsNegated)
        Of.Asked.pop_back();
      Of.Asked.push_back({From(Of.Or), /*IsNegated=*/true});
      Of.Or = Of.And = I + 1;
    } else if (T.is(":") && !Of.Asked.empty()) {
      Of.dropOperators();
      if (!Of.Asked.empty())
        Of.Asked.back().IsNegated = true;
      Of.begin(I + 1);
    } else if (T.is(",") || T.is("=") || T.is("+=") || T.is("return")) {
      Of.Asked.clear();
      Of.begin(I + 1);
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
    for (const Operand &Of : Open)
      for (const Operand::Question &Asked : Of.Asked)
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
      const Token &First = File[Is.First];
      if (!First.is("case") && !First.is("default"))
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
    if (!isControl(File[Is.First]) && isMacroLoop(S))
      add("over", join(spell(File, Head)));
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

  const SourceTokens &File;
  std::vector<uint16_t> Result;
};

} // namespace

std::vector<uint16_t> callsites::conditionsAt(const SourceTokens &File,
                                              uint32_t At) {
  return Reader(File).read(At);
}
