//===- Profile/Indexed/BinaryTrailer.h - Binaries in a file -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of an indexed profile that says which binary has what
// (thermocline/Format/BinaryTrailer.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_BINARYTRAILER_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_BINARYTRAILER_H

#include "thermocline/Profile/BinaryMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace thermocline::profile {

/// Appends the trailer to \p File, an indexed profile whose memory profile has
/// the checksum \p ProfileChecksum.
void appendBinaryTrailer(std::string &File, uint64_t ProfileChecksum,
                         const BinaryMap &Binaries);

/// Reads the trailer at the end of \p Contents, an indexed profile without its
/// trailer of windows, whose memory profile has the checksum \p
/// ProfileChecksum. No binaries if there is no trailer. Errors do not name the
/// file.
llvm::Expected<BinaryMap> readBinaryTrailer(llvm::StringRef Contents,
                                            uint64_t ProfileChecksum);

/// What is in front of that trailer, or all of \p Contents without it.
llvm::StringRef beforeBinaryTrailer(llvm::StringRef Contents);

} // namespace thermocline::profile

#endif
