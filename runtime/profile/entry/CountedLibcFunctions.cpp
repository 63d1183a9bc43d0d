//===- entry/CountedLibcFunctions.cpp - String functions that count -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Much of what a program does to its heap happens in libc: the program and the
// C++ library compare, search and copy strings there. Each function here counts
// the bytes that it reads and writes, one access for every eight of them, as
// LLVM's runtime does. libc does the work.
//
// With sampling, most memory is not counted. Then the most common of these
// functions are jumps to libc's.
//
// <string.h> is not included: it overloads some of these names in C++.
//
//===----------------------------------------------------------------------===//

#include "measure/Shadow.h"
#include "platform/LibcFunctions.h"

using namespace thermocline::runtime;

static inline bool isUncounted(const void *Address) {
  return shadow::isUncounted(reinterpret_cast<uintptr_t>(Address));
}

/// Before the runtime has started there are no counters.
static inline void record(const void *Address, size_t Size) {
  if (!isUncounted(Address) && __builtin_expect(shadow::isInitialized(), true))
    shadow::recordRange(reinterpret_cast<uintptr_t>(Address), Size);
}

static inline bool areUncounted(const void *A, const void *B) {
  return shadow::isUncounted(reinterpret_cast<uintptr_t>(A) &
                             reinterpret_cast<uintptr_t>(B));
}

//===-- Copies and fills --------------------------------------------------===//

__attribute__((noinline)) static void *countedCopy(void *To, const void *From,
                                                   size_t Size) {
  record(From, Size);
  record(To, Size);
  THERMOCLINE_JUMP libc().Memcpy(To, From, Size);
}

__attribute__((noinline)) static void *countedMove(void *To, const void *From,
                                                   size_t Size) {
  record(From, Size);
  record(To, Size);
  THERMOCLINE_JUMP libc().Memmove(To, From, Size);
}

__attribute__((noinline)) static void *countedFill(void *To, int Byte,
                                                   size_t Size) {
  record(To, Size);
  THERMOCLINE_JUMP libc().Memset(To, Byte, Size);
}

THERMOCLINE_INTERFACE void *memcpy(void *To, const void *From, size_t Size) {
  if (areUncounted(To, From))
    THERMOCLINE_JUMP libc().Memcpy(To, From, Size);
  THERMOCLINE_JUMP countedCopy(To, From, Size);
}
THERMOCLINE_INTERFACE void *memmove(void *To, const void *From, size_t Size) {
  if (areUncounted(To, From))
    THERMOCLINE_JUMP libc().Memmove(To, From, Size);
  THERMOCLINE_JUMP countedMove(To, From, Size);
}
THERMOCLINE_INTERFACE void *memset(void *To, int Byte, size_t Size) {
  if (isUncounted(To))
    THERMOCLINE_JUMP libc().Memset(To, Byte, Size);
  THERMOCLINE_JUMP countedFill(To, Byte, Size);
}

// The functions that the pass puts in place of memory intrinsics.
THERMOCLINE_INTERFACE __attribute__((alias("memcpy"))) void *
__memprof_memcpy(void *To, const void *From, size_t Size);
THERMOCLINE_INTERFACE __attribute__((alias("memmove"))) void *
__memprof_memmove(void *To, const void *From, size_t Size);
THERMOCLINE_INTERFACE __attribute__((alias("memset"))) void *
__memprof_memset(void *To, int Byte, size_t Size);
THERMOCLINE_DATAFLOW_NAME(__memprof_memcpy);
THERMOCLINE_DATAFLOW_NAME(__memprof_memmove);
THERMOCLINE_DATAFLOW_NAME(__memprof_memset);

THERMOCLINE_INTERFACE void *mempcpy(void *To, const void *From, size_t Size) {
  return static_cast<char *>(countedCopy(To, From, Size)) + Size;
}

//===-- Comparisons and searches ------------------------------------------===//

__attribute__((noinline)) static int
countedCompare(const void *A, const void *B, size_t Size) {
  record(A, Size);
  record(B, Size);
  THERMOCLINE_JUMP libc().Memcmp(A, B, Size);
}

THERMOCLINE_INTERFACE int memcmp(const void *A, const void *B, size_t Size) {
  if (areUncounted(A, B))
    THERMOCLINE_JUMP libc().Memcmp(A, B, Size);
  THERMOCLINE_JUMP countedCompare(A, B, Size);
}

THERMOCLINE_INTERFACE __attribute__((alias("memcmp"))) int
bcmp(const void *A, const void *B, size_t Size);

THERMOCLINE_INTERFACE void *memchr(const void *Bytes, int Byte, size_t Size) {
  if (isUncounted(Bytes))
    THERMOCLINE_JUMP libc().Memchr(Bytes, Byte, Size);
  void *Result = libc().Memchr(Bytes, Byte, Size);
  record(Bytes, Result ? static_cast<size_t>(static_cast<char *>(Result) -
                                             static_cast<const char *>(Bytes)) +
                             1
                       : Size);
  return Result;
}

THERMOCLINE_INTERFACE size_t strlen(const char *Text) {
  if (isUncounted(Text))
    THERMOCLINE_JUMP libc().Strlen(Text);
  size_t Length = libc().Strlen(Text);
  record(Text, Length + 1);
  return Length;
}

THERMOCLINE_INTERFACE size_t strnlen(const char *Text, size_t Limit) {
  if (isUncounted(Text))
    THERMOCLINE_JUMP libc().Strnlen(Text, Limit);
  size_t Length = libc().Strnlen(Text, Limit);
  record(Text, Length < Limit ? Length + 1 : Limit);
  return Length;
}

/// Compares at most \p Limit characters as strncmp() does.
__attribute__((noinline)) static int
countedStringCompare(const char *A, const char *B, size_t Limit) {
  size_t Read = 0;
  int Difference = 0;
  while (Read != Limit) {
    auto Left = static_cast<unsigned char>(A[Read]);
    Difference = Left - static_cast<unsigned char>(B[Read]);
    ++Read;
    if (Difference || !Left)
      break;
  }
  record(A, Read);
  record(B, Read);
  return Difference;
}

THERMOCLINE_INTERFACE int strcmp(const char *A, const char *B) {
  if (areUncounted(A, B))
    THERMOCLINE_JUMP libc().Strcmp(A, B);
  return countedStringCompare(A, B, SIZE_MAX);
}

THERMOCLINE_INTERFACE int strncmp(const char *A, const char *B, size_t Limit) {
  if (areUncounted(A, B))
    THERMOCLINE_JUMP libc().Strncmp(A, B, Limit);
  THERMOCLINE_JUMP countedStringCompare(A, B, Limit);
}

static bool sameLetter(char A, char B) {
  auto Lower = [](char C) {
    return C >= 'A' && C <= 'Z' ? static_cast<char>(C + ('a' - 'A')) : C;
  };
  return Lower(A) == Lower(B);
}

/// Counts what a comparison of at most \p Limit letters of any case reads. libc
/// does the comparison itself, because it depends on the locale.
static void recordLetters(const char *A, const char *B, size_t Limit) {
  size_t Read = 0;
  while (Read != Limit) {
    ++Read;
    if (!A[Read - 1] || !sameLetter(A[Read - 1], B[Read - 1]))
      break;
  }
  record(A, Read);
  record(B, Read);
}

THERMOCLINE_INTERFACE int strcasecmp(const char *A, const char *B) {
  if (!areUncounted(A, B))
    recordLetters(A, B, SIZE_MAX);
  THERMOCLINE_JUMP libc().Strcasecmp(A, B);
}

THERMOCLINE_INTERFACE int strncasecmp(const char *A, const char *B,
                                      size_t Limit) {
  if (!areUncounted(A, B))
    recordLetters(A, B, Limit);
  THERMOCLINE_JUMP libc().Strncasecmp(A, B, Limit);
}

__attribute__((noinline)) static char *countedFind(const char *Text,
                                                   int Wanted) {
  char *Result = libc().Strchr(Text, Wanted);
  size_t Read =
      Result ? static_cast<size_t>(Result - Text) : libc().Strlen(Text);
  record(Text, Read + 1);
  return Result;
}

THERMOCLINE_INTERFACE char *strchr(const char *Text, int Wanted) {
  if (isUncounted(Text))
    THERMOCLINE_JUMP libc().Strchr(Text, Wanted);
  THERMOCLINE_JUMP countedFind(Text, Wanted);
}
THERMOCLINE_INTERFACE __attribute__((alias("strchr"))) char *
index(const char *Text, int Wanted);

THERMOCLINE_INTERFACE char *strrchr(const char *Text, int Wanted) {
  if (!isUncounted(Text))
    record(Text, libc().Strlen(Text) + 1);
  THERMOCLINE_JUMP libc().Strrchr(Text, Wanted);
}

THERMOCLINE_INTERFACE char *strstr(const char *Text, const char *Wanted) {
  if (areUncounted(Text, Wanted))
    THERMOCLINE_JUMP libc().Strstr(Text, Wanted);
  char *Result = libc().Strstr(Text, Wanted);
  size_t Length = libc().Strlen(Wanted);
  record(Text, Result ? static_cast<size_t>(Result - Text) + Length
                      : libc().Strlen(Text) + 1);
  record(Wanted, Length + 1);
  return Result;
}

// By these names a static libc may call its own, which would bring the file
// that defines both.
extern "C" __attribute__((visibility("hidden"), alias("strlen"))) size_t
__strlen(const char *Text);
extern "C" __attribute__((visibility("hidden"), alias("memchr"))) void *
__memchr(const void *Bytes, int Byte, size_t Size);

//===-- Copies of strings -------------------------------------------------===//

/// Copies \p Text with its zero to \p To. \returns where the zero is.
static char *countedStringCopy(char *To, const char *Text) {
  size_t Length = libc().Strlen(Text);
  countedCopy(To, Text, Length + 1);
  return To + Length;
}

THERMOCLINE_INTERFACE char *strcpy(char *To, const char *Text) {
  countedStringCopy(To, Text);
  return To;
}

THERMOCLINE_INTERFACE char *stpcpy(char *To, const char *Text) {
  return countedStringCopy(To, Text);
}

THERMOCLINE_INTERFACE char *strncpy(char *To, const char *Text, size_t Size) {
  if (areUncounted(To, Text))
    THERMOCLINE_JUMP libc().Strncpy(To, Text, Size);
  size_t Length = libc().Strnlen(Text, Size);
  record(Text, Length < Size ? Length + 1 : Size);
  record(To, Size);
  THERMOCLINE_JUMP libc().Strncpy(To, Text, Size);
}

THERMOCLINE_INTERFACE char *strcat(char *To, const char *Text) {
  size_t Length = libc().Strlen(To);
  record(To, Length);
  countedStringCopy(To + Length, Text);
  return To;
}

THERMOCLINE_INTERFACE char *strncat(char *To, const char *Text, size_t Size) {
  size_t Length = libc().Strlen(To);
  size_t Added = libc().Strnlen(Text, Size);
  record(Text, Added < Size ? Added + 1 : Size);
  record(To, Length);
  record(To + Length, Added + 1);
  libc().Memcpy(To + Length, Text, Added);
  To[Length + Added] = 0;
  return To;
}
