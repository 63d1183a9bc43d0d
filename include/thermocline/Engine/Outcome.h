//===- Engine/Outcome.h - What became of a context --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ENGINE_OUTCOME_H
#define THERMOCLINE_ENGINE_OUTCOME_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace thermocline::context {

/// What became of a context, from a closed list. This is the engine's own view,
/// which the audit checks.
enum class Outcome : uint8_t {
  /// A context profiled not-cold, which gets no cold hint.
  KeptNotCold,
  /// A cold context that reaches only cold versions.
  HintedCold,
  /// A frame of it matches no callsite of the link.
  UnmatchedFrame,
  /// One of its calls is indirect and cannot be redirected.
  IndirectCall,
  /// One of its callees is defined outside the link.
  OutsideLink,
  /// A function on its way cannot be cloned.
  NotClonable,
  /// A frame of it is missing because of a tail call, and several chains of
  /// tail calls could have been there.
  AmbiguousTailCall,
  /// It cannot be told apart from a context profiled not-cold:
  /// EngineResult::CollidesWith names it.
  Collides,
  /// The clones that it needs do not fit EngineOptions::MaxInstructionsAdded.
  OverBudget,
  /// As HintedCold, but its allocation goes through a pointer, or reaches an
  /// operator new of the program's own, and these may lead to what takes no
  /// hint. The link does not know.
  HintedIfPointer,
  /// As HintedCold, but a tail call through a pointer may have entered a
  /// function on its way again, in version 0. The link does not know.
  HintedIfNotAgain,
  /// As HintedCold, but a call without a record leads to an inline function on
  /// its way. It may have that inlined, and then calls what is below in version
  /// 0, or allocates itself. The link does not know.
  HintedIfNotInlined,
  /// The link redefines the allocation function (--wrap, --defsym).
  Redefined,
  /// The link lacks the cold variant of the allocation function.
  NoVariant,
  /// The program passes a hint itself, which stays.
  OwnHint,
  /// The allocation takes no hint for another reason.
  TakesNoHint,
  /// One of its calls is of an ifunc, whose resolver chooses what is called
  /// when the program starts. The engine does not know that: the link does.
  ChosenAtStart,
  /// It saves fewer bytes of working set than EngineOptions::MinContextSize, or
  /// has fewer bytes where that is not known.
  WorthTooLittle,
  /// A context profiled not cold that is nevertheless hinted cold, within
  /// EngineOptions::MaxFalseCold.
  FalseCold,
  /// A cold context whose calls were inlined. It ran in the copy of the
  /// allocation that was inlined with them, and that copy's context has an
  /// outcome of its own.
  RanElsewhere,
  /// As UnmatchedFrame, but the call that matches none is in another binary of
  /// the process. The engine does not know that: whoever has the profile does.
  EntersFromElsewhere,
  /// As UnmatchedFrame, but the call that matches none is in an inline function
  /// whose linked copy is from a module without the profile. The engine does
  /// not know that: the link does.
  CopyWithoutProfile,
  /// Another binary of the process has a copy of the function that allocates,
  /// and calls it: the context is for the link of that one, and does not count
  /// here. The engine does not know that, either.
  RanInOtherBinary,
};
constexpr unsigned NumOutcomes =
    static_cast<unsigned>(Outcome::RanInOtherBinary) + 1;

/// Whether \p O is an outcome of a context that was profiled cold and counts.
inline bool isOfCold(Outcome O) {
  return O != Outcome::KeptNotCold && O != Outcome::FalseCold &&
         O != Outcome::RanElsewhere && O != Outcome::RanInOtherBinary;
}

/// Whether \p O is an outcome of a cold context that got a hint, if that has an
/// effect for sure or not.
inline bool isHinted(Outcome O) {
  return O == Outcome::HintedCold || O == Outcome::HintedIfPointer ||
         O == Outcome::HintedIfNotAgain || O == Outcome::HintedIfNotInlined;
}

/// Whether \p O is an outcome of a cold context that counts and got no hint.
inline bool isMissed(Outcome O) { return isOfCold(O) && !isHinted(O); }

/// "hinted cold", "unmatched frame", ...: the text that reports print.
llvm::StringRef describe(Outcome O);

} // namespace thermocline::context

#endif
