//===- lto/inputs/AnnotatedModule.h - Annotation in the link ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: other compilers than clang load no plugin. Their bitcode knows
// nothing of the profile, and the thin link reads summaries, which were made
// when it was compiled. So a module is annotated when the linker has read it,
// before it looks at its symbols, and written anew with the summary of what it
// is then. From there on it is as if it had been compiled so.
//
// What the pass does first in clang's pipeline cannot be done any more: calls
// that were alike may be one, and the calls of the source are not known, so
// that the profile serves source that is as it was profiled.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_INPUTS_ANNOTATEDMODULE_H
#define THERMOCLINE_LTO_INPUTS_ANNOTATEDMODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <memory>

namespace thermocline::lto {

/// \p File, bitcode of one module or more, annotated with the profile in
/// \p ProfileFile. Null if there is nothing to annotate: a plugin of ours has
/// seen the module, or it is in several parts, of which \p Warn is told, as of
/// all that the annotation warns of. The error, which does not name the file,
/// is of the profile, or of bitcode that cannot be read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
annotateModule(llvm::MemoryBufferRef File, llvm::StringRef ProfileFile,
               const std::function<void(const llvm::Twine &)> &Warn);

} // namespace thermocline::lto

#endif
