//===- Profile/Indexed/MemProfWriter.h - Writes the memory profile -*- C++ -*-//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the memory profile of an indexed file, of versions 3 and 4, from the
// tree of call stacks, without the tables that LLVM's writer takes: these need
// several times the time and the memory.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_MEMPROFWRITER_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_MEMPROFWRITER_H

#include "thermocline/Profile/HeapProfile.h"
#include <string>

namespace thermocline::profile {

/// Replaces the memory profile in \p File, an indexed file that LLVM's writer
/// wrote, by \p Heap. Equal profiles give equal bytes, in whatever order they
/// were added. \p DataAccesses are the bytes of the profile of accesses to
/// static data, which version 4 has; there may be none. Returns the checksum of
/// the memory profile (MemProfChecksum).
uint64_t replaceMemProf(std::string &File, const HeapProfile &Heap,
                        const llvm::memprof::MemProfSchema &Schema,
                        llvm::memprof::IndexedVersion Version,
                        llvm::StringRef DataAccesses = "");

/// The checksum of the memory profile that LLVM's writer makes of \p Tables, of
/// version 2.
uint64_t checksumOf(const llvm::memprof::IndexedMemProfData &Tables,
                    const llvm::memprof::MemProfSchema &Schema);

} // namespace thermocline::profile

#endif
