//===- bench/thinlink/SourceProgram.h - Programs as written -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A random program before inlining, and its profile. Functions lie in layers:
// main calls the whole first layer, every other function some of the next, the
// last layer allocates. Contexts are random walks from main to an allocation.
// The same options give the same program.
//
// All cold contexts of a program can be told from those that are not: no two of
// them have the same frames in the module summary, as
// * a function makes at most one tail call (whose frame is missing in the
//   profile), and no function that does is the target of an indirect call, so
//   the chain of tail calls between two frames is unique;
// * a function whose allocations or callees may come inlined into it is inlined
//   everywhere or nowhere, so that no other copy gets its contexts;
// * contexts that differ only in how often a call repeats, which LLVM's summary
//   does not tell, are cold only if all of them are;
// * contexts through calls without a record, or to a target that their value
//   profile lacks, are not cold.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_BENCH_THINLINK_SOURCEPROGRAM_H
#define THERMOCLINE_BENCH_THINLINK_SOURCEPROGRAM_H

#include "thermocline/Support/Ids.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace thermocline::bench {

/// What makes a context cold.
enum class ColdBy {
  /// Any of its calls is a cold one.
  Callsites,
  /// Its allocation is a cold one.
  Allocation,
  /// Two of its calls belong together.
  Combinations,
  /// A throw of dice for each context.
  Random,
};

struct ProgramOptions {
  uint64_t Seed = 1;
  /// Calls from main to an allocation, without recursion.
  uint32_t Layers = 10;
  /// Functions in a layer.
  uint32_t Width = 500;
  /// Calls of a function.
  uint32_t FanOut = 4;
  uint32_t Modules = 20;
  /// Allocation calls before inlining; all in the last layer, which has at most
  /// as many functions.
  uint32_t Allocations = 500;
  /// Random walks; equal ones count once.
  uint32_t Contexts = 100000;
  /// Per mille of walks that leave the one before only in its last calls, as
  /// those of one run do that goes up and down its stack.
  uint32_t SharedPerMille = 0;
  ColdBy Cold = ColdBy::Callsites;
  /// Per mille: cold calls, cold allocations, calls that belong to some
  /// combination, or cold contexts. Default by kind.
  std::optional<uint32_t> ColdPerMille;
  /// Per mille of calls that are inlined, and of functions of the last layer
  /// that are inlined into all their callers.
  uint32_t InlinedPerMille = 0;
  /// Per mille of calls that lead to the same layer or up to two above.
  uint32_t RecursivePerMille = 0;
  /// Per mille of calls that are indirect, with a value profile of 2 or 3
  /// targets.
  uint32_t IndirectPerMille = 0;
  /// Per mille of functions whose last call is a tail call.
  uint32_t TailPerMille = 0;
  /// Per mille of functions that were edited since the profile: their calls,
  /// and what was inlined there, have no records.
  uint32_t EditedPerMille = 0;
  /// Per mille of functions that are no bitcode.
  uint32_t NativePerMille = 0;
  /// Per mille of calls that are virtual, without a value profile.
  uint32_t VirtualPerMille = 0;
  /// Per mille of indirect calls of 3 targets whose value profile lacks one.
  uint32_t UnnamedPerMille = 0;
  /// Per mille of the functions that are called through pointers alone, which
  /// are local to their module.
  uint32_t LocalPerMille = 0;
};

using SourceFunctionId = Id<struct SourceFunctionTag, uint32_t>;
using SourceCallId = Id<struct SourceCallTag, uint32_t>;
using SourceAllocationId = Id<struct SourceAllocationTag, uint32_t>;

struct SourceCall {
  SourceFunctionId Caller;
  /// Several for an indirect call.
  llvm::SmallVector<SourceFunctionId, 1> Targets;
  StackId Frame{};
  bool Indirect = false;
  /// The last target, if the value profile lacks it.
  SourceFunctionId Unnamed;
  /// Indirect, and without a value profile.
  bool Virtual = false;
  /// It has no record, though the profile has its frame.
  bool Unrecorded = false;
  bool Recursive = false;
  bool Tail = false;
  /// Inlined in the function's own copy, and in most copies of the function
  /// that were inlined themselves.
  bool Inlined = false;
  /// Some context goes through it and has its frame.
  bool Profiled = false;
};

struct SourceFunction {
  uint32_t Layer = 0;
  uint32_t Module = 0;
  /// Instructions beside calls.
  uint32_t Filler = 0;
  /// Inlined into every caller; has no copy of its own.
  bool AlwaysInlined = false;
  bool Edited = false;
  /// Defined in no module.
  bool Native = false;
  /// Called by native code or through a pointer.
  bool CalledFromOutside = false;
  /// Called through pointers alone, by names that value profiles have.
  bool Local = false;
  /// Makes a call that is inlined everywhere.
  bool HasAllocationInlined = false;
  llvm::SmallVector<SourceCallId, 4> Calls;
  llvm::SmallVector<SourceAllocationId, 1> Allocations;
};

struct SourceAllocation {
  SourceFunctionId Owner;
  StackId Frame{};
  bool Cold = false;
  /// Its contexts are [First, First + Num) of the program's.
  uint32_t FirstContext = 0;
  uint32_t NumContexts = 0;
};

struct SourceContext {
  SourceAllocationId Allocation;
  bool Cold = false;
  uint32_t NumCalls = 0;
  uint64_t FirstCall = 0;
  Bytes Size;
};

class SourceProgram {
public:
  explicit SourceProgram(const ProgramOptions &Options);

  static constexpr SourceFunctionId Main{0};

  const ProgramOptions &options() const { return Options; }
  llvm::ArrayRef<SourceFunction> functions() const { return Functions; }
  llvm::ArrayRef<SourceAllocation> allocations() const { return Allocations; }
  llvm::ArrayRef<SourceContext> contexts() const { return Contexts; }
  const SourceFunction &operator[](SourceFunctionId I) const {
    return Functions[I.index()];
  }
  const SourceCall &operator[](SourceCallId I) const {
    return Calls[I.index()];
  }
  const SourceAllocation &operator[](SourceAllocationId I) const {
    return Allocations[I.index()];
  }
  /// Innermost first, tail calls included. Contexts of one allocation are
  /// sorted by this.
  llvm::ArrayRef<SourceCallId> calls(const SourceContext &C) const {
    return llvm::ArrayRef(Frames).slice(C.FirstCall, C.NumCalls);
  }

private:
  class Builder;

  ProgramOptions Options;
  std::vector<SourceFunction> Functions;
  std::vector<SourceCall> Calls;
  std::vector<SourceAllocation> Allocations;
  std::vector<SourceContext> Contexts;
  /// The calls of all contexts.
  std::vector<SourceCallId> Frames;
};

} // namespace thermocline::bench

#endif
