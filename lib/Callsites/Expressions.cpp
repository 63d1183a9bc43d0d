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
  return ::isWord(Token) || Token.starts_with("\"") || Token.starts_with("'");
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

Spelling callsites::spell(const SourceTokens &File,
                          ArrayRef<uint32_t> Indices) {
  SmallVector<uint32_t, 32> All;
  for (uint32_t I : Indices) {
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
static size_t skip(Tokens Text, size_t I) {
  unsigned Depth = 0;
  for (; I != Text.size(); ++I)
    if (opens(Text[I]))
      ++Depth;
    else if (closes(Text[I]) && --Depth == 0)
      return I + 1;
  return Text.size();
}

/// Behind the arguments of a template that the sign \p I begins: the number of
/// the next token, which must be `(`, `{` or `::`. \p I if there are none.
static size_t skipTemplate(Tokens Text, size_t I) {
  if (I == 0 || Text[I] != "<" || !isWord(Text[I - 1]))
    return I;
  constexpr size_t MaxTokens = 64;
  int Depth = 0;
  for (size_t J = I; J != Text.size() && J != I + MaxTokens; ++J) {
    const StringRef T = Text[J];
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
        J + 1 != Text.size() &&
        (Text[J + 1] == "(" || Text[J + 1] == "{" || Text[J + 1] == "::");
    return Ends ? J + 1 : I;
  }
  return I;
}

/// Calls \p Visit with each token outside of parentheses and of arguments of
/// templates, until it returns false.
static void forEachOutside(Tokens Text, function_ref<bool(size_t)> Visit) {
  for (size_t I = 0; I < Text.size();) {
    if (const size_t Behind = skipTemplate(Text, I); Behind != I) {
      I = Behind;
      continue;
    }
    if (!Visit(I))
      return;
    I = opens(Text[I]) ? skip(Text, I) : I + 1;
  }
}

size_t callsites::findOutside(Tokens Text, StringRef Sign) {
  size_t Found = Text.size();
  forEachOutside(Text, [&](size_t I) {
    if (Text[I] == Sign)
      Found = std::min(Found, I);
    return Found == Text.size();
  });
  return Found;
}

/// What stands between the tokens outside that \p Separates.
static SmallVector<Tokens, 4> splitAt(Tokens Text,
                                      function_ref<bool(size_t)> Separates) {
  SmallVector<Tokens, 4> Result;
  size_t Begin = 0;
  forEachOutside(Text, [&](size_t I) {
    if (Separates(I)) {
      Result.push_back(Text.slice(Begin, I - Begin));
      Begin = I + 1;
    }
    return true;
  });
  Result.push_back(Text.drop_front(Begin));
  return Result;
}

SmallVector<Tokens, 4> callsites::splitOutside(Tokens Text, StringRef Sign) {
  return splitAt(Text, [&](size_t I) { return Text[I] == Sign; });
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
  Level Strength = Level::None;
  /// Where it stands; of several, the last one.
  size_t Position = 0;
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

static SignInText weakestOf(Tokens Text) {
  SignInText Result;
  forEachOutside(Text, [&](size_t I) {
    const Level Is = levelOf(Text[I]);
    if (Is != Level::None && I && endsOperand(Text[I - 1]) &&
        Is <= Result.Strength)
      Result = {Is, I};
    return true;
  });
  return Result;
}

/// What stands between the operators of the level \p Is.
static SmallVector<Tokens, 4> operandsOf(Tokens Text, Level Is) {
  return splitAt(Text, [&](size_t I) {
    return I && levelOf(Text[I]) == Is && endsOperand(Text[I - 1]);
  });
}

/// Without parentheses around all of it, and without what says how likely it
/// is.
static Tokens strip(Tokens Text) {
  while (true) {
    if (Text.size() > 2 && Text[0] == "(" && skip(Text, 0) == Text.size()) {
      Text = Text.drop_front().drop_back();
      continue;
    }
    const bool Says = Text.size() > 3 &&
                      StringSwitch<bool>(Text[0])
                          .Cases({"likely", "unlikely", "LIKELY", "UNLIKELY",
                                  "__builtin_expect"},
                                 true)
                          .Default(false) &&
                      Text[1] == "(" && skip(Text, 1) == Text.size();
    if (!Says)
      return Text;
    Text = Text.drop_front(2).drop_back();
    const size_t Comma = findOutside(Text, ",");
    if (Comma + 2 == Text.size() && Text[Comma + 1] == "1")
      Text = Text.take_front(Comma);
  }
}

std::string callsites::joinLines(ArrayRef<std::string> Parts) {
  return join(Parts, "\n");
}

/// \p Parts in the order of their text, in a form that nothing else has.
static std::string unordered(StringRef Sign, std::vector<std::string> Parts) {
  llvm::sort(Parts);
  return (Sign + "{\n" + joinLines(Parts) + "\n}").str();
}

//===-- Forms -------------------------------------------------------------===//

namespace {

class Normalizer {
public:
  using Terms = std::vector<std::string>;

  void addTerms(Tokens Text, bool IsNegated, Terms &To) {
    Text = strip(Text);
    const SignInText Weakest = weakestOf(Text);
    if (++Depth > MaxDepth || Weakest.Strength == Level::Opaque)
      addWhole(Text, IsNegated, To);
    else if (Weakest.Strength == Level::Or || Weakest.Strength == Level::And)
      addJunction(Text, Weakest.Strength, IsNegated, To);
    else if (Weakest.Strength == Level::Equality)
      addEquality(Text, Weakest.Position, IsNegated, To);
    else if (Weakest.Strength == Level::Relation)
      addRelation(Text, Weakest.Position, IsNegated, To);
    else if (Weakest.Strength == Level::None && Text.size() > 1 &&
             Text[0] == "!")
      addTerms(Text.drop_front(), !IsNegated, To);
    else
      addWhole(Text, IsNegated, To);
    --Depth;
  }

  std::string value(Tokens Text) {
    Text = strip(Text);
    const SignInText Weakest = weakestOf(Text);
    if (Depth > MaxDepth)
      return joinLines(Text);
    if (isTruth(Text, Weakest.Strength))
      return term(Text, false);
    if (Weakest.Strength < Level::BitOr || Weakest.Strength > Level::BitAnd)
      return joinLines(Text);
    ++Depth;
    Terms Parts;
    for (Tokens Operand : operandsOf(Text, Weakest.Strength))
      Parts.push_back(value(Operand));
    --Depth;
    return unordered(Text[Weakest.Position], std::move(Parts));
  }

private:
  std::string term(Tokens Text, bool IsNegated) {
    Terms All;
    addTerms(Text, IsNegated, All);
    return All.size() == 1 ? All.front() : unordered("&&", std::move(All));
  }

  void addWhole(Tokens Whole, bool IsNegated, Terms &To) {
    std::string Text = Depth > MaxDepth ? joinLines(Whole) : value(Whole);
    To.push_back(IsNegated ? "!{\n" + Text + "\n}" : std::move(Text));
  }

  void addJunction(Tokens Text, Level Is, bool IsNegated, Terms &To) {
    const bool AllHold = (Is == Level::And) != IsNegated;
    Terms Parts;
    for (Tokens Operand : operandsOf(Text, Is))
      if (AllHold)
        addTerms(Operand, IsNegated, To);
      else
        Parts.push_back(term(Operand, IsNegated));
    if (!AllHold)
      To.push_back(unordered("||", std::move(Parts)));
  }

  static bool is(Tokens Text, StringRef Number) {
    Text = strip(Text);
    return Text.size() == 1 && Text[0] == Number;
  }

  /// Whether an expression with this weakest operator is 0 or 1.
  static bool isTruth(Tokens Text, Level Is) {
    return Is == Level::Or || Is == Level::And || Is == Level::Equality ||
           Is == Level::Relation ||
           (Is == Level::None && Text.size() > 1 && Text[0] == "!");
  }

  void addEquality(Tokens Text, size_t Sign, bool IsNegated, Terms &To) {
    const Tokens Left = Text.take_front(Sign),
                 Right = Text.drop_front(Sign + 1);
    const bool IsEqual = (Text[Sign] == "==") != IsNegated;
    auto IsTruth = [](Tokens Side) {
      Side = strip(Side);
      return isTruth(Side, weakestOf(Side).Strength);
    };
    for (auto [One, Other] : {std::pair(Left, Right), std::pair(Right, Left)})
      if (is(Other, "0") || (is(Other, "1") && IsTruth(One)))
        return addTerms(One, IsEqual == is(Other, "0"), To);
    To.push_back(unordered(IsEqual ? "==" : "!=", {value(Left), value(Right)}));
  }

  void addRelation(Tokens Text, size_t Sign, bool IsNegated, Terms &To) {
    std::string Less = value(Text.take_front(Sign));
    std::string More = value(Text.drop_front(Sign + 1));
    bool IsStrict = Text[Sign].size() == 1;
    if (StringRef(Text[Sign]).starts_with(">"))
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
