//===- PointersToAllocators.h - Which pointer led to malloc -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a context whose innermost call goes through a pointer does not say
// what the pointer was. It was malloc, or a function of a library that ends in
// a jump to malloc and so leaves no frame. Only in the first case can the build
// for use hint the call.
//
// Idea: the build for profiling asks the same question as that one will.
//
// Before:  %r = call ptr %p(i64 8)
// After:   %is = icmp eq ptr %p, @malloc
//          br i1 %is, label %direct, label %indirect
//        direct:
//          %r1 = call ptr @malloc(i64 8)
//        indirect:
//          %r2 = call ptr %p(i64 8)
//
// The two calls have one place in the source and different return addresses.
// When raw profiles are merged, the instruction in front of the address tells
// them apart (Profile/Program/ImportedCalls.h).
//
// Cost: a comparison at indirect calls that have the type of an allocation
// function.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_POINTERSTOALLOCATORS_H
#define THERMOCLINE_ANNOTATE_POINTERSTOALLOCATORS_H

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// Called by the pass that instruments. Makes every indirect call of \p M that
/// may be of an allocation function call it by name if it is. Returns whether
/// there was any.
bool nameAllocators(llvm::Module &M);

} // namespace thermocline::annotate

#endif
