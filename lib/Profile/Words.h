//===- Profile/Words.h - Numbers of our parts of profiles -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What our parts of indexed profiles consist of: words of 8 bytes, little
// endian, and bytes that are filled up to them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_WORDS_H
#define THERMOCLINE_LIB_PROFILE_WORDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <string>

namespace thermocline::profile {

inline constexpr uint64_t WordSize = sizeof(uint64_t);

inline void putWord(std::string &Into, uint64_t Number) {
  char Bytes[WordSize];
  llvm::support::endian::write64le(Bytes, Number);
  Into.append(Bytes, WordSize);
}

/// \p At is at most so much that a word follows.
inline uint64_t wordAt(llvm::StringRef Bytes, uint64_t At) {
  return llvm::support::endian::read64le(Bytes.data() + At);
}

inline void padToWord(std::string &Into) {
  Into.resize(llvm::alignTo(Into.size(), WordSize), '\0');
}

} // namespace thermocline::profile

#endif
