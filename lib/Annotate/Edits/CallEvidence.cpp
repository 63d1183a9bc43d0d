//===- Annotate/Edits/CallEvidence.cpp - Is it still the same call? -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using profile::SourceCall;

static ArrayRef<uint16_t> namesOf(const SourceCall &Call) {
  const ArrayRef<uint16_t> Words(Call.Words);
  return Words.take_while(
      [](uint16_t Word) { return Word < SourceCall::AmountBit; });
}

/// Whether the words of one are among those of the other.
static bool areNested(ArrayRef<uint16_t> A, ArrayRef<uint16_t> B) {
  // There may have been more.
  if (A.size() == SourceCall::MaxWords || B.size() == SourceCall::MaxWords)
    return A == B;
  return std::includes(A.begin(), A.end(), B.begin(), B.end()) ||
         std::includes(B.begin(), B.end(), A.begin(), A.end());
}

/// Whether one of them is what is left of the other if some are taken out.
static bool areInOrder(ArrayRef<uint16_t> A, ArrayRef<uint16_t> B) {
  // There may have been more.
  if (A.size() == SourceCall::MaxPieces || B.size() == SourceCall::MaxPieces)
    return A == B;
  if (A.size() > B.size())
    std::swap(A, B);
  for (uint16_t Piece : B)
    if (!A.empty() && A.front() == Piece)
      A = A.drop_front();
  return A.empty();
}

/// Whether the arguments of one are those of the other and more. What is called
/// in C++ takes no more than it took if it has the same name, but may have let
/// some be what they are by default.
static bool areArgumentsKept(const SourceCall &Then, const SourceCall &Now) {
  if (Then.Base && Now.Base && Then.Callee == Now.Callee)
    return Then.Arguments == Now.Arguments;
  return areInOrder(Then.Arguments, Now.Arguments);
}

/// Whether variables among the arguments are still what they were set to.
static bool isGivenTheSame(const SourceCall &Then, const SourceCall &Now) {
  return std::includes(Now.Given.begin(), Now.Given.end(), Then.Given.begin(),
                       Then.Given.end());
}

bool annotate::isTextKnown(const SourceCall &Then, const SourceCall &Now) {
  return Then.Text && Now.Text;
}

bool annotate::areArgumentsSame(const SourceCall &Then, const SourceCall &Now) {
  // There may have been more.
  return Then.Arguments == Now.Arguments &&
         Then.Arguments.size() < SourceCall::MaxPieces &&
         isGivenTheSame(Then, Now);
}

bool annotate::areConditionsKept(const SourceCall &Then,
                                 const SourceCall &Now) {
  return std::includes(Now.Conditions.begin(), Now.Conditions.end(),
                       Then.Conditions.begin(), Then.Conditions.end());
}

/// Whether what is made still goes where it went. It may go to another place as
/// well, if that is of a kind where it went, and none depends on a condition
/// that it did not depend on. If it goes to no other place, some may depend on
/// more conditions.
static bool areSinksKept(ArrayRef<uint16_t> Then, ArrayRef<uint16_t> Now) {
  auto KindOf = [](uint16_t Sink) -> uint16_t {
    return Sink & SourceCall::SinkKind;
  };
  auto NumOf = [&](ArrayRef<uint16_t> Sinks, uint16_t Kind) {
    return count_if(Sinks, [&](uint16_t S) { return KindOf(S) == Kind; });
  };
  bool IsMore = false;
  for (uint16_t Kind : {SourceCall::SinkTaken, SourceCall::SinkStored,
                        SourceCall::SinkExchanged}) {
    const auto NumThen = NumOf(Then, Kind), NumNow = NumOf(Now, Kind);
    IsMore |= NumNow > NumThen;
    if (NumNow > NumThen && NumThen == 0)
      return false;
  }
  return std::includes(Now.begin(), Now.end(), Then.begin(), Then.end()) &&
         (!IsMore || NumOf(Then, SourceCall::SinkUnder) ==
                         NumOf(Now, SourceCall::SinkUnder));
}

bool annotate::isHandedOn(const SourceCall &Call) {
  return Call.IsReturned && none_of(Call.Sinks, [](uint16_t Sink) {
           const uint16_t Kind = Sink & SourceCall::SinkKind;
           return Kind == SourceCall::SinkExchanged ||
                  (Kind == SourceCall::SinkStored &&
                   Sink != SourceCall::SinkReturned);
         });
}

bool annotate::isKept(const SourceCall &Then, const SourceCall &Now) {
  return areConditionsKept(Then, Now) && areSinksKept(Then.Sinks, Now.Sinks);
}

/// Whether one stores its result at once, and the other one in a variable
/// first.
static bool isVariableBetween(const SourceCall &Then, const SourceCall &Now) {
  const SourceCall &Other = Then.StoredAs ? Now : Then;
  return (Then.StoredAs != 0) != (Now.StoredAs != 0) && Other.Target &&
         !(Other.Target & SourceCall::PathBit) && !Other.Sinks.empty();
}

/// Where the result goes, in whatever way.
static std::vector<uint16_t> placesOf(const SourceCall &Call) {
  return Call.StoredAs ? std::vector<uint16_t>{Call.StoredAs} : Call.Sinks;
}

/// Whether the result may be a number, or is not used.
static bool mayBeStatus(const SourceCall &Call) {
  return !(Call.Target & SourceCall::PathBit) && !Call.StoredAs &&
         !Call.IsReturned;
}

/// Whether one looks at what it returns, and the other one does not: `f(a);`
/// and `if (f(a) < 0)`, or `rc = f(a);` and `f(a);`.
static bool isSameButStatus(const SourceCall &Then, const SourceCall &Now) {
  return mayBeStatus(Then) && mayBeStatus(Now) &&
         (Then.Target == Now.Target || !Then.Target || !Now.Target) &&
         Then.Sinks == Now.Sinks && !Then.Arguments.empty() &&
         areArgumentsSame(Then, Now) && areNested(Then.Words, Now.Words) &&
         areInOrder(Then.Around, Now.Around);
}

bool annotate::isForTheSame(const SourceCall &Then, const SourceCall &Now) {
  if (isVariableBetween(Then, Now))
    return Then.Conditions == Now.Conditions &&
           areSinksKept(placesOf(Then), placesOf(Now)) &&
           areNested(namesOf(Then), namesOf(Now)) &&
           areInOrder(Then.Around, Now.Around) && areArgumentsKept(Then, Now);
  if (!isKept(Then, Now))
    return false;
  if (Then.Text == Now.Text)
    return true;
  if (isSameButStatus(Then, Now))
    return true;
  if (Then.Target != Now.Target)
    return false;
  const bool IsPath = Then.Target & SourceCall::PathBit;
  if (IsPath && Then.Left == Now.Left)
    return true;
  if (!areNested(namesOf(Then), namesOf(Now)) ||
      !areInOrder(Then.Around, Now.Around) || !areArgumentsKept(Then, Now))
    return false;
  if (Then.Target)
    return true;
  return Then.Left == Now.Left &&
         (Then.Left || areNested(Then.Words, Now.Words));
}

bool annotate::isSameStep(const SourceCall &Then, const SourceCall &Now) {
  if (!isGivenTheSame(Then, Now))
    return false;
  if (Then.Text == Now.Text)
    return true;
  if (Then.Target != Now.Target)
    return false;
  return areNested(namesOf(Then), namesOf(Now)) &&
         (namesOf(Then) != namesOf(Now) || areArgumentsKept(Then, Now));
}

bool annotate::isSameButCallee(const SourceCall &Then, const SourceCall &Now) {
  return Then.Target == Now.Target && Then.Left == Now.Left &&
         Then.Words == Now.Words && Then.Arguments == Now.Arguments &&
         Then.Around == Now.Around;
}
