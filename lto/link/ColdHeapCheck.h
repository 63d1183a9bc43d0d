//===- link/ColdHeapCheck.h - Hints that do nothing -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: every link has the library of hinted functions that do what the
// plain ones do. So a program that was given no allocator links and runs, and
// gains nothing by its hints.
//
// Only once the program is written is it known which of these functions it got:
// those that an allocator defines, in an object, an archive or a shared
// library, come first. Each of the others leaves a note
// (Format/ProgramNotes.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_COLDHEAPCHECK_H
#define THERMOCLINE_LTO_LINK_COLDHEAPCHECK_H

#include "LinkLine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace thermocline::lto {

/// What is to be said of the program \p Output that the link \p Line has
/// written, if it has hinted calls and no cold heap; empty if there is nothing.
/// Nothing is to be said of objects and shared libraries: they take the heap of
/// the program that has them.
std::string problemWithColdHeap(llvm::ArrayRef<LinkArgument> Line,
                                llvm::StringRef Output);

/// What is to be said of \p Output, a program or a shared library, if the link
/// \p Line took native code of fat objects whose bitcode has cold contexts;
/// empty if there is nothing.
std::string problemWithNativeCode(llvm::ArrayRef<LinkArgument> Line,
                                  llvm::StringRef Output);

} // namespace thermocline::lto

#endif
