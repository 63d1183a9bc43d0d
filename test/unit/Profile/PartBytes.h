//===- unit/Profile/PartBytes.h - Bytes of a part for tests -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_UNIT_PROFILE_PARTBYTES_H
#define THERMOCLINE_TEST_UNIT_PROFILE_PARTBYTES_H

#include "thermocline/Support/Part.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace thermocline::test {

/// Where the one part of a file begins that has less than two words in front of
/// it, where its payload does, and how long what follows it is.
constexpr size_t Begin = 16, Payload = Begin + 48, Foot = 16;

inline void setWord(std::string &Bytes, size_t Offset, uint64_t Value) {
  llvm::support::endian::write64le(Bytes.data() + Offset, Value);
}

/// The checksum of what is there.
inline uint64_t rightChecksum(llvm::StringRef File) {
  return partChecksum(File.slice(Begin, File.size() - Foot));
}

} // namespace thermocline::test

#endif
