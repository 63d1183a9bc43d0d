//===- Callsites/PGOOptions.h - What clang was told of PGO ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CALLSITES_PGOOPTIONS_H
#define THERMOCLINE_CALLSITES_PGOOPTIONS_H

#include <optional>
#include <string>

namespace llvm {
class PassBuilder;
}

namespace thermocline::callsites {

/// The file given to clang's -fmemory-profile-use= or, failing that,
/// -fprofile-use=; empty if neither was given.
std::string pgoProfileFile(const llvm::PassBuilder &PB);

/// Whether edges of functions are counted (-fprofile-generate), or counts of
/// them are read (-fprofile-use=). Nothing else may then change the shape that
/// functions have at that point.
bool countsEdges(const llvm::PassBuilder &PB);

/// What a compilation asked for besides its code.
struct ProfilingOptions {
  /// The file given to -fmemory-profile-use=, or empty.
  std::string MemoryProfile;
  /// -fdebug-info-for-profiling.
  bool Discriminators = false;
};

/// Has the pipelines that \p PB builds next be those of a compilation without
/// PGO, if a heap profile or debug information for profiling is all that was
/// asked for. LLVM takes either for PGO: it inlines twice, and leaves calls for
/// later that it would inline, so that programs became slower of which nothing
/// is hinted.
/// \returns what then has to be added to the pipelines; nothing if they stay.
std::optional<ProfilingOptions> takeProfilingOptions(llvm::PassBuilder &PB);

} // namespace thermocline::callsites

#endif
