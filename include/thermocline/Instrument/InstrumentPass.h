//===- Instrument/InstrumentPass.h - The access-counting pass ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a module count its accesses to the heap. AccessAnalysis finds them, and
// CounterEmitter writes the updates. The module also gets a constructor that
// starts the runtime, and the variables that tell it where to write. Plain data
// (FunctionAccesses) passes from analysis to emitter, so that updates can be
// merged in between without either of them knowing.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_INSTRUMENTPASS_H
#define THERMOCLINE_INSTRUMENT_INSTRUMENTPASS_H

#include "thermocline/Instrument/AccessAnalysis.h"
#include "thermocline/Instrument/Options.h"
#include "thermocline/Instrument/UpdatePlanner.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace thermocline::instrument {

/// What was done to a module. Fields are numbers of instructions unless they
/// say otherwise.
struct InstrumentStatistics {
  uint64_t Functions = 0;
  uint64_t UntouchedFunctions = 0;
  uint64_t Reads = 0;
  uint64_t Writes = 0;
  uint64_t Ranges = 0;
  /// The part of them that is counted by updates.
  uint64_t InlineRanges = 0;
  /// What became of reads and writes, and the updates that they are now.
  PlanStatistics Planned;
  uint64_t Updates = 0;
  std::array<uint64_t, NumSkipReasons> Skipped = {};

  void add(const FunctionAccesses &Accesses);
  void add(const PlanStatistics &Plan, uint64_t UpdatesLeft);
  void print(llvm::raw_ostream &OS, llvm::StringRef Module) const;
};

/// Instruments a module once: one that clang's -fmemory-profile or this pass
/// has instrumented before is left as it is.
class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  explicit InstrumentPass(InstrumentOptions Options)
      : Options(std::move(Options)) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  InstrumentOptions Options;
};

} // namespace thermocline::instrument

#endif
