//===- Instrument/Accesses.h - What a function accesses ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_ACCESSES_H
#define THERMOCLINE_INSTRUMENT_ACCESSES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace llvm {
class AnyMemIntrinsic;
class Function;
class Instruction;
class MemIntrinsic;
class Value;
} // namespace llvm

namespace thermocline::instrument {

/// Why an access is not counted.
enum class SkipReason {
  /// A local variable, or an argument passed by value.
  Stack,
  /// A global or thread-local variable.
  Global,
  /// The functions that a virtual table pointer leads to.
  VirtualTable,
  /// Another address space, such as one relative to a segment register.
  AddressSpace,
  /// A swifterror slot, which is a register in truth.
  SwiftError,
  /// LLVM's own PGO counters and variables.
  ProfileCounter,
  /// Gather, scatter, expanding load and compressing store: asked not to, as
  /// clang's -fmemory-profile does not count them either.
  GatherScatter,
  /// Element-wise atomic copy or fill; as well.
  ElementAtomic,
  /// A gather or scatter of so many lanes as are known at run time only.
  ScalableGather,
  /// Nothing knows what it accesses, or, asked to leave out what clang does not
  /// count, it is an intrinsic that only one target has.
  TargetIntrinsic,
  /// Nothing knows what it accesses.
  OtherIntrinsic,
  InlineAssembly,
};
constexpr unsigned NumSkipReasons = 12;

/// "stack", "global": for statistics and tests.
llvm::StringRef toString(SkipReason Reason);

/// One counter update: what the update planner hands to the emitter.
struct CounterUpdate {
  /// The update goes in front of this instruction, which is the access.
  llvm::Instruction *Before;
  /// The first byte that is accessed.
  llvm::Value *Address;
  /// How many accesses the update stands for, each time.
  uint64_t Accesses = 1;
  /// How many times at once, an i64; none for once.
  llvm::Value *Times = nullptr;
  /// The pointer that Address was computed from, where that cannot be seen from
  /// Address; none elsewhere.
  llvm::Value *Base = nullptr;
  /// Whether Times may be zero, Address being that of no object then.
  bool MayBeNowhere = false;
};

/// What a function accesses.
struct FunctionAccesses {
  /// Loads, stores, atomics and what InlineRanges access, if it may touch the
  /// heap, in program order.
  llvm::SmallVector<CounterUpdate, 16> Updates;
  /// Copies and fills that may touch the heap and that the runtime counts, in
  /// program order.
  llvm::SmallVector<llvm::AnyMemIntrinsic *, 4> Ranges;
  /// Those of a small constant size, which Updates count. They must be made
  /// inline: a call of libc's function would be counted by the runtime, again.
  llvm::SmallVector<llvm::MemIntrinsic *, 4> InlineRanges;
  /// Of Updates, how many read and how many write (an atomic
  /// read-modify-write is a write).
  uint64_t Reads = 0, Writes = 0;
  /// By SkipReason, how many accesses were left out.
  std::array<uint64_t, NumSkipReasons> Skipped = {};

  bool empty() const { return Updates.empty() && Ranges.empty(); }
  uint64_t copiesAndFills() const {
    return Ranges.size() + InlineRanges.size();
  }
};

} // namespace thermocline::instrument

#endif
