//===- Apply/CallPromoter.h - Versions behind indirect calls -- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %r = call ptr %f(i64 %n), !prof (f called T 90 of 100 times)
// After:   %is = icmp eq ptr %f, @T
//          br i1 %is, label %direct, label %indirect, !prof (90, 10)
//        direct:
//          %r1 = call ptr @T.memprof.1(i64 %n)
//        indirect:
//          %r2 = call ptr %f(i64 %n), !prof (without T)
//
// This is always possible and always right. If the pointer is T's, calling T's
// version with the type and convention of the call does what calling through
// the pointer does. So no decision has to foresee whether it can be applied.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_CALLPROMOTER_H
#define THERMOCLINE_APPLY_CALLPROMOTER_H

#include <cstdint>

namespace llvm {
class CallBase;
class GlobalValue;
} // namespace llvm

namespace thermocline::apply {

/// Makes the indirect call \p Call call \p Version directly if its pointer is
/// that of \p Target, a function or an alias of one. \p GUID is the target's in
/// the value profile, and is removed from there. Returns the direct call. \p
/// Call remains the indirect one.
llvm::CallBase &promoteToVersion(llvm::CallBase &Call,
                                 llvm::GlobalValue &Target,
                                 llvm::GlobalValue &Version, uint64_t GUID);

/// Removes from the value profile of \p Call the targets without a count, which
/// are from the heap profile (Annotate/CallTargets.h), so that no optimization
/// sees them. Returns whether there was any.
bool dropUncountedTargets(llvm::CallBase &Call);

} // namespace thermocline::apply

#endif
