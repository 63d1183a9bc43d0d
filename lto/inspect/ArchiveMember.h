//===- inspect/ArchiveMember.h - Modules by the paths of a link -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a linker calls a module in indexes and resolution files: the path of its
// file, or, as lld writes a member of an archive, "lib.a(m.o at 1234)".
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_INSPECT_ARCHIVEMEMBER_H
#define THERMOCLINE_LTO_INSPECT_ARCHIVEMEMBER_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace thermocline::lto {

/// Reads the file or member \p Path, under that name. The error says that the
/// file cannot be read, or has no such member now. The files that were read, of
/// a thin archive several, are added to \p Files, if it is not null.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openModule(llvm::StringRef Path, std::vector<std::string> *Files = nullptr);

} // namespace thermocline::lto

#endif
