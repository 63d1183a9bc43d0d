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
  /// The table of functions that a virtual table pointer leads to.
  VirtualTable,
  /// Another address space, such as one relative to a segment register.
  AddressSpace,
  /// A swifterror slot, which is really a register.
  SwiftError,
  /// LLVM's own PGO counters and variables.
  ProfileCounter,
  /// Gather, scatter, expanding load or compressing store. Left out on request,
  /// because clang's -fmemory-profile does not count them.
  GatherScatter,
  /// Element-wise atomic copy or fill. Left out on request, too.
  ElementAtomic,
  /// A gather or scatter whose number of lanes is known only at run time.
  ScalableGather,
  /// An intrinsic of one target. Either it is not known what it accesses, or it
  /// is left out on request, because clang does not count it.
  TargetIntrinsic,
  /// Another intrinsic of which it is not known what it accesses.
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
  /// A factor, an i64, by which Accesses is multiplied at run time; none for 1.
  llvm::Value *Times = nullptr;
  /// The pointer that Address was computed from, if Address does not show it;
  /// else none.
  llvm::Value *Base = nullptr;
  /// Whether Times may be zero. Address may then point to no object.
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
  /// Copies and fills of a small constant size, which Updates count. They must
  /// be made inline: the runtime would count a call of libc's function again.
  llvm::SmallVector<llvm::MemIntrinsic *, 4> InlineRanges;
  /// How many of the Updates read, and how many write. An atomic
  /// read-modify-write is a write.
  uint64_t Reads = 0, Writes = 0;
  /// How many accesses were left out. Indexed by SkipReason.
  std::array<uint64_t, NumSkipReasons> Skipped = {};

  bool empty() const { return Updates.empty() && Ranges.empty(); }
  uint64_t copiesAndFills() const {
    return Ranges.size() + InlineRanges.size();
  }
};

} // namespace thermocline::instrument

#endif
