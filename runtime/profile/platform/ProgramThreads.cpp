//===- profile/platform/ProgramThreads.cpp - Whether the program goes on --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramThreads.h"
#include "System.h"
#include "Thread.h"
#include <fcntl.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

/// The number of threads, if the main thread has ended; else 0. \p Text is of
/// the form "PID (NAME) STATE ...", where a name may hold anything.
static uint64_t threadsAfterMain(const char *Text, size_t Size) {
  size_t I = Size;
  while (I && Text[I] != ')')
    --I;
  if (I + 2 >= Size || Text[I + 2] != 'Z')
    return 0;
  // It is the 18th field after the name.
  for (unsigned Field = 0; I < Size && Field != 18; ++I)
    if (Text[I] == ' ')
      ++Field;
  uint64_t Threads = 0;
  for (; I < Size && Text[I] >= '0' && Text[I] <= '9'; ++I)
    Threads = Threads * 10 + static_cast<uint64_t>(Text[I] - '0');
  return Threads;
}

ProgramThreads::Answer ProgramThreads::haveEnded(unsigned NumOwn) {
  if (File < 0)
    File = sys::call(SYS_openat, AT_FDCWD, sys::asLong("/proc/self/stat"),
                     O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return Unknown;
  char Text[1024];
  const long Bytes =
      sys::call(SYS_pread64, File, sys::asLong(Text), sizeof(Text) - 1, 0);
  if (!thisThread().HasOwnDescriptors) {
    sys::call(SYS_close, File);
    File = -1;
  }
  if (Bytes <= 0)
    return Unknown;
  Text[Bytes] = 0;
  const uint64_t Threads = threadsAfterMain(Text, static_cast<size_t>(Bytes));
  return Threads == 1 + uint64_t(NumOwn) ? Yes : No;
}
