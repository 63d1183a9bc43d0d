//===- Support/Errors.cpp - Errors with file and record -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Errors.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace llvm;
using namespace thermocline;

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

static constexpr char StandardOutput[] = "standard output";

Error thermocline::flushed(raw_fd_ostream &OS, StringRef File) {
  OS.flush();
  if (!OS.has_error())
    return Error::success();
  std::error_code EC = OS.error();
  OS.clear_error();
  return fileError(File, EC.message());
}

int thermocline::finishOutput(StringRef Tool, int Status) {
  if (Error E = flushed(outs(), StandardOutput))
    return reportFatal(Tool, std::move(E));
  return Status;
}

static void onFatalError(void *Data, const char *Message, bool) {
  const auto &Errors = *static_cast<const FatalErrors *>(Data);
  StringRef Text = StringRef(Message).rtrim('\n');
  // What LLVM says of a stream that it can't write.
  if (Text.consume_front("IO failure on output stream: "))
    reportFatal(
        Errors.Tool,
        fileError(Errors.Output, "this, or what is written with it, cannot "
                                 "be written: " +
                                     Text));
  else
    reportFatal(Errors.Tool, createStringError(Text));
  sys::RunInterruptHandlers();
  sys::Process::Exit(1, /*NoCleanup=*/true);
}

void FatalErrors::install() {
  remove_fatal_error_handler();
  install_fatal_error_handler(onFatalError, this);
}
