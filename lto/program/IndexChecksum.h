//===- IndexChecksum.h - Whether an index is as it was written --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bit that flips in an index on its way to a backend changes linkage,
// imports, versions or hints, and the reader of LLVM finds most of that as good
// as before. So an index with decisions is wrapped as LLVM's bitcode can be, in
// a header whose first five fields are LLVM's and say where the bitcode is.
// Compilers of LLVM skip what else is in it:
//
//   | byte |                                                   |
//   | 0    | LLVM's magic of the wrapper                       |
//   | 4    | 0 (LLVM's version)                                |
//   | 8    | 32: where the bitcode begins                      |
//   | 12   | the size of the bitcode; it ends the file         |
//   | 16   | 0 (LLVM's CPU type)                               |
//   | 20   | "TCX1"                                            |
//   | 24   | XXH3, 64 bits, of the file with these bytes zero  |
//
// All numbers are little-endian. The digit in the tag changes with the form of
// what Thermocline notes in an index (Apply/IndexNotes.h). Indexes without
// decisions are as stock lld writes them, and have no checksum. One that has
// lost it shows by the settings that are noted in it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_INDEXCHECKSUM_H
#define THERMOCLINE_LTO_PROGRAM_INDEXCHECKSUM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace llvm {
class ModuleSummaryIndex;
} // namespace llvm

namespace thermocline::lto {

/// Writes the index \p Bitcode with a checksum. Returns an error, and writes
/// nothing, if it is larger than LLVM's wrapper can say.
llvm::Error writeWithChecksum(llvm::StringRef Bitcode, llvm::raw_ostream &OS);

/// The error says that \p Index, the contents of a file, has a checksum that it
/// does not fit.
llvm::Error verifyChecksum(llvm::StringRef Index);

/// The error says that \p File, which \p Index was read from, once had a
/// checksum.
llvm::Error verifyHasChecksum(llvm::StringRef File,
                              const llvm::ModuleSummaryIndex &Index);

} // namespace thermocline::lto

#endif
