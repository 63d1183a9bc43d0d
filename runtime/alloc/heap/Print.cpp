//===- alloc/heap/Print.cpp - Text without memory -------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Print.h"
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <unistd.h>

void thermocline::alloc::writeAll(int File, const char *Text, size_t Size) {
  while (Size != 0) {
    ssize_t Written = write(File, Text, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return;
    Text += Written;
    Size -= static_cast<size_t>(Written);
  }
}

void thermocline::alloc::printLine(const char *Format, ...) {
  char Text[PATH_MAX + 256];
  va_list Arguments;
  va_start(Arguments, Format);
  int Size = vsnprintf(Text, sizeof(Text) - 1, Format, Arguments);
  va_end(Arguments);
  if (Size < 0)
    return;
  size_t Length = strlen(Text);
  Text[Length] = '\n';
  writeAll(STDERR_FILENO, Text, Length + 1);
}
