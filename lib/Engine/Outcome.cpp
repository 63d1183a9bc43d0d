//===- lib/Engine/Outcome.cpp - What became of a context ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Engine/Outcome.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline::context;

StringRef thermocline::context::describe(Outcome O) {
  switch (O) {
  case Outcome::KeptNotCold:
    return "kept not-cold";
  case Outcome::HintedCold:
    return "hinted cold";
  case Outcome::UnmatchedFrame:
    return "unmatched frame";
  case Outcome::IndirectCall:
    return "indirect call";
  case Outcome::OutsideLink:
    return "outside the link";
  case Outcome::NotClonable:
    return "function that cannot be cloned";
  case Outcome::AmbiguousTailCall:
    return "ambiguous tail call";
  case Outcome::Collides:
    return "collides with a not-cold context";
  case Outcome::OverBudget:
    return "over budget";
  case Outcome::HintedIfPointer:
    return "hinted if the call leads to the allocator";
  case Outcome::HintedIfNotAgain:
    return "hinted if no tail call enters it again";
  case Outcome::HintedIfNotInlined:
    return "hinted unless code without a record inlined it";
  case Outcome::Redefined:
    return "allocation function redefined by the link";
  case Outcome::NoVariant:
    return "no cold variant in the link";
  case Outcome::OwnHint:
    return "hinted by the program itself";
  case Outcome::ChosenAtStart:
    return "function chosen when the program starts";
  case Outcome::TakesNoHint:
    return "allocation that takes no hint";
  case Outcome::WorthTooLittle:
    return "worth too little";
  case Outcome::FalseCold:
    return "not-cold hinted cold within the limit";
  case Outcome::RanElsewhere:
    return "ran in an inlined copy";
  case Outcome::EntersFromElsewhere:
    return "enters from another binary";
  case Outcome::CopyWithoutProfile:
    return "linked copy without the profile";
  case Outcome::RanInOtherBinary:
    return "ran in another binary's copy";
  }
  llvm_unreachable("unknown outcome");
}
