//===- program/ProfileCoverage.h - What of a profile a link has -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: of all contexts of a profile, find those that no allocation of the
// link carries.
//
// A context of the link is found in the profile by its id, if the summary has
// it. Annotations that trim contexts keep at most one id, and stock clang's
// keeps none. Such a context stands for all contexts of the profile that begin
// with its frames, below which comes the function that owns the allocation. If
// the annotation of an allocation omits contexts that are not cold, these are
// not taken for lost. Without ids, two allocations of one owner with the same
// callers cannot be told apart, and a context counts for both. Marks that are
// in the code alone are known only for code that was seen.
//
// What was allocated in another binary of the process is not lost, but for the
// link of that one (LinkedBinaries).
//
// Several copies of one context, in modules or by inlining, are one context of
// the profile, and count once.
//
// Cost: linear in the frames of the link's contexts and of the profile's.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_PROFILECOVERAGE_H
#define THERMOCLINE_LTO_PROGRAM_PROFILECOVERAGE_H

#include "CodeInventory.h"
#include "LinkBases.h"
#include "LinkedBinaries.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Report/Coverage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>

namespace thermocline::lto {

/// A function that is machine code.
struct FunctionInFile {
  /// As report::MachineCodeLoss::File; empty if it is in no known file.
  std::string File;
  /// The linkage name.
  std::string Name;
};

/// Finds the machine code of a function among the inputs of a link.
using FindMachineCode =
    std::function<FunctionInFile(llvm::GlobalValue::GUID Function)>;

/// Compares \p Profile with all parts of a link, whose functions are those of
/// \p Code, and which makes the binaries of \p Own. \p Names names functions in
/// the result. What is cold is decided by
/// the thresholds of \p Bases, or by the default ones if no module tells any.
/// \p MachineCode tells where functions are that are no bitcode, if it is
/// known. The error is that of a damaged profile.
llvm::Expected<report::ProfileCoverage>
coverageOf(const profile::IndexedProfile &Profile,
           llvm::ArrayRef<const context::ContextProgram *> Parts,
           const CodeInventory &Code, const LinkedBinaries &Own,
           const profile::FunctionNames &Names, const LinkBases &Bases,
           FindMachineCode MachineCode = nullptr);

/// One sentence on a loss, for a warning: how much, and why.
std::string describeLoss(const report::ProfileCoverage &Coverage);

/// A warning that modules which agree on thresholds were compiled with a
/// profile that says something else of their contexts. Empty if it does not.
std::string describeContradiction(const report::ProfileCoverage &Coverage);

/// What the modules tell of the predicted working set, if the model of touched
/// pages decided in all of them.
std::optional<report::ProfileWorkingSet> predictedBy(const LinkBases &Bases);

} // namespace thermocline::lto

#endif
