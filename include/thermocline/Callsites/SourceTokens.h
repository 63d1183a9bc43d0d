//===- SourceTokens.h - Tokens and statements of a source file --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a pass knows of a call its line and column. What it is for, the
// statement around it tells, which may be a part of a line or several lines.
//
// So the file is split into tokens, without comments and directives, and these
// into statements, by braces and semicolons. Nothing is preprocessed and no
// name is looked up: whether a brace begins a block or an expression is told by
// what stands in front of it. Where that is wrong, or where parts that exclude
// each other do not balance, a statement is too short or too long. That is so
// in both builds, as long as the text is the same.
//
// Cost: linear in the size of the file.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CALLSITES_SOURCETOKENS_H
#define THERMOCLINE_CALLSITES_SOURCETOKENS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thermocline::callsites {

struct Token {
  enum class Kind : uint8_t { Word, Number, String, Sign };

  /// Owned by the text that was split.
  llvm::StringRef Text;
  /// From 1.
  uint32_t Line = 0;
  Kind Is = Kind::Sign;
  uint32_t Statement = 0;
  /// For a brace that opens a block, the number of the one that closes it; else
  /// 0.
  uint32_t End = 0;

  bool is(llvm::StringRef Sign) const {
    return Is != Kind::String && Text == Sign;
  }
};

struct Statement {
  static constexpr uint32_t None = ~uint32_t(0);

  /// Numbers of tokens. What is in between may be of inner statements, in
  /// blocks.
  uint32_t First = 0;
  uint32_t Last = 0;
  /// The brace that opens its first block; None if it has no block.
  uint32_t Opens = None;
  /// The brace that opens the block which it is in; None if it is in none.
  uint32_t Block = None;
  /// The statement in whose block this one is, and those before and behind it
  /// there; None if there is none.
  uint32_t Outer = None;
  uint32_t Previous = None;
  uint32_t Next = None;
};

/// A word that may be the name of a variable, not of a member or a scope.
struct VariablePlace {
  uint32_t Token = 0;
  /// The statement sets or declares it there. For who comes from outside of the
  /// block, what follows in that is of another value.
  bool IsSet = false;
  /// If so, the brace that opens the block, and the number of the first place
  /// behind the block.
  uint32_t Begin = 0;
  uint32_t Behind = 0;
  /// A place further on, to which going from place to place behind leads, and
  /// the first of the braces that open the blocks on the way. With these, the
  /// way takes a logarithm of steps.
  uint32_t Far = 0;
  uint32_t FirstBegin = 0;
};

/// The bytes of a directive that \p Text begins with, or of a line, with the
/// lines that it goes on in, but without the end of the last one.
size_t directiveLength(llvm::StringRef Text);

class SourceTokens {
public:
  /// \p Text must outlive the tokens.
  explicit SourceTokens(llvm::StringRef Text);

  /// Those of \p File, but the word of the token \p I is \p NameOf(I) where
  /// that is not empty. Owns these names. at() is not for it.
  SourceTokens(const SourceTokens &File,
               llvm::function_ref<std::string(uint32_t I)> NameOf);

  /// The token at \p Line and \p Column, which begin at 1, or the next one of
  /// the line. Column 0 is the first of the line. Nothing if there is none.
  std::optional<uint32_t> at(uint32_t Line, uint32_t Column) const;

  const Token &operator[](uint32_t I) const { return Tokens[I]; }
  uint32_t size() const { return static_cast<uint32_t>(Tokens.size()); }
  const Statement &statement(uint32_t I) const { return Statements[I]; }

  /// The numbers of all tokens that are the word \p Name.
  llvm::ArrayRef<uint32_t> placesOf(llvm::StringRef Name) const {
    return find(Places, Name);
  }
  /// The numbers of those tokens \p Name that declare a variable.
  llvm::ArrayRef<uint32_t> declarationsOf(llvm::StringRef Name) const {
    return find(Declarations, Name);
  }

  /// The places of placesOf(\p Name) where it may be a variable. Found when
  /// they are asked for, at n log n.
  llvm::ArrayRef<VariablePlace> variablePlaces(llvm::StringRef Name) const;

  /// The brace that closes the block which \p S stands in, or the end.
  uint32_t blockEnd(uint32_t S) const {
    const uint32_t Block = Statements[S].Block;
    return Block != Statement::None && Tokens[Block].End ? Tokens[Block].End
                                                         : size();
  }

  /// The tokens that jump (`return`, `goto`), and labels, in their order.
  llvm::ArrayRef<uint32_t> jumps() const { return Jumps; }

  /// What \p Find finds of the token \p Place, which is asked once.
  const std::vector<std::string> &
  conditions(uint32_t Place,
             llvm::function_ref<std::vector<std::string>()> Find) const;

  /// Calls \p Visit with each token of the statement itself, from the token
  /// \p Begin on, before the token \p End.
  void forEachOwn(uint32_t S, uint32_t Begin, uint32_t End,
                  llvm::function_ref<void(uint32_t)> Visit) const;

private:
  class Parser;

  using PlaceMap =
      llvm::DenseMap<llvm::StringRef, llvm::SmallVector<uint32_t, 2>>;

  static llvm::ArrayRef<uint32_t> find(const PlaceMap &Map,
                                       llvm::StringRef Name) {
    auto Found = Map.find(Name);
    return Found == Map.end() ? llvm::ArrayRef<uint32_t>() : Found->second;
  }

  void split(llvm::StringRef Text);
  void findNames();
  bool isVariable(uint32_t I) const;
  std::vector<VariablePlace> findVariable(llvm::StringRef Name) const;

  /// Where the text of the file begins.
  const char *Base;
  std::shared_ptr<llvm::BumpPtrAllocator> Names;
  std::vector<Token> Tokens;
  std::vector<Statement> Statements;
  PlaceMap Places, Declarations;
  std::vector<uint32_t> Jumps;
  mutable llvm::DenseMap<llvm::StringRef, std::vector<VariablePlace>> Variables;
  mutable std::map<uint32_t, std::vector<std::string>> Conditions;
};

inline bool isWord(const Token &T) { return T.Is == Token::Kind::Word; }

/// The text of \p T, where NULL is nullptr.
inline llvm::StringRef meantText(const Token &T) {
  return T.is("NULL") ? llvm::StringRef("nullptr") : T.Text;
}

/// A bracket of any kind but `<`.
inline bool opens(const Token &T) {
  return T.is("(") || T.is("[") || T.is("{");
}
inline bool closes(const Token &T) {
  return T.is(")") || T.is("]") || T.is("}");
}

/// What joins the words of a name.
inline bool isJoint(const Token &T) {
  return T.is(".") || T.is("->") || T.is("::");
}

/// Whether the name of a member stands behind \p Sign.
inline bool isMemberSign(llvm::StringRef Sign) {
  return Sign == "." || Sign == "->";
}

/// Whether the word \p I of \p File is the name of a member of an object.
inline bool isMember(const SourceTokens &File, uint32_t I) {
  return I && isMemberSign(File[I - 1].Text);
}

/// Whether the sign \p Sign stands behind the token \p I of \p File.
inline bool isBefore(const SourceTokens &File, uint32_t I,
                     llvm::StringRef Sign) {
  return I + 1 < File.size() && File[I + 1].is(Sign);
}

/// A word that begins a statement with a condition, a loop, or a part of one.
bool isControl(const Token &T);

/// A word that ends what is done in a block or a function.
bool isJump(const Token &T);

/// The tokens of \p File from \p Begin on, before \p End. A line end follows
/// each.
std::string textBetween(const SourceTokens &File, uint32_t Begin, uint32_t End);

/// Where the type begins of what may be declared at \p I of \p File; \p I if
/// there is none.
uint32_t typeOf(const SourceTokens &File, uint32_t I);

/// Whether the word \p I of \p File declares a variable.
bool declares(const SourceTokens &File, uint32_t I);

/// \p File as if no variable of a function had a name of its own: each is
/// called by what it is declared as, and which of these it is in the function.
/// So whatever the tokens tell stays as it is when one is renamed.
SourceTokens withoutLocalNames(const SourceTokens &File);

} // namespace thermocline::callsites

#endif
