//===- Apply/Statistics.h - What the backends did ------------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_STATISTICS_H
#define THERMOCLINE_APPLY_STATISTICS_H

#include "thermocline/Annotate/AllocationFunctions.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace thermocline::apply {

/// Why an allocation that is marked cold kept its plain call.
enum class NotLowered : uint8_t {
  /// The call is indirect, or does not call a known allocation function.
  UnknownFunction,
  /// The program defines the function itself, or declares another prototype.
  OwnAllocator,
  /// The program passes a hint of its own.
  OwnHint,
  /// A musttail call cannot take a further argument.
  MustTail,
  /// The linker was told to let the name mean another function.
  Redefined,
  /// The program names a cold variant that the link does not have.
  NoVariant,
  /// The program names a cold variant that is something else.
  UnfitVariant,
};
constexpr unsigned NumNotLowered =
    static_cast<unsigned>(NotLowered::UnfitVariant) + 1;

/// "unknown allocation function", ...: the text that reports print.
llvm::StringRef describe(NotLowered Reason);

/// Counts of one module, or of several added up.
struct ApplyStatistics {
  /// Versions made beyond the originals, of functions defined in the module,
  /// not of copies imported for inlining.
  uint64_t ClonesMade = 0;
  /// Calls, counted in each version, that now call a version other than the
  /// original.
  uint64_t CallsRedirected = 0;
  /// Targets of indirect calls, counted in each version, of which a version
  /// other than the original is now called directly.
  uint64_t CallsPromoted = 0;
  /// Copies for inlining that were given up, because their records could not
  /// be found or did not match.
  uint64_t CopiesDropped = 0;
  /// Functions of the module itself whose contexts have no sizes in the index.
  /// Written indexes have them of none.
  uint64_t FunctionsWithoutSizes = 0;
  /// Allocations, counted in each version, that now call the cold function, by
  /// AllocationKind.
  std::array<uint64_t,
             static_cast<unsigned>(annotate::AllocationKind::Strndup) + 1>
      Lowered = {};
  /// Such allocations by functions that the program names, by their names.
  std::map<std::string, uint64_t> LoweredNamed;
  std::array<uint64_t, NumNotLowered> NotLoweredBy = {};

  uint64_t allLowered() const;
  ApplyStatistics &operator+=(const ApplyStatistics &Other);
};

} // namespace thermocline::apply

#endif
