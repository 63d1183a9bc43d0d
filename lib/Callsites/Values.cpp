//===- Callsites/Values.cpp - What a variable was set to ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "Conditions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::callsites;

namespace {

class ValueReader {
public:
  ValueReader(const SourceTokens &File, uint32_t At,
              const std::set<StringRef> &Variables, std::set<uint16_t> &To)
      : File(File), At(At), Variables(Variables), To(To) {}

  void read(uint32_t Begin) {
    for (uint32_t I = Begin + 1; I + 1 < At; ++I)
      if (File[I].Is == Token::Kind::Word && Variables.count(File[I].Text) &&
          isDeclared(I))
        Declared.insert(File[I].Text);
    // For each parenthesis that is open, whether it is that of a `for`.
    SmallVector<bool, 8> Open;
    for (uint32_t I = Begin; I < At; ++I) {
      const Token &T = File[I];
      if (T.is("("))
        Open.push_back(I != Begin && File[I - 1].is("for"));
      else if (T.is(")") && !Open.empty())
        Open.pop_back();
      else if (T.Is == Token::Kind::Word && Declared.count(T.Text) &&
               !(!Open.empty() && Open.back()))
        readAt(Begin, I);
    }
  }

private:
  /// Reads what the variable at the token \p I is set to there, if it is.
  void readAt(uint32_t Begin, uint32_t I) {
    if (I == Begin || I + 1 >= At || isMember(I))
      return;
    const Token &Next = File[I + 1];
    if (Next.is("="))
      add(I + 2);
    else if ((Next.is("(") || Next.is("{")) && isDeclared(I))
      add(I + 1);
  }

  bool isMember(uint32_t I) const {
    for (StringRef Sign : {".", "->", "::"})
      if (File[I - 1].is(Sign))
        return true;
    return false;
  }

  /// Whether the name \p I is declared there: a type stands in front of it, or
  /// it is what a lambda captures.
  bool isDeclared(uint32_t I) const {
    const Token &Before = File[I - 1], &Next = File[I + 1];
    if (none_of(ArrayRef<StringRef>({"=", "(", "{", ";", ",", ")", "["}),
                [&](StringRef Sign) { return Next.is(Sign); }))
      return false;
    if (Before.Is == Token::Kind::Word)
      return !isControl(Before) && !Before.is("return") && !Before.is("new") &&
             !Before.is("delete") && !Before.is("throw");
    if (Before.is("["))
      return Next.is("=");
    // `T *x`, but not `a = b * x`.
    return (Before.is(">") || Before.is("*") || Before.is("&")) && I >= 2 &&
           (File[I - 2].Is == Token::Kind::Word || File[I - 2].is("*") ||
            File[I - 2].is(">"));
  }

  /// Adds the expression that begins with the token \p I, if it ends in front
  /// of the call.
  void add(uint32_t I) {
    std::string Text;
    unsigned Depth = 0;
    for (; I < At; ++I) {
      const Token &T = File[I];
      if (T.is("(") || T.is("[") || T.is("{"))
        ++Depth;
      else if (T.is(")") || T.is("]") || T.is("}")) {
        if (!Depth)
          break;
        --Depth;
      } else if (T.is(";") || (T.is(",") && !Depth)) {
        break;
      }
      Text += isAmount(I) ? StringRef("0x") : T.Text;
      Text += '\n';
    }
    if (I < At)
      To.insert(
          static_cast<uint16_t>(xxh3_64bits("value\n" + Text) % 0xffff + 1));
  }

  /// Whether a number is not small, or is calculated with.
  bool isAmount(uint32_t I) const {
    if (File[I].Is != Token::Kind::Number)
      return false;
    constexpr unsigned MaxSelector = 31;
    unsigned Value = 0;
    for (StringRef Sign : {"+", "-", "*", "/"})
      if (File[I - 1].is(Sign) || (I + 1 < At && File[I + 1].is(Sign)))
        return true;
    return File[I].Text.getAsInteger(0, Value) || Value > MaxSelector;
  }

  const SourceTokens &File;
  const uint32_t At;
  const std::set<StringRef> &Variables;
  std::set<uint16_t> &To;
  /// Those of the function.
  std::set<StringRef> Declared;
};

} // namespace

void callsites::addValues(const SourceTokens &File, uint32_t Begin, uint32_t At,
                          const std::set<StringRef> &Variables,
                          std::set<uint16_t> &To) {
  ValueReader(File, At, Variables, To).read(Begin);
}
