//===- Placement/Errors.h - What sampling leaves open -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: in a sampled run, each object that was looked at stands for w. How
// far may a predicted working set be from that of all objects?
//
// A sum of some x over the objects that were looked at has the estimated
// variance sum of w (w - 1) x^2 (Horvitz and Thompson, JASA 47, 1952). A
// working set is no sum, but nearly one for small changes: x w of an object is
// what the working set loses without that object (Taylor linearization, as in
// Sarndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, 5.5).
// All quantities are linear in the working sets before and after hints, so what
// is lost of both by the same object gives the errors of what is saved as well.
//
// The profile has, for each context, the mean of w - 1 over its units, and for
// each bin how many units were touched, born, idle, and far from all that was
// touched. Objects of one kind are taken to stand for the mean number.
//
// What an object does in one bin it is taken to do in all bins. It may be
// touched in some of them only, and then the error is smaller. So errors of a
// context add up over bins, and those of contexts are independent.
//
// Where no touch was seen, this has no variance. So touches are added, as many
// as one in general, and fewer where the program tells that few are unseen
// (Unseen.h): of the context where one object more that is touched changes
// most. For a weighted sum of counts, such as this, it is enough to do so once,
// with the largest weight (Fay and Feuer, Statistics in Medicine 16, 1997).
//
// Cost: for each context that was sampled, bin, size class and heap some
// exponentials.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PLACEMENT_ERRORS_H
#define THERMOCLINE_LIB_PLACEMENT_ERRORS_H

#include "Split.h"
#include "thermocline/Placement/WorkingSet.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

namespace thermocline::placement {

/// The errors of the working set \p Set at the horizon \p H. \p Tenants are
/// those of \p Touches there; all of them are in the first heap of \p Before,
/// and those in \p Hinted in the second of \p After.
WorkingSetErrors errorsOf(const WorkingSet &Set,
                          const profile::GridTouches &Touches,
                          const BinWeights &Weights, Horizon H,
                          llvm::ArrayRef<Tenant> Tenants,
                          const TwoHeaps &Before, const TwoHeaps &After,
                          const llvm::BitVector &Hinted);

} // namespace thermocline::placement

#endif
