//===- Profile/Indexed/BinaryPart.h - Binaries in a file --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of an indexed profile that says which binary has what
// (thermocline/Format/BinaryPart.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_BINARYPART_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_BINARYPART_H

#include "thermocline/Profile/BinaryMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace thermocline::profile {

/// Appends the part to \p File, an indexed profile whose memory profile has the
/// checksum \p ProfileChecksum.
void appendBinaries(std::string &File, uint64_t ProfileChecksum,
                    const BinaryMap &Binaries);

/// Reads the part of \p Contents, an indexed profile whose memory profile has
/// the checksum \p ProfileChecksum. No binaries if there is no such part.
/// Errors do not name the file.
llvm::Expected<BinaryMap> readBinaries(llvm::StringRef Contents,
                                       uint64_t ProfileChecksum);

} // namespace thermocline::profile

#endif
