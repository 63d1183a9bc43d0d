//===- Support/Words.h - Payloads of words ----------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What most parts of ours (Format/Part.h) consist of: words of 8 bytes, little
// endian, and bytes that are filled up to them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_WORDS_H
#define THERMOCLINE_SUPPORT_WORDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <set>
#include <string>

namespace thermocline {

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

/// Takes a payload of words and bytes from front to back. Reads nothing behind
/// its end.
class WordReader {
public:
  explicit WordReader(llvm::StringRef Bytes) : Rest(Bytes) {}

  bool empty() const { return Rest.empty(); }
  /// Bytes that are left.
  llvm::StringRef rest() const { return Rest; }

  std::optional<uint64_t> number() {
    std::optional<llvm::StringRef> Bytes = take(WordSize);
    if (!Bytes)
      return std::nullopt;
    return wordAt(*Bytes, 0);
  }
  std::optional<llvm::StringRef> take(uint64_t Size) {
    if (Size > Rest.size())
      return std::nullopt;
    llvm::StringRef Result = Rest.take_front(Size);
    Rest = Rest.drop_front(Size);
    return Result;
  }
  /// \p Count numbers, ascending. Returns whether they are there.
  bool numbers(uint64_t Count, std::set<uint64_t> &Into) {
    if (Count > Rest.size() / WordSize)
      return false;
    std::set<uint64_t> Read;
    for (uint64_t I = 0; I != Count; ++I) {
      const uint64_t Number = *number();
      if (!Read.empty() && Number <= *Read.rbegin())
        return false;
      Read.insert(Read.end(), Number);
    }
    Into.merge(Read);
    return true;
  }
  /// A count and as many numbers, ascending.
  bool countedNumbers(std::set<uint64_t> &Into) {
    const std::optional<uint64_t> Count = number();
    return Count && numbers(*Count, Into);
  }

private:
  llvm::StringRef Rest;
};

/// Puts what WordReader::countedNumbers() reads.
inline void putCounted(std::string &Into, const std::set<uint64_t> &Numbers) {
  putWord(Into, Numbers.size());
  for (uint64_t Number : Numbers)
    putWord(Into, Number);
}

} // namespace thermocline

#endif
