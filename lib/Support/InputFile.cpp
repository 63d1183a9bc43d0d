//===- Support/InputFile.cpp - Files and streams to read ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/InputFile.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace thermocline;

Expected<std::unique_ptr<MemoryBuffer>> thermocline::openInput(StringRef Path) {
  sys::fs::file_status Status;
  const bool IsStream = Path == "-" || (!sys::fs::status(Path, Status) &&
                                        !sys::fs::is_regular_file(Status) &&
                                        !sys::fs::is_directory(Status));
  // Filled by main's thread before it starts others.
  static StringMap<std::unique_ptr<MemoryBuffer>> Kept;
  if (!IsStream || !Kept.contains(Path)) {
    auto Read = MemoryBuffer::getFileOrSTDIN(Path, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
    if (!Read)
      return fileError(Path, Read.getError().message());
    if (!IsStream)
      return std::move(*Read);
    Kept[Path] = std::move(*Read);
  }
  return MemoryBuffer::getMemBuffer(Kept[Path]->getBuffer(), Path,
                                    /*RequiresNullTerminator=*/false);
}
