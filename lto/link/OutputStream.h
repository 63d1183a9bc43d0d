//===- lto/link/OutputStream.h - Where backends write -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's LTO writes through streams whose destructor ends the program if a
// write has failed, with a message that names no file. LLVM calls commit before
// that. Here, commit returns an error that names the file, and the file appears
// only then.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_OUTPUTSTREAM_H
#define THERMOCLINE_LTO_LINK_OUTPUTSTREAM_H

#include "llvm/Support/Caching.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace thermocline::lto {

/// Makes a stream to a temporary file that is open as \p FD and known as \p
/// Path. Owns the descriptor.
std::unique_ptr<llvm::CachedFileStream> makeOutputStream(int FD,
                                                         std::string Path);

/// Makes a stream to the file \p Path, written as by OutputFile. The error
/// names it.
llvm::Expected<std::unique_ptr<llvm::CachedFileStream>>
openOutputStream(std::string Path);

} // namespace thermocline::lto

#endif
