//===- Report/Coverage.cpp - What of a profile reaches a link -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Coverage.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::report;

StringRef report::describe(LossReason Reason) {
  switch (Reason) {
  case LossReason::NotInLink:
    return "function not found in the link";
  case LossReason::NotLTO:
    return "function is not LTO code";
  case LossReason::Dead:
    return "function removed as dead code";
  case LossReason::NoProfile:
    return "module has nothing of the profile";
  case LossReason::InsideCallee:
    return "allocated inside a function that is called there";
  case LossReason::OtherCallers:
    return "allocation compiled with other callers";
  case LossReason::PerhapsMarked:
    return "no such allocation in the summaries";
  case LossReason::NoSuchAllocation:
    return "no call there that could be hinted";
  }
  llvm_unreachable("all reasons have a text");
}

StringRef report::advice(LossReason Reason) {
  switch (Reason) {
  case LossReason::NotInLink:
    return "Its module is no longer linked, or is linked as machine code that "
           "no LTO module refers to by this name, or the function is gone from "
           "the source.";
  case LossReason::NotLTO:
    return "Its module, or the library that it is from, was compiled without "
           "-flto; compile it with thermocline-use.cfg. A shared library is "
           "hinted in its own link.";
  case LossReason::Dead:
    return "The program was profiled when the function was still called; "
           "profile it again.";
  case LossReason::NoProfile:
    return "No call in its module has a place of the profile: it was compiled "
           "without the profile or without the annotating pass, or its whole "
           "source has changed.";
  case LossReason::InsideCallee:
    return "A function of a library or of code without debug information "
           "allocates; no call in the program can be hinted.";
  case LossReason::OtherCallers:
    return "The function was inlined elsewhere than before; or a caller was "
           "edited in a module whose compiler does not describe its calls; or "
           "the copy that is linked comes from a module that was compiled with "
           "another profile.";
  case LossReason::PerhapsMarked:
    return "The source has changed since the profile was made; or all contexts "
           "of the allocation are alike, and stock clang marked the call in "
           "code that was not compiled by this link.";
  case LossReason::NoSuchAllocation:
    return "The source has changed since the profile was made, or the module "
           "was compiled with another profile, or the call is virtual, goes "
           "through a pointer of a type that no allocation function has, was "
           "left alone (a hint of its own) or optimized away.";
  }
  llvm_unreachable("all reasons have an advice");
}

std::string ProfileCoverage::describeElsewhere() const {
  std::string Result;
  for (const BinaryShare &B : Elsewhere)
    if (B.Cold.Contexts)
      Result += (Result.empty() ? "" : "; ") + B.Name + " " +
                formatCount(B.Cold.Contexts, "context") + ", " +
                formatBytes(B.Cold.Size);
  return Result;
}

StringRef ProfileCoverage::coldBytesText() const {
  return Elsewhere.empty() ? "the profile's cold bytes"
                           : "the cold bytes of the link's part of the profile";
}

std::string report::describe(const MachineCodeLoss &Loss) {
  std::string Text = (Loss.File.empty() ? "no file that is known" : Loss.File) +
                     ": " + Loss.Function;
  if (Loss.Functions > 1)
    Text += " and " + formatCount(Loss.Functions - 1, "more function");
  return Text;
}

std::string ProfileCoverage::describeColdBy() const {
  if (!ModulesSoCompiled)
    return "Cold by default thresholds, as the bitcode tells none: " + ColdBy;
  if (ModulesSoCompiled == Modules)
    return "Cold as the modules were compiled: " + ColdBy;
  return "Cold as " + formatCount(ModulesSoCompiled) + " of " +
         formatCount(Modules, "module") +
         (ModulesSoCompiled == 1 ? " was" : " were") + " compiled: " + ColdBy;
}

bool ProfileCoverage::isLossConsiderable() const {
  // Some bytes are always allocated inside of libraries.
  constexpr double Share = 0.05;
  return static_cast<double>(ColdLost.Size.count()) >
         Share * static_cast<double>(Cold.Size.count());
}
