//===- Callsites/Expressions.cpp - What a condition asks ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

using Tokens = ArrayRef<std::string>;

/// What is deeper is taken as it stands.
static constexpr unsigned MaxDepth = 32;

//===-- Tokens ------------------------------------------------------------===//

static bool isWord(StringRef Token) {
  if (Token.empty())
    return false;
  return isAlpha(Token.front()) || Token.front() == '_' ||
         Token.front() == '$' || static_cast<uint8_t>(Token.front()) >= 0x80;
}

bool callsites::isNameOrString(StringRef Token) {
  return isWord(Token) || Token.starts_with("\"") || Token.starts_with("'");
}

static bool opens(StringRef Token) {
  return Token == "(" || Token == "[" || Token == "{";
}
static bool closes(StringRef Token) {
  return Token == ")" || Token == "]" || Token == "}";
}

/// A number without what it is written as.
static std::string numberOf(StringRef Text) {
  std::string Digits = Text.str();
  llvm::erase(Digits, '\'');
  uint64_t Value = 0;
  if (StringRef(Digits).rtrim("uUlLzZ").getAsInteger(0, Value))
    return Text.str();
  return std::to_string(Value);
}

static std::string spell(const Token &T) {
  if (T.Is == Token::Kind::Number)
    return numberOf(T.Text);
  if (T.Is == Token::Kind::String)
    return T.Text == "'\\0'" ? "0" : T.Text.str();
  return StringSwitch<StringRef>(T.Text)
      .Cases({"nullptr", "NULL", "false"}, "0")
      .Case("true", "1")
      .Case("not", "!")
      .Case("and", "&&")
      .Case("or", "||")
      .Case("not_eq", "!=")
      .Default(T.Text)
      .str();
}

Spelling callsites::spell(const SourceTokens &File, ArrayRef<uint32_t> Of) {
  SmallVector<uint32_t, 32> All;
  for (uint32_t I : Of) {
    All.push_back(I);
    for (uint32_t Inside = I + 1; Inside < File[I].End; ++Inside)
      All.push_back(Inside);
  }
  auto Is = [&](size_t I, StringRef Text) {
    return I < All.size() && File[All[I]].is(Text);
  };
  Spelling Result;
  for (size_t I = 0; I != All.size(); ++I) {
    const Token &T = File[All[I]];
    if ((T.is("this") && Is(I + 1, "->")) || (T.is("std") && Is(I + 1, "::"))) {
      ++I;
    } else if ((T.is("<") || T.is(">")) && Is(I + 1, T.Text) &&
               File[All[I + 1]].Text.data() == T.Text.end()) {
      Result.push_back((T.Text + T.Text).str());
      ++I;
    } else {
      Result.push_back(::spell(T));
    }
  }
  return Result;
}

/// Behind the parenthesis or bracket \p I: the number of the next token.
static size_t skip(Tokens Of, size_t I) {
  unsigned Depth = 0;
  for (; I != Of.size(); ++I)
    if (opens(Of[I]))
      ++Depth;
    else if (closes(Of[I]) && --Depth == 0)
      return I + 1;
  return Of.size();
}

/// Behind the arguments of a template that the sign \p I begins: the number of
/// the next token, which must be `(`, `{` or `::`. \p I if there are none.
static size_t skipTemplate(Tokens Of, size_t I) {
  if (I == 0 || Of[I] != "<" || !isWord(Of[I - 1]))
    return I;
  constexpr size_t MaxTokens = 64;
  int Depth = 0;
  for (size_t At = I; At != Of.size() && At != I + MaxTokens; ++At) {
    const StringRef T = Of[At];
    if (T == "<")
      ++Depth;
    else if (T == ">" || T == ">>")
      Depth -= static_cast<int>(T.size());
    else if (!isWord(T) && !isDigit(T.front()) && T != "::" && T != "," &&
             T != "*" && T != "&")
      return I;
    if (Depth > 0)
      continue;
    const bool Ends =
        At + 1 != Of.size() &&
        (Of[At + 1] == "(" || Of[At + 1] == "{" || Of[At + 1] == "::");
    return Ends ? At + 1 : I;
  }
  return I;
}

/// Calls \p Visit with each token outside of parentheses and of arguments of
/// templates, until it returns false.
static void forEachOutside(Tokens Of, function_ref<bool(size_t)> Visit) {
  for (size_t I = 0; I < Of.size();) {
    if (const size_t Behind = skipTemplate(Of, I); Behind != I) {
      I = Behind;
      continue;
    }
    if (!Visit(I))
      return;
    I = opens(Of[I]) ? skip(Of, I) : I + 1;
  }
}

size_t callsites::findOutside(Tokens Of, StringRef Sign) {
  size_t Found = Of.size();
  forEachOutside(Of, [&](size_t I) {
    if (Of[I] == Sign)
      Found = std::min(Found, I);
    return Found == Of.size();
  });
  return Found;
}

/// What stands between the tokens outside that \p Separates.
static SmallVector<Tokens, 4> splitAt(Tokens Of,
                                      function_ref<bool(size_t)> Separates) {
  SmallVector<Tokens, 4> Result;
  size_t Begin = 0;
  forEachOutside(Of, [&](size_t I) {
    if (Separates(I)) {
      Result.push_back(Of.slice(Begin, I - Begin));
      Begin = I + 1;
    }
    return true;
  });
  Result.push_back(Of.drop_front(Begin));
  return Result;
}

SmallVector<Tokens, 4> callsites::splitOutside(Tokens Of, StringRef Sign) {
  return splitAt(Of, [&](size_t I) { return Of[I] == Sign; });
}

//===-- Operators ---------------------------------------------------------===//

namespace {

/// From what binds least on.
enum class Level : uint8_t {
  Opaque, // comma, assignment, ?:
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Arithmetic,
  None
};

struct SignInText {
  Level Of = Level::None;
  /// Where it stands; of several, the last one.
  size_t At = 0;
};

} // namespace

static Level levelOf(StringRef Sign) {
  return StringSwitch<Level>(Sign)
      .Cases({",", "=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "?"},
             Level::Opaque)
      .Case("||", Level::Or)
      .Case("&&", Level::And)
      .Case("|", Level::BitOr)
      .Case("^", Level::BitXor)
      .Case("&", Level::BitAnd)
      .Cases({"==", "!="}, Level::Equality)
      .Cases({"<", ">", "<=", ">="}, Level::Relation)
      .Cases({"<<", ">>", "+", "-", "*", "/", "%"}, Level::Arithmetic)
      .Default(Level::None);
}

/// Whether an operator behind \p Token has it as its left operand.
static bool endsOperand(StringRef Token) {
  return isNameOrString(Token) || (!Token.empty() && isDigit(Token.front())) ||
         closes(Token) || Token == "++" || Token == "--" || Token == ">";
}

static SignInText weakestOf(Tokens Of) {
  SignInText Result;
  forEachOutside(Of, [&](size_t I) {
    const Level Is = levelOf(Of[I]);
    if (Is != Level::None && I && endsOperand(Of[I - 1]) && Is <= Result.Of)
      Result = {Is, I};
    return true;
  });
  return Result;
}

/// What stands between the operators of the level \p Is.
static SmallVector<Tokens, 4> operandsOf(Tokens Of, Level Is) {
  return splitAt(Of, [&](size_t I) {
    return I && levelOf(Of[I]) == Is && endsOperand(Of[I - 1]);
  });
}

/// Without parentheses around all of it, and without what says how likely it
/// is.
static Tokens strip(Tokens Of) {
  while (true) {
    if (Of.size() > 2 && Of[0] == "(" && skip(Of, 0) == Of.size()) {
      Of = Of.drop_front().drop_back();
      continue;
    }
    const bool Says = Of.size() > 3 &&
                      StringSwitch<bool>(Of[0])
                          .Cases({"likely", "unlikely", "LIKELY", "UNLIKELY",
                                  "__builtin_expect"},
                                 true)
                          .Default(false) &&
                      Of[1] == "(" && skip(Of, 1) == Of.size();
    if (!Says)
      return Of;
    Of = Of.drop_front(2).drop_back();
    const size_t Comma = findOutside(Of, ",");
    if (Comma + 2 == Of.size() && Of[Comma + 1] == "1")
      Of = Of.take_front(Comma);
  }
}

static std::string join(ArrayRef<std::string> Parts) {
  return llvm::join(Parts, "\n");
}

/// \p Parts in the order of their text, in a form that nothing else has.
static std::string unordered(StringRef Sign, std::vector<std::string> Parts) {
  llvm::sort(Parts);
  return (Sign + "{\n" + join(Parts) + "\n}").str();
}

//===-- Forms -------------------------------------------------------------===//

namespace {

class Normalizer {
public:
  using Terms = std::vector<std::string>;

  void addTerms(Tokens Of, bool IsNegated, Terms &To) {
    Of = strip(Of);
    const SignInText Weakest = weakestOf(Of);
    if (++Depth > MaxDepth || Weakest.Of == Level::Opaque)
      addWhole(Of, IsNegated, To);
    else if (Weakest.Of == Level::Or || Weakest.Of == Level::And)
      addJunction(Of, Weakest.Of, IsNegated, To);
    else if (Weakest.Of == Level::Equality)
      addEquality(Of, Weakest.At, IsNegated, To);
    else if (Weakest.Of == Level::Relation)
      addRelation(Of, Weakest.At, IsNegated, To);
    else if (Weakest.Of == Level::None && Of.size() > 1 && Of[0] == "!")
      addTerms(Of.drop_front(), !IsNegated, To);
    else
      addWhole(Of, IsNegated, To);
    --Depth;
  }

  std::string value(Tokens Of) {
    Of = strip(Of);
    const SignInText Weakest = weakestOf(Of);
    if (Depth > MaxDepth)
      return join(Of);
    if (isTruth(Of, Weakest.Of))
      return term(Of, false);
    if (Weakest.Of < Level::BitOr || Weakest.Of > Level::BitAnd)
      return join(Of);
    ++Depth;
    Terms Parts;
    for (Tokens Operand : operandsOf(Of, Weakest.Of))
      Parts.push_back(value(Operand));
    --Depth;
    return unordered(Of[Weakest.At], std::move(Parts));
  }

private:
  std::string term(Tokens Of, bool IsNegated) {
    Terms All;
    addTerms(Of, IsNegated, All);
    return All.size() == 1 ? All.front() : unordered("&&", std::move(All));
  }

  void addWhole(Tokens Of, bool IsNegated, Terms &To) {
    std::string Text = Depth > MaxDepth ? join(Of) : value(Of);
    To.push_back(IsNegated ? "!{\n" + Text + "\n}" : std::move(Text));
  }

  void addJunction(Tokens Of, Level Is, bool IsNegated, Terms &To) {
    const bool AllHold = (Is == Level::And) != IsNegated;
    Terms Parts;
    for (Tokens Operand : operandsOf(Of, Is))
      if (AllHold)
        addTerms(Operand, IsNegated, To);
      else
        Parts.push_back(term(Operand, IsNegated));
    if (!AllHold)
      To.push_back(unordered("||", std::move(Parts)));
  }

  static bool is(Tokens Of, StringRef Number) {
    Of = strip(Of);
    return Of.size() == 1 && Of[0] == Number;
  }

  /// Whether an expression with this weakest operator is 0 or 1.
  static bool isTruth(Tokens Of, Level Is) {
    return Is == Level::Or || Is == Level::And || Is == Level::Equality ||
           Is == Level::Relation ||
           (Is == Level::None && Of.size() > 1 && Of[0] == "!");
  }

  void addEquality(Tokens Of, size_t At, bool IsNegated, Terms &To) {
    const Tokens Left = Of.take_front(At), Right = Of.drop_front(At + 1);
    const bool IsEqual = (Of[At] == "==") != IsNegated;
    auto IsTruth = [](Tokens Side) {
      Side = strip(Side);
      return isTruth(Side, weakestOf(Side).Of);
    };
    for (auto [One, Other] : {std::pair(Left, Right), std::pair(Right, Left)})
      if (is(Other, "0") || (is(Other, "1") && IsTruth(One)))
        return addTerms(One, IsEqual == is(Other, "0"), To);
    To.push_back(unordered(IsEqual ? "==" : "!=", {value(Left), value(Right)}));
  }

  void addRelation(Tokens Of, size_t At, bool IsNegated, Terms &To) {
    std::string Less = value(Of.take_front(At));
    std::string More = value(Of.drop_front(At + 1));
    bool IsStrict = Of[At].size() == 1;
    if (StringRef(Of[At]).starts_with(">"))
      std::swap(Less, More);
    if (IsNegated) {
      std::swap(Less, More);
      IsStrict = !IsStrict;
    }
    To.push_back((IsStrict ? "<{\n" : "<={\n") + Less + "\n;\n" + More + "\n}");
  }

  unsigned Depth = 0;
};

} // namespace

std::vector<std::string> callsites::termsOf(Tokens Condition, bool IsNegated) {
  std::vector<std::string> Result;
  if (none_of(Condition, isNameOrString))
    return Result;
  Normalizer().addTerms(Condition, IsNegated, Result);
  return Result;
}

std::string callsites::valueOf(Tokens Expression) {
  return Normalizer().value(Expression);
}
