//===- Format/RunningHash.h - A hash that shows damage ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checksum of what Thermocline writes into files. The runtime computes it
// too, which has nothing of LLVM's.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_RUNNINGHASH_H
#define THERMOCLINE_FORMAT_RUNNINGHASH_H

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

} // namespace thermocline::format

#endif
