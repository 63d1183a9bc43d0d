//===- Callsites/Sinks.cpp - Where a local variable goes ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sinks.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"
#include <string>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

/// A variable that goes nowhere is not looked for in the rest of a function
/// that a program has written.
static constexpr unsigned MaxStatements = 64;

namespace {

class Finder {
public:
  Finder(const SourceTokens &File, StringRef Variable)
      : File(File), Variable(Variable) {}

  std::vector<uint16_t> find(uint32_t Of) {
    uint32_t S = File.statement(Of).Next;
    for (unsigned I = 0; I != MaxStatements && S != Statement::None;
         ++I, S = File.statement(S).Next)
      if (!read(S))
        break;
    llvm::sort(Result);
    Result.erase(llvm::unique(Result), Result.end());
    return std::move(Result);
  }

private:
  using Numbers = ArrayRef<uint32_t>;

  void add(Numbers Place) {
    std::string Text;
    for (uint32_t I : Place)
      (Text += File[I].Text) += '\n';
    Result.push_back(static_cast<uint16_t>(xxh3_64bits(Text) % 0xffff + 1));
  }

  /// Reads one statement. Returns whether the variable is the same behind it.
  bool read(uint32_t S) {
    SmallVector<uint32_t, 32> Own;
    const Statement &Is = File.statement(S);
    File.forEachOwn(S, Is.First, Is.Last + 1,
                    [&](uint32_t I) { Own.push_back(I); });
    const Numbers Tokens(Own);
    const auto *Assignment =
        find_if(Tokens, [&](uint32_t I) { return File[I].is("="); });
    const size_t Behind = Assignment - Tokens.begin();
    if (Behind == 1 && File[Tokens.front()].is(Variable))
      return false;
    for (size_t I = 0; I != Tokens.size(); ++I) {
      if (!isWhole(Tokens, I))
        continue;
      if (File[Tokens.front()].is("return"))
        add(Tokens.take_front());
      else if (I > Behind && isPlace(Tokens.take_front(Behind)))
        add(Tokens.take_front(Behind));
      else
        addTaker(Tokens.take_front(I));
    }
    return true;
  }

  /// Whether the token \p I is the variable, and nothing is read through it.
  bool isWhole(Numbers Tokens, size_t I) const {
    if (File[Tokens[I]].Is != Token::Kind::Word ||
        File[Tokens[I]].Text != Variable)
      return false;
    for (StringRef Sign : {".", "->", "::", "*", "&"})
      if (I && File[Tokens[I - 1]].is(Sign))
        return false;
    for (StringRef Sign : {";", ",", ")", "}"})
      if (I + 1 < Tokens.size() && File[Tokens[I + 1]].is(Sign))
        return true;
    return false;
  }

  /// Whether an assignment to these sets a member, an element, what a pointer
  /// points to, or a variable that it does not declare.
  bool isPlace(Numbers Left) const {
    if (Left.size() == 1)
      return File[Left.front()].Is == Token::Kind::Word;
    if (Left.empty() || File[Left.front()].is("*"))
      return !Left.empty();
    return any_of(Left, [&](uint32_t I) {
      return File[I].is(".") || File[I].is("->") || File[I].is("[");
    });
  }

  /// The object of the innermost call that goes on behind \p Before, if it is a
  /// call of a member.
  void addTaker(Numbers Before) {
    // `move(` and the like hand on.
    while (true) {
      unsigned Depth = 0;
      size_t I = Before.size();
      while (I && !(Depth == 0 && File[Before[I - 1]].is("("))) {
        if (File[Before[I - 1]].is(")"))
          ++Depth;
        else if (File[Before[I - 1]].is("("))
          --Depth;
        --I;
      }
      if (I < 2)
        return;
      const size_t Name = I - 2;
      if (Name >= 2 &&
          (File[Before[Name - 1]].is(".") || File[Before[Name - 1]].is("->")))
        return add(objectBefore(Before.take_front(Name - 1)));
      Before = Before.take_front(Name);
    }
  }

  /// The path of names that \p Tokens end with.
  Numbers objectBefore(Numbers Tokens) const {
    size_t Begin = Tokens.size();
    while (Begin && (File[Tokens[Begin - 1]].Is == Token::Kind::Word ||
                     File[Tokens[Begin - 1]].is(".") ||
                     File[Tokens[Begin - 1]].is("->")))
      --Begin;
    return Tokens.drop_front(Begin);
  }

  const SourceTokens &File;
  const StringRef Variable;
  std::vector<uint16_t> Result;
};

} // namespace

std::vector<uint16_t> callsites::sinksOf(const SourceTokens &File, uint32_t Of,
                                         StringRef Variable) {
  return Finder(File, Variable).find(Of);
}
