//===- Format/RawChecksums.h - What shows damaged raw profiles --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's format of raw profiles has no checksums. Thermocline's runtime writes
// a ChecksumPart between the header and the segments, where the header's offset
// of the segments makes room for it. It says where the ChecksumSets are: behind
// it, or behind the call stacks if the file is written from front to back.
// LLVM's readers go by the header's offsets, and skip both.
//
// A file that is kept up to date has two sections of records, one of which the
// header names (ContinuousFile.h), and there are checksums for each. The header
// decides which ones count: a store of its offset of the records changes both
// at once. Segments and call stacks are appended before that. So the checksums
// cover as many of them as there were when the records were written, and what
// is behind is no part of the profile.
//
// | version | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_RAWCHECKSUMS_H
#define THERMOCLINE_FORMAT_RAWCHECKSUMS_H

#include <stdint.h>

namespace thermocline::format {

/// A hash of bytes in a row, in one pass: of each 8 bytes (the last are filled
/// up with zeros), and of how many bytes there are. They go in turn to four
/// states, so that no multiplication waits for the one before. Each step keeps
/// different states and different bytes apart. So a change of up to 8 bytes
/// that are hashed together is always noticed; of others one in 2^64 is not. It
/// is no protection from somebody who chooses the bytes.
class RunningHash {
public:
  void add(const void *Data, uint64_t Size) {
    const auto *Next = static_cast<const char *>(Data);
    NumBytes += Size;
    if (NumWaiting) {
      const uint64_t Room = BlockBytes - NumWaiting;
      const uint64_t Part = Size < Room ? Size : Room;
      keep(Next, Part);
      if (NumWaiting != BlockBytes)
        return;
      addBlocks(Waiting, BlockBytes);
      NumWaiting = 0;
      Next += Part;
      Size -= Part;
    }
    const uint64_t Whole = Size / BlockBytes * BlockBytes;
    addBlocks(Next, Whole);
    keep(Next + Whole, Size - Whole);
  }

  uint64_t value() const {
    RunningHash Last = *this;
    while (Last.NumWaiting != BlockBytes)
      Last.Waiting[Last.NumWaiting++] = 0;
    Last.addBlocks(Last.Waiting, BlockBytes);
    uint64_t Result = NumBytes;
    for (uint64_t State : Last.States)
      mix(Result, State);
    return Result;
  }

private:
  static constexpr unsigned NumStates = 4;
  static constexpr uint64_t BlockBytes = NumStates * sizeof(uint64_t);

  static void mix(uint64_t &State, uint64_t Eight) {
    State = (State ^ Eight) * 0x9E3779B97F4A7C15u;
    State ^= State >> 32;
  }
  void addBlocks(const char *Next, uint64_t Size) {
    uint64_t A = States[0], B = States[1], C = States[2], D = States[3];
    for (const char *End = Next + Size; Next != End; Next += BlockBytes) {
      uint64_t Block[NumStates];
      __builtin_memcpy(Block, Next, sizeof(Block));
      mix(A, Block[0]);
      mix(B, Block[1]);
      mix(C, Block[2]);
      mix(D, Block[3]);
      // Vectors of four have no multiplication of 64 bits, and would take
      // several times as long. This keeps the states apart.
      __asm__("" : "+r"(A), "+r"(B), "+r"(C), "+r"(D));
    }
    States[0] = A, States[1] = B, States[2] = C, States[3] = D;
  }
  void keep(const char *Next, uint64_t Size) {
    for (; Size >= sizeof(uint64_t); Size -= sizeof(uint64_t)) {
      __builtin_memcpy(Waiting + NumWaiting, Next, sizeof(uint64_t));
      NumWaiting += sizeof(uint64_t);
      Next += sizeof(uint64_t);
    }
    for (; Size; --Size)
      Waiting[NumWaiting++] = *Next++;
  }

  uint64_t States[NumStates] = {};
  uint64_t NumBytes = 0;
  /// Bytes that are not a block yet.
  uint64_t NumWaiting = 0;
  char Waiting[BlockBytes] = {};
};

inline uint64_t hashOf(const void *Data, uint64_t Size) {
  RunningHash Result;
  Result.add(Data, Size);
  return Result.value();
}

/// What belongs to one section of records.
struct RawChecksums {
  /// Where the section begins; 0: these are no checksums.
  uint64_t RecordOffset = 0;
  /// Its length, with Thermocline's own parts.
  uint64_t RecordBytes = 0;
  /// The section of segments counts at least so many.
  uint64_t NumSegments = 0;
  /// The section of call stacks counts at least so many, and the first so many
  /// have that many bytes.
  uint64_t NumStacks = 0;
  uint64_t StackBytes = 0;
  /// Of the first NumSegments segments, of RecordBytes bytes from RecordOffset
  /// on, and of the first StackBytes bytes of call stacks; without the counts
  /// of segments and stacks.
  uint64_t Segments = 0;
  uint64_t Records = 0;
  uint64_t Stacks = 0;
  /// Of LLVM's header (with this RecordOffset), of the ChecksumPart and of all
  /// fields above.
  uint64_t Header = 0;
};

constexpr uint64_t ChecksumMagic = 0x736B636568636374; // "tcchecks"
constexpr uint64_t ChecksumVersion = 1;

/// What is behind LLVM's header.
struct ChecksumPart {
  uint64_t Magic = ChecksumMagic;
  uint64_t Version = ChecksumVersion;
  /// Of the ChecksumSets, from the beginning of the header on.
  uint64_t Offset = 0;
};

struct ChecksumSets {
  RawChecksums Of[2];
};

constexpr uint64_t RawHeaderBytes = 48;

/// What RawChecksums::Header has to be. \p RawHeader: LLVM's header.
inline uint64_t headerChecksum(const void *RawHeader, const ChecksumPart *Part,
                               const RawChecksums &C) {
  RunningHash Result;
  Result.add(RawHeader, RawHeaderBytes);
  Result.add(Part, sizeof(*Part));
  Result.add(&C, sizeof(C) - sizeof(C.Header));
  return Result.value();
}

static_assert(sizeof(RawChecksums) == 72 && sizeof(ChecksumPart) == 24);

} // namespace thermocline::format

#endif
