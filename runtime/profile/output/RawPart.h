//===- output/RawPart.h - A part of our own in a profile --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts behind the records of a raw profile
// (thermocline/Format/RawSections.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_RAWPART_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_RAWPART_H

#include "ProfileFile.h"
#include "thermocline/Format/RawSections.h"

namespace thermocline::runtime {

/// The head of a part with a payload of \p Bytes, before \p NumLeft others. Its
/// checksum is not known yet.
format::PartHeader rawPartHead(format::RawPart Kind, uint64_t Bytes,
                               unsigned NumLeft);

/// Numbers of variable length, which have up to 10 bytes each.
template <size_t MaxBytes> class EncodedNumbers {
public:
  const char *data() const { return Bytes; }
  size_t size() const { return Size; }

protected:
  void byte(char Value) { Bytes[Size++] = Value; }
  void number(uint64_t Value) {
    for (; Value >= 0x80; Value >>= 7)
      Bytes[Size++] = static_cast<char>(Value | 0x80);
    Bytes[Size++] = static_cast<char>(Value);
  }

private:
  char Bytes[MaxBytes];
  size_t Size = 0;
};

/// A part, copied out of what goes on to change. Holds pages of its own.
class RawPart {
public:
  RawPart() = default;
  ~RawPart();
  RawPart(const RawPart &) = delete;
  RawPart &operator=(const RawPart &) = delete;

  /// Begins the part, which has nothing yet. \returns false if there is no
  /// memory; then there is no part.
  bool begin(format::RawPart Kind, size_t PayloadBytes);
  /// Adds to the payload, up to PayloadBytes.
  void append(const void *Data, size_t Count);
  template <size_t N> void append(const EncodedNumbers<N> &E) {
    append(E.data(), E.size());
  }

  /// 0 if there is none.
  size_t size() const { return Size; }
  /// Writes what there is, before \p NumLeft others.
  void write(FileWriter &Out, unsigned NumLeft) const;

private:
  char *Pages = nullptr;
  size_t Size = 0;
  size_t Used = 0;
};

} // namespace thermocline::runtime

#endif
