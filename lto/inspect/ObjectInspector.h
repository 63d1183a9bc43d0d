//===- inspect/ObjectInspector.h - Versions, hints in a file ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what a link made of its decisions: from objects, executables and shared
// libraries by their symbols, relocations and instructions, and from bitcode
// that was optimized, such as --save-temps keeps, by its calls.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_INSPECT_OBJECTINSPECTOR_H
#define THERMOCLINE_LTO_INSPECT_OBJECTINSPECTOR_H

#include "thermocline/Report/CodeList.h"
#include "llvm/Support/Error.h"

namespace llvm {
class MemoryBufferRef;
}

namespace thermocline::lto {

/// Whether \p File is an ELF object, executable or shared library.
bool isMachineCode(llvm::MemoryBufferRef File);

/// Reads the machine code \p File, or, if it is bitcode that has no contexts
/// any more but versions or hints, that. None for any other file. The error
/// names the file: it is damaged, is of a machine whose instructions are not
/// known here, or has no symbols. Called after the targets' disassemblers were
/// initialized.
llvm::Expected<std::optional<report::CodeList>>
readCode(llvm::MemoryBufferRef File);

} // namespace thermocline::lto

#endif
