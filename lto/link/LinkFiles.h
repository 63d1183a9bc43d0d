//===- lto/link/LinkFiles.h - What a link reads and writes ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes sure that --thinlto-memprof-report and similar options name no file
// that the linker reads or writes otherwise. Linkers have some hundred options
// that name files, so a list of options would be incomplete. Instead, an output
// is refused if any word of the command line names it. Archives that refer to
// their members, and scripts, name further files.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKFILES_H
#define THERMOCLINE_LTO_LINK_LINKFILES_H

#include "LinkLine.h"
#include "thermocline/Support/FileRoles.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace thermocline::lto {

/// Enters what options of ours in \p Line write, in all their
/// spellings, and then which of \p Files' outputs other words name.
/// \p OwnOutputs: names of further options whose values \p Files has as
/// written.
void enterLinkArguments(FileRoles &Files, llvm::ArrayRef<LinkArgument> Line,
                        llvm::ArrayRef<llvm::StringRef> OwnOutputs = {});

/// Enters the input \p Path of the link, and the files that it names, if it is
/// a thin archive or a script.
void enterLinkInput(FileRoles &Files, llvm::StringRef Path);

} // namespace thermocline::lto

#endif
