//===- EndToEnd/Inputs/Record.cpp - Compare hints with intents ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allocator of the test programs' last build: glibc's, and a table of what
// the program intended at each call and whether the call had a hint. Calls from
// inside the system's libraries are not counted. At exit the table goes to the
// file that TRUTH names, with the program's answers left alone.
//
//===----------------------------------------------------------------------===//

#include "Truth.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <unistd.h>

enum class __hot_cold_t : uint8_t {};

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
}

namespace {

struct Counts {
  std::atomic<unsigned> Plain, Hinted;
};
Counts Table[4];

bool isSystemCode(const void *Caller) {
  Dl_info Info;
  if (!dladdr(Caller, &Info) || !Info.dli_fname)
    return false;
  const char *Name = std::strrchr(Info.dli_fname, '/');
  Name = Name ? Name + 1 : Info.dli_fname;
  for (const char *System : {"libc.so", "libstdc++.so", "libgcc_s.so", "ld-"})
    if (std::strncmp(Name, System, std::strlen(System)) == 0)
      return true;
  return false;
}

void count(bool Hinted, const void *Caller) {
  if (isSystemCode(Caller))
    return;
  Counts &Row = Table[CurrentIntent];
  ++(Hinted ? Row.Hinted : Row.Plain);
}

struct Report {
  ~Report() {
    const char *File = std::getenv("TRUTH");
    int Output = File ? open(File, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (Output < 0)
      return;
    const char *Names[] = {"none", "warm", "cold", "blended"};
    for (int I = 0; I != 4; ++I)
      dprintf(Output, "intent=%s plain=%u hinted=%u\n", Names[I],
              Table[I].Plain.load(), Table[I].Hinted.load());
    close(Output);
  }
} AtExit;

void *orThrow(void *Memory) {
  if (!Memory)
    throw std::bad_alloc();
  return Memory;
}

char *duplicate(const char *Text, size_t Length) {
  char *Copy = static_cast<char *>(__libc_malloc(Length + 1));
  if (Copy) {
    std::memcpy(Copy, Text, Length);
    Copy[Length] = 0;
  }
  return Copy;
}

int aligned(void **Result, size_t Alignment, size_t Size) {
  void *Memory = __libc_memalign(Alignment, Size);
  if (!Memory)
    return ENOMEM;
  *Result = Memory;
  return 0;
}

void *reallocArray(void *Old, size_t Count, size_t Size) {
  size_t Bytes;
  if (__builtin_mul_overflow(Count, Size, &Bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_realloc(Old, Bytes);
}

} // namespace

#define CALLER __builtin_return_address(0)

// Each function and its cold variant.
#define C_FUNCTION(TYPE, NAME, PARAMETERS, BODY)                               \
  extern "C" TYPE NAME PARAMETERS noexcept {                                   \
    count(false, CALLER);                                                      \
    return BODY;                                                               \
  }                                                                            \
  extern "C" TYPE NAME##_cold PARAMETERS {                                     \
    count(true, CALLER);                                                       \
    return BODY;                                                               \
  }
C_FUNCTION(void *, malloc, (size_t N), __libc_malloc(N))
C_FUNCTION(void *, calloc, (size_t C, size_t N), __libc_calloc(C, N))
C_FUNCTION(void *, realloc, (void *P, size_t N), __libc_realloc(P, N))
C_FUNCTION(void *, reallocarray, (void *P, size_t C, size_t N),
           reallocArray(P, C, N))
C_FUNCTION(void *, aligned_alloc, (size_t A, size_t N), __libc_memalign(A, N))
C_FUNCTION(void *, memalign, (size_t A, size_t N), __libc_memalign(A, N))
C_FUNCTION(int, posix_memalign, (void **R, size_t A, size_t N),
           aligned(R, A, N))
C_FUNCTION(char *, strdup, (const char *T), duplicate(T, std::strlen(T)))
C_FUNCTION(char *, strndup, (const char *T, size_t N),
           duplicate(T, strnlen(T, N)))

#define NEW_OPERATOR(FORM, PARAMETERS, HINTED_PARAMETERS, SUFFIX, BODY)        \
  void *operator FORM PARAMETERS SUFFIX {                                      \
    count(false, CALLER);                                                      \
    return BODY;                                                               \
  }                                                                            \
  void *operator FORM HINTED_PARAMETERS SUFFIX {                               \
    count(true, CALLER);                                                       \
    return BODY;                                                               \
  }
#define NEW_OPERATORS(FORM)                                                    \
  NEW_OPERATOR(FORM, (size_t N), (size_t N, __hot_cold_t), ,                   \
               orThrow(__libc_malloc(N)))                                      \
  NEW_OPERATOR(FORM, (size_t N, const std::nothrow_t &),                       \
               (size_t N, const std::nothrow_t &, __hot_cold_t), noexcept,     \
               __libc_malloc(N))                                               \
  NEW_OPERATOR(FORM, (size_t N, std::align_val_t A),                           \
               (size_t N, std::align_val_t A, __hot_cold_t), ,                 \
               orThrow(__libc_memalign(size_t(A), N)))                         \
  NEW_OPERATOR(                                                                \
      FORM, (size_t N, std::align_val_t A, const std::nothrow_t &),            \
      (size_t N, std::align_val_t A, const std::nothrow_t &, __hot_cold_t),    \
      noexcept, __libc_memalign(size_t(A), N))
NEW_OPERATORS(new)
NEW_OPERATORS(new[])

extern "C" void free(void *P) noexcept { __libc_free(P); }
#define DELETE_OPERATORS(FORM)                                                 \
  void operator FORM(void *P) noexcept { __libc_free(P); }                     \
  void operator FORM(void *P, size_t) noexcept { __libc_free(P); }             \
  void operator FORM(void *P, std::align_val_t) noexcept { __libc_free(P); }   \
  void operator FORM(void *P, size_t, std::align_val_t) noexcept {             \
    __libc_free(P);                                                            \
  }                                                                            \
  void operator FORM(void *P, const std::nothrow_t &) noexcept {               \
    __libc_free(P);                                                            \
  }                                                                            \
  void operator FORM(void *P, std::align_val_t,                                \
                     const std::nothrow_t &) noexcept {                        \
    __libc_free(P);                                                            \
  }
DELETE_OPERATORS(delete)
DELETE_OPERATORS(delete[])
