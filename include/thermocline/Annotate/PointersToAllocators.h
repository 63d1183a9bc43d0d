//===- PointersToAllocators.h - Which pointer led where ---------*- C++ -*-===//
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
// Another problem: native code that ends in a jump to a function of the program
// leaves no frame. If it is called through a pointer, the context looks as if
// the pointer had been that function. The build for use would compare the
// pointer with it, in vain, and the link would promise hints that nothing
// makes.
//
// Idea: the profiled program looks at the pointer. A function of the same
// binary that is compiled for profiling has a mark in front of its code
// (Callsites/OwnAddress.h). Anything else is native code.
//
// Before:  %r = call ptr %p(i64 8), !dbg !1
// After:   br i1 %is_native, label %native, label %own
//        native:
//          %r1 = call ptr %p(i64 8), !dbg !2
//        own:
//          %r2 = call ptr %p(i64 8), !dbg !1
//
// The two calls have one place in the source, and the line table tells them
// apart: that of native code has a discriminator that no other call has. So
// stack ids are what they were, for all readers of profiles.
//
// What is in front of a pointer is read only if it points into the code of the
// same binary. Nothing says what is in front of other code.
//
// Cost: a comparison, a load and a branch at each call through a pointer, and
// the code of one more call.
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

/// Called by the pass that instruments, when accesses are counted: what this
/// adds is no access of the program. Makes each indirect call of \p M two, but
/// those that are marked musttail, which leave no frame anyway, and those of
/// no line.
void tellNativeCalls(llvm::Module &M);

} // namespace thermocline::annotate

#endif
