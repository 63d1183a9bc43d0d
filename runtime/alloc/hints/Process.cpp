//===- alloc/hints/Process.cpp - What the process has ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once for each function. All references are weak: the linker must not
// fetch for them what the program did without.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "abi/ProgramTable.h"
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#if defined(HINT_TABLE)
#pragma weak thermocline_alloc_hints

/// As libc declares it, it may throw, which C programs have no library for.
extern "C" __attribute__((weak)) ssize_t writeText(int, const void *,
                                                   size_t) noexcept
    __asm__("write");

using thermocline::alloc::HintTable;
using thermocline::alloc::HintTableVersion;

static constinit std::atomic<const HintTable *> Table = nullptr;
/// Whether the program's note has been read.
static constinit std::atomic<bool> IsRead = false;
static constinit std::atomic<bool> IsRefused = false;

namespace {

/// A line of text, made without libc.
struct Line {
  char Text[160];
  size_t Size = 0;

  Line &operator<<(const char *Part) noexcept {
    while (*Part)
      Text[Size++] = *Part++;
    return *this;
  }
  Line &operator<<(uint32_t Number) noexcept {
    if (Number >= 10)
      *this << Number / 10;
    Text[Size++] = static_cast<char>('0' + Number % 10);
    return *this;
  }
};

} // namespace

/// \returns Found unless this was built for another version. Says that once.
static const HintTable *ifKnown(const HintTable *Found) noexcept {
  if (!Found || Found->Version == HintTableVersion)
    return Found;
  if (!IsRefused.exchange(true, std::memory_order_relaxed) && writeText) {
    Line Said;
    Said << "thermocline: warning: hints are of version " << HintTableVersion
         << ", but the allocator knows version " << Found->Version
         << ": they are ignored\n";
    (void)writeText(STDERR_FILENO, Said.Text, Said.Size);
  }
  return nullptr;
}

HINTS_OWN const HintTable *thermocline_hints_table() noexcept {
  if (!IsRead.load(std::memory_order_acquire)) {
    // The program's goes before that of a shared library, as its malloc does.
    const HintTable *OfProgram = thermocline::alloc::tableOfProgram();
    Table.store(ifKnown(OfProgram ? OfProgram : &thermocline_alloc_hints),
                std::memory_order_relaxed);
    IsRead.store(true, std::memory_order_release);
  }
  return Table.load(std::memory_order_relaxed);
}
#elif defined(HINT_NAMED)
#pragma weak dlsym
#pragma weak dlerror
#pragma weak _r_debug
#pragma weak _DYNAMIC

/// Whether this is linked into the program itself, whose link would have found
/// what it exports.
static bool isProgram() {
  const link_map *Program = &_r_debug ? _r_debug.r_map : nullptr;
  return !Program || Program->l_ld == _DYNAMIC;
}

void *thermocline_hints_named(const char *Name) noexcept {
  if (thermocline_hints_table() || !dlsym || isProgram())
    return nullptr;
  void *Found = dlsym(RTLD_DEFAULT, Name);
  // Clears the error of dlsym(), as it is no error of the program's that
  // nothing is found.
  if (!Found && dlerror)
    dlerror();
  return Found;
}
#else
static constinit std::atomic<Answer> Asked = Answer::Unknown;
[[maybe_unused]] static constinit std::atomic<Answer> AskedArrays =
    Answer::Unknown;

#if defined(HINT_SERVES_MALLOC)
extern "C" {
__attribute__((weak)) void *malloc(size_t);
__attribute__((weak)) void free(void *);
}
HINTS_OWN bool thermocline_hints_serves_malloc() noexcept {
  return isServed(Asked, malloc, free);
}
#elif defined(HINT_SERVES_NEW)
extern "C" {
__attribute__((weak)) void *plainNew(size_t) __asm__("_Znwm");
__attribute__((weak)) void plainDelete(void *) __asm__("_ZdlPv");
__attribute__((weak)) void *arrayNew(size_t) __asm__("_Znam");
__attribute__((weak)) void arrayDelete(void *) __asm__("_ZdaPv");
}
// The operators of arrays may be missing in a static program, and may be the
// program's own alone.
HINTS_OWN bool thermocline_hints_serves_new() noexcept {
  return isServed(Asked, plainNew, plainDelete) &&
         (!arrayNew || !arrayDelete ||
          isServed(AskedArrays, arrayNew, arrayDelete));
}
#elif defined(HINT_SERVES_ALIGNED_NEW)
extern "C" {
__attribute__((weak)) void *alignedNew(size_t,
                                       size_t) __asm__("_ZnwmSt11align_val_t");
__attribute__((weak)) void
alignedDelete(void *, size_t) __asm__("_ZdlPvSt11align_val_t");
__attribute__((weak)) void *
alignedArrayNew(size_t, size_t) __asm__("_ZnamSt11align_val_t");
__attribute__((weak)) void
alignedArrayDelete(void *, size_t) __asm__("_ZdaPvSt11align_val_t");
}
static constexpr size_t Alignment = thermocline::alloc::ProbeAlignment;
static void *callNew(size_t SizeBytes) {
  return alignedNew(SizeBytes, Alignment);
}
static void callDelete(void *Pointer) { alignedDelete(Pointer, Alignment); }
static void *callArrayNew(size_t SizeBytes) {
  return alignedArrayNew(SizeBytes, Alignment);
}
static void callArrayDelete(void *Pointer) {
  alignedArrayDelete(Pointer, Alignment);
}
HINTS_OWN bool thermocline_hints_serves_aligned_new() noexcept {
  return isServed(Asked, alignedNew ? callNew : nullptr,
                  alignedDelete ? callDelete : nullptr) &&
         (!alignedArrayNew || !alignedArrayDelete ||
          isServed(AskedArrays, callArrayNew, callArrayDelete));
}
#else
#error "no question is chosen"
#endif
#endif
