//===- Instrument/CounterEmitter.h - Counter updates as IR ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the plan of a function's counter updates into instructions:
//
//   before:  %v = load i32, ptr %p
//   after:   %a = ptrtoint ptr %p to i64
//            %g = lshr i64 %a, 6
//            %s = getelementptr i64, ptr %base, i64 %g
//            ... 8-byte counter at %s plus 1 ...
//            %v = load i32, ptr %p
//
// This takes two instructions and an addition to memory on AMD64. For
// histograms:
//
//            %g = lshr i64 %a, 3
//            ... 1-byte counter at %base + %g plus 1, unless it is 255 ...
//
// In code for sampling:
//
//            %u = and i64 %a, 1 << 46         ; of a sampled allocation? (bits
//                                             ; of Format/AddressLayout.h)
//            ... if it is 0, load of %base, and the counter plus 1 ...
//
// %base is the place of the counter of address 0. Except in code for sampling,
// it is loaded once in a function.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_COUNTEREMITTER_H
#define THERMOCLINE_INSTRUMENT_COUNTEREMITTER_H

#include "thermocline/Instrument/AccessAnalysis.h"
#include "thermocline/Instrument/Options.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"

namespace thermocline::instrument {

/// Emits the updates of one function. Knows nothing of why an update is there.
class CounterEmitter {
public:
  /// Uses \p Options to know which counters there are, and whether all memory
  /// counts.
  CounterEmitter(llvm::Function &F, const InstrumentOptions &Options);

  /// Counts \p Update in front of its instruction. In code for sampling, this
  /// splits the block.
  void emit(const CounterUpdate &Update);

  /// Replaces \p MI by the runtime's copy or fill, which counts the range. A
  /// copy that must stay inline or is element-wise atomic is kept, and its
  /// ranges counted by calls. \p MI may be gone afterwards.
  void emit(llvm::AnyMemIntrinsic &MI);

  /// Keeps \p MI, of constant length, from becoming a call. \p MI may be gone
  /// afterwards.
  void makeInline(llvm::MemIntrinsic &MI);

  /// To be called once, when all updates are emitted: tidies up where blocks
  /// were split.
  void finish();

private:
  void addInByte(llvm::IRBuilder<> &Builder, const CounterUpdate &Update);
  /// Adds to the counter of the address \p Number.
  void add(llvm::IRBuilder<> &Builder, llvm::Value *Shadow, llvm::Value *Number,
           const CounterUpdate &Update);
  /// The number of the granule that \p Number, an address, lies in.
  llvm::Value *granuleOf(llvm::IRBuilder<> &Builder, llvm::Value *Number,
                         uint64_t GranuleBytes);
  llvm::Value *loadBase(llvm::IRBuilder<> &Builder);
  /// The mask of addresses that are not counted (UnsampledMask).
  llvm::Value *unsampledMask(llvm::IRBuilder<> &Builder);
  llvm::Value *shadowBase();

  llvm::Function &F;
  llvm::Module &M;
  bool Sampling;
  bool Histogram;
  llvm::IntegerType *IntPtr;
  /// Address of the counters; loaded in the entry block on first use.
  llvm::Value *Base = nullptr;
  /// The instructions at which blocks were split.
  llvm::DenseSet<const llvm::Instruction *> Tests;
};

} // namespace thermocline::instrument

#endif
