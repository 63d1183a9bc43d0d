//===- Annotate/Statistics.h - What was matched, and what not ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts of one module, printed by -thermocline-use-stats. docs/annotate.md
// explains each line. Every allocation call of the module and every profiled
// context of the functions in it is in exactly one line of its section, but
// calls with a hint of the program's own are counted apart as well.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_STATISTICS_H
#define THERMOCLINE_ANNOTATE_STATISTICS_H

#include "thermocline/Support/Units.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <string>

namespace thermocline::annotate {

struct ContextCount {
  uint64_t Contexts = 0;
  Bytes Size;
  /// The cold part of these.
  uint64_t ColdContexts = 0;
  Bytes ColdSize;
};

struct AnnotateStats {
  uint64_t Functions = 0;
  uint64_t FunctionsWithProfile = 0;
  /// Functions with a profile, none of whose calls is at a profiled place.
  uint64_t FunctionsMismatched = 0;
  /// Functions with a call where another function of their name has another.
  uint64_t FunctionsMixed = 0;
  /// Profiled functions whose statements are not known: the present ones, or
  /// those of then.
  uint64_t FunctionsUnread = 0;
  uint64_t FunctionsUnreadThen = 0;
  /// Places where the profile has a call in these functions, and how many of
  /// them have no call in the module.
  uint64_t ProfiledCalls = 0;
  uint64_t ProfiledCallsNotFound = 0;
  /// Functions with a profile that are left alone because they are compiled
  /// with -O0.
  uint64_t FunctionsNotOptimized = 0;
  /// Whether these are all that have a profile.
  bool isNothingOptimized() const {
    return FunctionsNotOptimized &&
           FunctionsNotOptimized == FunctionsWithProfile;
  }

  /// Frames of calls, in functions that were edited, that are none of the
  /// profiled source; contexts of allocations that were found again there.
  uint64_t FramesStale = 0;
  uint64_t Salvaged = 0;

  /// Calls of allocation functions.
  uint64_t Allocations = 0;
  uint64_t Matched = 0;
  uint64_t FunctionNotProfiled = 0;
  uint64_t PlaceNotProfiled = 0;
  uint64_t OtherCallers = 0;
  uint64_t WithoutLocation = 0;
  uint64_t KeptAnnotation = 0;
  uint64_t OwnHint = 0;
  uint64_t DefinedHere = 0;
  uint64_t OtherPrototype = 0;
  uint64_t MustTail = 0;
  /// Allocations by functions that only their attributes name.
  uint64_t UnknownFamily = 0;
  /// Such functions that the profile has allocations of, by name, with their
  /// families.
  std::map<std::string, std::string> WithoutVariant;
  /// Allocations in functions compiled with -O0.
  uint64_t NotOptimized = 0;
  /// Matched allocations whose innermost frames the profile does not know.
  uint64_t MatchedFurtherUp = 0;
  /// Matched indirect calls.
  uint64_t ThroughPointers = 0;

  /// What was written. A context is written once for each copy of its call.
  uint64_t MIBs = 0;
  uint64_t StackIds = 0;
  uint64_t Attributes = 0;
  /// Contexts that are not MIBs, once for each copy of their call, and the
  /// bytes that they were packed into.
  ContextCount Packed;

  /// Distinct contexts.
  ContextCount Attached;
  ContextCount NotSeen;
  ContextCount OtherVersion;
  ContextCount OtherCallee;
  ContextCount NotHintable;
  ContextCount OtherInlining;
  ContextCount Kept;

  /// Calls that got !callsite, allocations not counted.
  uint64_t Callsites = 0;
  uint64_t IndirectCallsites = 0;
  /// Targets that their value profiles lacked.
  uint64_t IndirectTargets = 0;
  uint64_t TailCallsites = 0;
  uint64_t CallsWithoutLocation = 0;
  /// Calls whose earlier annotation was removed.
  uint64_t Replaced = 0;

  void print(llvm::raw_ostream &OS, llvm::StringRef Module,
             llvm::StringRef Profile) const;
};

} // namespace thermocline::annotate

#endif
