//===- unit/Profile/TemporaryFile.h - A file for a test ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_UNIT_PROFILE_TEMPORARYFILE_H
#define THERMOCLINE_TEST_UNIT_PROFILE_TEMPORARYFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace thermocline::test {

/// A file that is removed again.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef Contents) {
    int Descriptor;
    if (llvm::sys::fs::createTemporaryFile("thermocline", "profdata",
                                           Descriptor, Path))
      llvm::report_fatal_error("no temporary file");
    llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true) << Contents;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(Path); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  llvm::StringRef path() const { return Path; }

private:
  llvm::SmallString<128> Path;
};

} // namespace thermocline::test

#endif
