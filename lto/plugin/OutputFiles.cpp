//===- plugin/OutputFiles.cpp - What LTO hands to the linker --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFiles.h"
#include "link/OutputStream.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto::plugin;

OutputFiles::~OutputFiles() { removeTemporaries(); }

void OutputFiles::begin(unsigned NumTasks, std::string KeptPath) {
  Kept = std::move(KeptPath);
  // Each task has its element, so that tasks need no lock.
  Paths.assign(NumTasks, "");
}

Expected<std::unique_ptr<CachedFileStream>> OutputFiles::open(unsigned Task) {
  if (!Kept.empty()) {
    Paths[Task] = Kept + (Task ? utostr(Task) : "");
    return openOutputStream(Paths[Task]);
  }
  SmallString<128> Path;
  int FD = -1;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("thermocline-lto", "o", FD, Path))
    return fileError(Path.empty() ? "temporary file" : Path.str(),
                     EC.message());
  Paths[Task] = Path.str().str();
  return makeOutputStream(FD, Paths[Task]);
}

std::vector<std::string> OutputFiles::written() const {
  std::vector<std::string> Result;
  copy_if(Paths, std::back_inserter(Result),
          [](const std::string &Path) { return !Path.empty(); });
  return Result;
}

void OutputFiles::removeTemporaries() {
  if (Kept.empty())
    for (const std::string &Path : Paths)
      if (!Path.empty())
        sys::fs::remove(Path);
  Paths.clear();
}
