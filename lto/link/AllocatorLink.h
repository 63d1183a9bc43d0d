//===- link/AllocatorLink.h - Thermocline's libraries in a link -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes links in which the allocator would do nothing, or would be there
// twice, as far as the linker's command line tells. docs/allocator.md says what
// to link into what.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_ALLOCATORLINK_H
#define THERMOCLINE_LTO_LINK_ALLOCATORLINK_H

#include "LinkLine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace thermocline::lto {

/// What is to be said of the allocator in a link: options that hide its malloc
/// from the libraries of the process. Reads version scripts.
std::vector<std::string>
problemsWithAllocator(llvm::ArrayRef<LinkArgument> Line);

/// Whether it makes a program, and no object (-r) or shared library.
bool makesProgram(llvm::ArrayRef<LinkArgument> Line);

/// The path of the allocator's archive, which is beside the library of hinted
/// functions that the link has; its name alone if there is no such file.
std::string archiveBesideHints(llvm::ArrayRef<LinkArgument> Line);

/// Makes \p Line, and \p Words, which have its words, fit what the link makes.
/// From a shared library the allocator is taken out, from an object (-r) all
/// libraries with hinted functions, or each object would bring a copy. Programs
/// that load libraries get the allocator's dlopen, even if only libraries call
/// it. \returns what is to be said of that.
std::vector<std::string>
fitAllocator(std::vector<LinkArgument> &Line,
             llvm::SmallVectorImpl<const char *> &Words);

} // namespace thermocline::lto

#endif
