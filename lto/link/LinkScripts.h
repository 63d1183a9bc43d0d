//===- lto/link/LinkScripts.h - What linker scripts say ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: `malloc = my_malloc;` in a linker script redefines a function as
// --defsym does, and linkers tell LTO of neither where native code or a library
// has the function. So the scripts are read for what they assign.
//
// They are split into words, and nothing is evaluated: whatever stands in front
// of an assignment counts, also in PROVIDE. Names of memory regions are among
// that, which no function has.
//
// Scripts also name inputs and other scripts, as libc.so and libm.a of glibc
// do. LinkInputs.h finds these.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKSCRIPTS_H
#define THERMOCLINE_LTO_LINK_LINKSCRIPTS_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace thermocline::lto {

/// The names that the script \p Text assigns, in their order. They point into
/// the text.
std::vector<llvm::StringRef> namesAssignedIn(llvm::StringRef Text);

/// The inputs that the script \p Text names by INPUT and GROUP, in their order,
/// as it writes them: paths, names of files, and `-lNAME`; also the scripts
/// that it names by INCLUDE. They point into the text.
std::vector<llvm::StringRef> inputsNamedIn(llvm::StringRef Text);

/// Whether \p Contents are a script, that is, text of a size that a person
/// writes.
bool isScript(llvm::StringRef Contents);

} // namespace thermocline::lto

#endif
