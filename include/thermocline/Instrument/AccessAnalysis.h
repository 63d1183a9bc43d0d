//===- Instrument/AccessAnalysis.h - Which accesses are counted -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the accesses of a function that may touch the heap, and says of every
// other one why it is left out.
//
// Problem: an access that is counted costs three instructions, and one that is
// wrongly left out makes an allocation look colder than it is. Invariant: each
// access that clang's -fmemory-profile counts is either counted here, in the
// same number, or provably does not touch the heap. Cost: one walk over the
// instructions, and for each access one over the computation of its address.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_ACCESSANALYSIS_H
#define THERMOCLINE_INSTRUMENT_ACCESSANALYSIS_H

#include "thermocline/Instrument/Accesses.h"

namespace thermocline::instrument {

/// How accesses are to be counted.
struct AnalysisOptions {
  /// Copies and fills of a constant size up to this many bytes are counted by
  /// updates.
  uint64_t MostInlineBytes = 0;
  /// Count each lane of a vector by an update of its own, even if all lanes are
  /// of one object.
  bool LanesOneByOne = false;
  /// Leave out what clang's -fmemory-profile leaves out.
  bool LikeLlvm = false;
};

/// Sorts the accesses of functions. Holds no state between functions.
class AccessAnalysis {
public:
  explicit AccessAnalysis(const AnalysisOptions &Options) : Options(Options) {}

  /// Finds every access of \p F. Adds computations to \p F of which lanes of
  /// vectors are accessed, and changes nothing else.
  FunctionAccesses analyze(llvm::Function &F) const;

  /// Whether \p Address points into memory that is provably not the heap, and
  /// if so, which. Looks through address arithmetic, selects and phis.
  /// \returns false if the heap is possible.
  static bool isOutsideHeap(const llvm::Value *Address, SkipReason &Reason);

private:
  AnalysisOptions Options;
};

} // namespace thermocline::instrument

#endif
