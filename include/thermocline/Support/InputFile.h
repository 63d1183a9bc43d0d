//===- Support/InputFile.h - Files and streams to read ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is looked at several times: to see what kind of file it is, and to
// read what is in it. A FIFO, a shell's <(command) or standard input can be
// read only once, so what was read of it is kept.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_INPUTFILE_H
#define THERMOCLINE_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace thermocline {

/// The contents of the file \p Path; "-" is standard input. The error names the
/// file. Must be called by one thread only.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openInput(llvm::StringRef Path);

} // namespace thermocline

#endif
