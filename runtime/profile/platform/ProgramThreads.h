//===- platform/ProgramThreads.h - Whether the program goes on --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process ends with its last thread, and the runtime's own must not keep it
// alive. libc ends the process when the last thread that it knows returns. But
// threads may end by the system call alone, or by a filter of system calls. So
// each thread of the runtime's looks from time to time how many threads there
// are, and ends if no other is left.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_PROGRAMTHREADS_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_PROGRAMTHREADS_H

#include "Base.h"

namespace thermocline::runtime {

class ProgramThreads {
public:
  enum Answer { No, Yes, Unknown };
  /// Whether the main thread has ended, and there are only \p NumOwn others.
  /// Opens a file, and keeps it if this thread has descriptors of its own. It
  /// is not known without /proc.
  Answer haveEnded(unsigned NumOwn);

private:
  long File = -1;
};

} // namespace thermocline::runtime

#endif
