//===- Annotate/Edits/CallEvidence.cpp - Is it still the same call? -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>

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

bool annotate::isTextKnown(const SourceCall &Then, const SourceCall &Now) {
  return Then.Text && Now.Text;
}

bool annotate::areConditionsKept(const SourceCall &Then,
                                 const SourceCall &Now) {
  return std::includes(Now.Conditions.begin(), Now.Conditions.end(),
                       Then.Conditions.begin(), Then.Conditions.end());
}

bool annotate::isKept(const SourceCall &Then, const SourceCall &Now) {
  return areConditionsKept(Then, Now) &&
         std::includes(Now.Sinks.begin(), Now.Sinks.end(), Then.Sinks.begin(),
                       Then.Sinks.end());
}

bool annotate::isForTheSame(const SourceCall &Then, const SourceCall &Now) {
  if (!isKept(Then, Now))
    return false;
  if (Then.Text == Now.Text)
    return true;
  if (Then.Target != Now.Target)
    return false;
  const bool IsPath = Then.Target & SourceCall::PathBit;
  if (IsPath && Then.Left == Now.Left)
    return true;
  if (!areNested(namesOf(Then), namesOf(Now)))
    return false;
  if (Then.Target)
    return true;
  return Then.Left == Now.Left &&
         (Then.Left || areNested(Then.Words, Now.Words));
}

bool annotate::isSameButCallee(const SourceCall &Then, const SourceCall &Now) {
  return Then.Target == Now.Target && Then.Left == Now.Left &&
         Then.Words == Now.Words;
}
