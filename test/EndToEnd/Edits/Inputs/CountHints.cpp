//===- Edits/Inputs/CountHints.cpp - Bytes with and without a hint --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allocator of the optimized programs. At exit it prints for each tag the
// bytes without and with a hint.
//
//===----------------------------------------------------------------------===//

#include "Tags.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

enum class __hot_cold_t : uint8_t {};
extern "C" void *__libc_malloc(size_t);

static unsigned long Plain[MaxTags], Hinted[MaxTags];

static struct Report {
  ~Report() {
    for (int I = 1; I != MaxTags; ++I)
      if (Plain[I] || Hinted[I])
        std::printf("%d %lu %lu\n", I, Plain[I], Hinted[I]);
  }
} AtExit;

static void *plain(size_t Size) {
  Plain[Tag] += Size;
  return __libc_malloc(Size);
}
static void *hinted(size_t Size) {
  Hinted[Tag] += Size;
  return __libc_malloc(Size);
}

extern "C" void *malloc(size_t Size) { return plain(Size); }
extern "C" void *malloc_cold(size_t Size) { return hinted(Size); }
void *operator new(size_t Size) { return plain(Size); }
void *operator new[](size_t Size) { return plain(Size); }
void *operator new(size_t Size, __hot_cold_t) { return hinted(Size); }
void *operator new[](size_t Size, __hot_cold_t) { return hinted(Size); }
