//===- Support/Part.h - Writes and reads a part -----------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one writer and the one reader of parts (Format/Part.h). A part is
// checked, and may be compressed. What is inside is not known here.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_PART_H
#define THERMOCLINE_SUPPORT_PART_H

#include "thermocline/Format/Part.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <set>
#include <string>

namespace thermocline {

enum class Compress : uint8_t { No, Fast, Best };

/// A kind of part, as one reader and one writer know it.
struct PartForm {
  uint64_t Kind;
  uint64_t Version;
  /// As errors name it.
  llvm::StringRef Name;
  Compress How = Compress::Fast;
};

/// What a part has inside.
class PartPayload {
public:
  explicit PartPayload(llvm::StringRef InPlace) : InPlace(InPlace) {}
  explicit PartPayload(llvm::SmallVector<uint8_t, 0> Unpacked)
      : Unpacked(std::move(Unpacked)) {}
  /// In the file, or in this object.
  llvm::StringRef bytes() const {
    return InPlace ? *InPlace
                   : llvm::StringRef(
                         reinterpret_cast<const char *>(Unpacked.data()),
                         Unpacked.size());
  }

private:
  std::optional<llvm::StringRef> InPlace;
  llvm::SmallVector<uint8_t, 0> Unpacked;
};

/// Appends a part to \p Buffer, whose size is a multiple of 8. \p NumLeft parts
/// are read after it.
void writePart(std::string &Buffer, const PartForm &Form,
               llvm::StringRef Payload, uint64_t NumLeft = 0);

/// The payload of the part \p Whole, from its head to its end. Errors do not
/// name the file.
llvm::Expected<PartPayload> parsePart(llvm::StringRef Whole,
                                      const PartForm &Form);

/// What the checksum in the head of the part \p Whole has to be.
uint64_t partChecksum(llvm::StringRef Whole);

/// An error of such a part.
llvm::Error malformedPart(const PartForm &Form, const llvm::Twine &Message);

// What most payloads consist of: words of 8 bytes, little endian, and bytes
// that are filled up to them.

inline constexpr uint64_t WordSize = sizeof(uint64_t);

inline void putWord(std::string &Buffer, uint64_t Number) {
  char Bytes[WordSize];
  llvm::support::endian::write64le(Bytes, Number);
  Buffer.append(Bytes, WordSize);
}

/// \p Offset is at most so much that a word follows.
inline uint64_t wordAt(llvm::StringRef Bytes, uint64_t Offset) {
  return llvm::support::endian::read64le(Bytes.data() + Offset);
}

inline void padToWord(std::string &Buffer) {
  Buffer.resize(llvm::alignTo(Buffer.size(), WordSize), '\0');
}

/// Takes a payload of words and bytes from front to back. Reads nothing behind
/// its end.
class WordReader {
public:
  explicit WordReader(llvm::StringRef Bytes)
      : NumBytes(Bytes.size()), Rest(Bytes) {}

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
  /// The same, and takes what fills up the last word, too.
  std::optional<llvm::StringRef> text(uint64_t Size) {
    const std::optional<llvm::StringRef> Result = take(Size);
    const uint64_t NumTaken = NumBytes - Rest.size();
    return take(-NumTaken % WordSize) ? Result : std::nullopt;
  }
  /// A count and as many bytes, as above.
  std::optional<llvm::StringRef> countedText() {
    const std::optional<uint64_t> Size = number();
    return Size ? text(*Size) : std::nullopt;
  }
  /// \p Count numbers, ascending. Returns whether they are there.
  bool numbers(uint64_t Count, std::set<uint64_t> &Result) {
    if (Count > Rest.size() / WordSize)
      return false;
    std::set<uint64_t> Read;
    for (uint64_t I = 0; I != Count; ++I) {
      const uint64_t Number = *number();
      if (!Read.empty() && Number <= *Read.rbegin())
        return false;
      Read.insert(Read.end(), Number);
    }
    Result.merge(Read);
    return true;
  }
  /// A count and as many numbers, ascending.
  bool countedNumbers(std::set<uint64_t> &Result) {
    const std::optional<uint64_t> Count = number();
    return Count && numbers(*Count, Result);
  }

private:
  uint64_t NumBytes;
  llvm::StringRef Rest;
};

/// Puts what WordReader::countedText() reads.
inline void putCounted(std::string &Buffer, llvm::StringRef Text) {
  putWord(Buffer, Text.size());
  Buffer += Text;
  padToWord(Buffer);
}

/// Puts what WordReader::countedNumbers() reads.
inline void putCounted(std::string &Buffer, const std::set<uint64_t> &Numbers) {
  putWord(Buffer, Numbers.size());
  for (uint64_t Number : Numbers)
    putWord(Buffer, Number);
}

} // namespace thermocline

#endif
