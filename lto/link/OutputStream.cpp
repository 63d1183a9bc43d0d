//===- lto/link/OutputStream.cpp - Where backends write -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputStream.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;
using namespace thermocline;

namespace {

class OutputStream : public CachedFileStream {
public:
  OutputStream(std::unique_ptr<raw_fd_ostream> To, std::string Path,
               std::optional<OutputFile> Pending)
      : CachedFileStream(nullptr, Path), File(*To),
        Pending(std::move(Pending)) {
    OS = std::move(To);
  }

  // A link that has failed commits nothing, and says why.
  ~OutputStream() override {
    File.flush();
    File.clear_error();
    OS.reset();
  }

  Error commit() override {
    if (Error E = CachedFileStream::commit())
      return E;
    if (Error E = flushed(File, ObjectPathName))
      return E;
    return Pending ? Pending->keep() : Error::success();
  }

private:
  /// Is OS.
  raw_fd_ostream &File;
  /// The output, if it is no temporary file of its own. Owns the descriptor.
  std::optional<OutputFile> Pending;
};

} // namespace

std::unique_ptr<CachedFileStream>
thermocline::lto::makeOutputStream(int FD, std::string Path) {
  return std::make_unique<OutputStream>(
      std::make_unique<raw_fd_ostream>(FD, /*shouldClose=*/true),
      std::move(Path), std::nullopt);
}

Expected<std::unique_ptr<CachedFileStream>>
thermocline::lto::openOutputStream(std::string Path) {
  auto Opened = OutputFile::create(Path);
  if (!Opened)
    return Opened.takeError();
  auto FD = Opened->descriptor();
  if (!FD)
    return FD.takeError();
  return std::make_unique<OutputStream>(
      std::make_unique<raw_fd_ostream>(*FD, /*shouldClose=*/false),
      std::move(Path), std::move(*Opened));
}
