//===- Callsites/Conditions.cpp - Under what a token stands ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conditions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
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

bool callsites::isControl(const Token &T) {
  for (StringRef Word : {"if", "else", "for", "while", "do", "switch", "case",
                         "default", "catch", "try"})
    if (T.is(Word))
      return true;
  return false;
}

/// Words of a condition that do not change what it asks.
static bool isFiller(const Token &T) {
  for (StringRef Word : {"likely", "unlikely", "__builtin_expect", "true"})
    if (T.is(Word))
      return true;
  return T.Is == Token::Kind::Word && isCommonWord(T.Text);
}

static bool opens(const Token &T) {
  return T.is("(") || T.is("[") || T.is("{");
}
static bool closes(const Token &T) {
  return T.is(")") || T.is("]") || T.is("}");
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
      if (!isControl(First) && !First.is("{"))
        break;
      readEnclosing(Outer);
    }
    llvm::sort(Result);
    Result.erase(llvm::unique(Result), Result.end());
    return std::move(Result);
  }

private:
  using Numbers = SmallVector<uint32_t, 32>;

  Numbers own(uint32_t S, uint32_t Begin, uint32_t End) const {
    Numbers Tokens;
    File.forEachOwn(S, Begin, End, [&](uint32_t I) { Tokens.push_back(I); });
    return Tokens;
  }

  //===-- One condition ---------------------------------------------------===//

  bool isNothing(uint32_t I) const {
    for (StringRef Word : {"NULL", "nullptr", "0", "false"})
      if (File[I].is(Word))
        return true;
    return false;
  }

  /// Adds what the tokens \p Of ask, unless they ask nothing.
  void add(StringRef Kind, ArrayRef<uint32_t> Of) {
    std::vector<StringRef> Parts;
    bool IsNegated = false;
    auto IsEquality = [&](size_t I) {
      return I < Of.size() && (File[Of[I]].is("==") || File[Of[I]].is("!="));
    };
    for (size_t I = 0; I != Of.size(); ++I) {
      const Token &T = File[Of[I]];
      if (T.is("!") || T.is("!=") || T.is("not"))
        IsNegated = !IsNegated;
      else if (T.is("<") || T.is("<="))
        Parts.push_back("<");
      else if (T.is(">") || T.is(">="))
        Parts.push_back(">");
      if (isNothing(Of[I])) {
        // `p == NULL` is `!p`.
        IsNegated ^= IsEquality(I + 1) || (I && IsEquality(I - 1));
        continue;
      }
      if ((T.Is == Token::Kind::Word && !isFiller(T) && !T.is("not")) ||
          T.Is == Token::Kind::String ||
          (T.Is == Token::Kind::Number &&
           (IsEquality(I + 1) || (I && IsEquality(I - 1)) || Kind == "case")))
        Parts.push_back(T.Text);
    }
    if (Parts.empty())
      return;
    llvm::sort(Parts);
    Parts.erase(llvm::unique(Parts), Parts.end());
    std::string Text = (Kind + (IsNegated ? "!" : "")).str();
    for (StringRef Part : Parts)
      (Text += '\n') += Part;
    Result.push_back(static_cast<uint16_t>(xxh3_64bits(Text) % 0xffff + 1));
  }

  /// Adds each of what \p Condition asks that all must hold.
  void addEach(ArrayRef<uint32_t> Condition) {
    SmallVector<size_t, 4> Ands;
    unsigned Depth = 0;
    for (auto [I, T] : enumerate(Condition)) {
      const Token &Is = File[T];
      if (opens(Is))
        ++Depth;
      else if (closes(Is))
        --Depth;
      else if (Depth)
        continue;
      else if (Is.is("&&") || Is.is("and"))
        Ands.push_back(I);
      else if (Is.is("||") || Is.is("or") || Is.is("?"))
        return add("if", Condition);
    }
    size_t Begin = 0;
    for (size_t End : Ands) {
      add("if", Condition.slice(Begin, End - Begin));
      Begin = End + 1;
    }
    add("if", Condition.drop_front(Begin));
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
        ++I;
      } else if (T.is("if") || T.is("while") || T.is("for") || T.is("switch") ||
                 T.is("catch")) {
        const bool IsAsked = T.is("if") || T.is("while");
        ++I;
        std::optional<ArrayRef<uint32_t>> Inside = parentheses(Tokens, I);
        if (!Inside)
          return std::nullopt;
        if (IsAsked)
          addEach(*Inside);
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
        add("else", *Inside);
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

  void addCase(uint32_t S, ArrayRef<uint32_t> Labels) {
    Numbers All(Labels);
    const uint32_t Outer = File.statement(S).Outer;
    if (Outer != Statement::None) {
      const Statement &Switch = File.statement(Outer);
      append_range(
          All, own(Outer, Switch.First, std::min(Switch.Opens, Switch.Last)));
    }
    // All cases but the others.
    add(File[Labels.front()].is("default") ? "default" : "case", All);
  }

  /// What the statement \p S itself asks in front of the token \p At.
  void readOwn(uint32_t S, uint32_t At) {
    const Numbers Tokens = own(S, File.statement(S).First, At);
    if (std::optional<size_t> Begin = readHeads(S, Tokens))
      readOperators(ArrayRef(Tokens).drop_front(*Begin));
  }

  /// What must hold behind \p Tokens, the first ones of an expression.
  void readOperators(ArrayRef<uint32_t> Tokens) {
    struct Operand {
      size_t Begin;
      std::vector<std::pair<StringRef, ArrayRef<uint32_t>>> Asked = {};
    };
    SmallVector<Operand, 4> Open = {{0}};
    for (size_t I = 0; I != Tokens.size(); ++I) {
      const Token &T = File[Tokens[I]];
      Operand &Of = Open.back();
      auto Ask = [&](StringRef Kind) {
        Of.Asked.emplace_back(Kind, Tokens.slice(Of.Begin, I - Of.Begin));
        Of.Begin = I + 1;
      };
      if (opens(T)) {
        Open.push_back({I + 1});
      } else if (closes(T)) {
        if (Open.size() > 1)
          Open.pop_back();
      } else if (T.is("?") || T.is("&&") || T.is("and")) {
        Ask("if");
      } else if (T.is("||") || T.is("or")) {
        Ask("else");
      } else if (T.is(":") && !Of.Asked.empty()) {
        Of.Asked.back().first = "else";
        Of.Begin = I + 1;
      } else if (T.is(",") || T.is("=") || T.is("return")) {
        Of.Asked.clear();
        Of.Begin = I + 1;
      }
    }
    for (const Operand &Of : Open)
      for (const auto &[Kind, Condition] : Of.Asked)
        add(Kind, Condition);
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
