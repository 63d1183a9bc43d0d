//===- lto/inputs/ChangedModule.h - Modules are made fit --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: other compilers than clang load no plugin. Their bitcode knows
// nothing of the profile, and has calls that leave no frame for one. The thin
// link reads summaries, which were made when it was compiled. So a module is
// changed when the linker has read it, before it looks at its symbols, and
// written anew with the summary of what it is then. From there on it is as if
// it had been compiled so.
//
// What the annotation does first in clang's pipeline cannot be done any more:
// calls that were alike may be one, and the calls of the source are not known,
// so that the profile serves source that is as it was profiled.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_INPUTS_CHANGEDMODULE_H
#define THERMOCLINE_LTO_INPUTS_CHANGEDMODULE_H

#include "options/LinkOptions.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <functional>
#include <memory>

namespace thermocline::lto {

/// \p File, bitcode of one module or more, as \p Options want it. Null if it
/// stays as it is: a plugin of ours has seen the module, or it is in several
/// parts, of which \p Warn is told, as of all that the annotation warns of. The
/// error, which does not name the file, is of the profile, or of bitcode that
/// cannot be read.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
changedModule(llvm::MemoryBufferRef File, const InputOptions &Options,
              const std::function<void(const llvm::Twine &)> &Warn);

} // namespace thermocline::lto

#endif
