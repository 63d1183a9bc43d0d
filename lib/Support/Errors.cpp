//===- Support/Errors.cpp - Errors with file and record -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Errors.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

Error thermocline::fileError(StringRef File, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), File + ": " + Message);
}

Error thermocline::recordError(StringRef File, const Twine &Record,
                               const Twine &Message) {
  return fileError(File, Record + ": " + Message);
}

Error thermocline::inFile(StringRef File, Error E) {
  if (!E)
    return Error::success();
  return fileError(File, toString(std::move(E)));
}

int thermocline::reportFatal(StringRef Tool, Error E, raw_ostream &OS) {
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    OS << Tool << ": error: " << Info.message() << '\n';
  });
  return 1;
}

Error thermocline::writeFileAtomically(
    StringRef FileName, function_ref<Error(raw_ostream &)> Write) {
  if (FileName == "-") {
    if (Error E = Write(outs()))
      return E;
    outs().flush();
    return Error::success();
  }
  // A device such as /dev/null or /dev/stdout is written in place.
  sys::fs::file_status Status;
  if (!sys::fs::status(FileName, Status) && sys::fs::exists(Status) &&
      !sys::fs::is_regular_file(Status)) {
    std::error_code EC;
    raw_fd_ostream OS(FileName, EC);
    if (EC)
      return fileError(FileName, EC.message());
    return Write(OS);
  }
  Expected<sys::fs::TempFile> Temp =
      sys::fs::TempFile::create(FileName + ".tmp-%%%%%%%%");
  if (!Temp)
    return inFile(FileName, Temp.takeError());
  Error Failed = Error::success();
  {
    raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
    Failed = Write(OS);
    OS.flush();
    if (!Failed && OS.has_error())
      Failed = fileError(FileName, OS.error().message());
    OS.clear_error();
  }
  if (Failed)
    return joinErrors(std::move(Failed), Temp->discard());
  return inFile(FileName, Temp->keep(FileName));
}
