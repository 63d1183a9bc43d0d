//===- Support/ReaderProcess.h - Reading what is not ours -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: LLVM's readers of ELF and DWARF take much of what they read for
// granted. A damaged program makes them read where nothing is, ask for
// terabytes, run for ever, or call what ends the process.
//
// Idea: they run in a child of this process, which answers requests. Whatever
// happens to it, this process goes on, and has one sentence on it. The next
// request starts another child. Memory and processor time of a request are
// limited by the size of the files that it reads.
//
// Cost: a fork for each child, a millisecond or two, and for each request two
// changes of the process, some 20 microseconds. So requests are few and large,
// and one child reads many files.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_READERPROCESS_H
#define THERMOCLINE_SUPPORT_READERPROCESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <sys/types.h>

namespace thermocline {

class ReaderProcess {
public:
  /// Answers a request. It runs in the child, and what it keeps from one
  /// request for the next is in the child, too.
  using Answer = std::function<std::string(llvm::StringRef Request)>;

  /// \p Respond is copied into each child.
  explicit ReaderProcess(Answer Respond) : Respond(std::move(Respond)) {}
  ReaderProcess(const ReaderProcess &) = delete;
  ReaderProcess &operator=(const ReaderProcess &) = delete;
  ~ReaderProcess();

  /// The answer of the child, which is started if there is none. The error is
  /// what ended it, "reading it was ended by …", without the name of a file.
  /// That no child can be started is fatal: it says nothing of a file.
  llvm::Expected<std::string> ask(llvm::StringRef Request);

  /// Ends the child. The next request starts another one.
  void stop();

  /// The number of the present child, from 1; 0 if there is none. What an
  /// earlier one kept is lost.
  unsigned child() const { return Child < 0 ? 0 : NumStarted; }

  /// Lets the present request take what reading \p FileBytes may need beyond
  /// what it has taken. What a few small files need is always allowed. Does
  /// nothing in other processes.
  static void allowFor(uint64_t FileBytes);

private:
  void start();
  llvm::Error whyEnded(llvm::StringRef Said);

  Answer Respond;
  unsigned NumStarted = 0;
  pid_t Child = -1;
  int Socket = -1;
};

} // namespace thermocline

#endif
