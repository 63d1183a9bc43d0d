//===- Profile/Raw/RawChecksums.h - Checks a raw profile --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_RAW_RAWCHECKSUMS_H
#define THERMOCLINE_LIB_PROFILE_RAW_RAWCHECKSUMS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace thermocline::profile {

/// What checksums cover: as much of a dump is the profile.
struct CheckedParts {
  uint64_t NumSegments;
  uint64_t RecordBytes;
  uint64_t NumStacks;
};

/// Makes the error of \p Section, which begins at \p Offset of the dump.
using DamageError = llvm::function_ref<llvm::Error(
    llvm::StringRef Section, uint64_t Offset, const llvm::Twine &Message)>;

/// Compares the checksums (thermocline/Format/RawChecksums.h) of the dump at
/// the beginning of \p Dump. None if it has none, or is cut off; whoever reads
/// it finds that. An error, by \p Damaged, says which section is damaged.
llvm::Expected<std::optional<CheckedParts>> checkDump(llvm::StringRef Dump,
                                                      DamageError Damaged);

} // namespace thermocline::profile

#endif
