//===- lto/OutputStream.cpp - Where backends write ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputStream.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace thermocline;

namespace {

class OutputStream : public CachedFileStream {
public:
  OutputStream(std::unique_ptr<raw_fd_ostream> To, std::string Path)
      : CachedFileStream(nullptr, Path), File(*To) {
    OS = std::move(To);
  }

  Error commit() override {
    if (Error E = CachedFileStream::commit())
      return E;
    Error Failed = flushed(File, ObjectPathName);
    if (Failed && sys::fs::is_regular_file(ObjectPathName))
      sys::fs::remove(ObjectPathName);
    return Failed;
  }

private:
  /// Is OS.
  raw_fd_ostream &File;
};

} // namespace

std::unique_ptr<CachedFileStream>
thermocline::lto::makeOutputStream(int FD, std::string Path) {
  return std::make_unique<OutputStream>(
      std::make_unique<raw_fd_ostream>(FD, /*shouldClose=*/true),
      std::move(Path));
}

Expected<std::unique_ptr<CachedFileStream>>
thermocline::lto::openOutputStream(std::string Path) {
  int FD = -1;
  if (std::error_code EC = sys::fs::openFileForWrite(Path, FD))
    return fileError(Path, EC.message());
  return makeOutputStream(FD, std::move(Path));
}
