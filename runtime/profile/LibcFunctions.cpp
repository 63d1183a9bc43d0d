//===- profile/LibcFunctions.cpp - libc's own functions -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibcFunctions.h"
#include "Memory.h"
#include <dlfcn.h>
#include <gnu/libc-version.h>

// Static programs need not have them.
extern "C" {
__attribute__((weak)) void *dlsym(void *, const char *) noexcept;
__attribute__((weak)) int dladdr(const void *, Dl_info *) noexcept;
__attribute__((weak)) char *dlerror() noexcept;
}

using namespace thermocline::runtime;

//===-- Plain ones --------------------------------------------------------===//

static void *plainMemcpy(void *To, const void *From, size_t Size) {
  copyBytes(To, From, Size);
  return To;
}

static void *plainMemmove(void *To, const void *From, size_t Size) {
  moveBytes(To, From, Size);
  return To;
}

static void *plainMemset(void *To, int Byte, size_t Size) {
  fillBytes(To, Byte, Size);
  return To;
}

static int plainMemcmp(const void *A, const void *B, size_t Size) {
  auto *Left = static_cast<const unsigned char *>(A);
  auto *Right = static_cast<const unsigned char *>(B);
  for (size_t I = 0; I != Size; ++I)
    if (Left[I] != Right[I])
      return Left[I] - Right[I];
  return 0;
}

static void *plainMemchr(const void *Bytes, int Byte, size_t Size) {
  auto *Next = static_cast<const unsigned char *>(Bytes);
  for (size_t I = 0; I != Size; ++I)
    if (Next[I] == static_cast<unsigned char>(Byte))
      return const_cast<unsigned char *>(Next + I);
  return nullptr;
}

static size_t plainStrnlen(const char *Text, size_t Limit) {
  size_t Length = 0;
  while (Length != Limit && Text[Length])
    ++Length;
  return Length;
}

static size_t plainStrlen(const char *Text) {
  return plainStrnlen(Text, SIZE_MAX);
}

static int lower(unsigned char C) {
  return C >= 'A' && C <= 'Z' ? C + ('a' - 'A') : C;
}

static int plainStrncmp(const char *A, const char *B, size_t Limit) {
  for (size_t I = 0; I != Limit; ++I) {
    int Left = static_cast<unsigned char>(A[I]);
    int Right = static_cast<unsigned char>(B[I]);
    if (Left != Right || !Left)
      return Left - Right;
  }
  return 0;
}

static int plainStrncasecmp(const char *A, const char *B, size_t Limit) {
  for (size_t I = 0; I != Limit; ++I) {
    int Left = lower(static_cast<unsigned char>(A[I]));
    int Right = lower(static_cast<unsigned char>(B[I]));
    if (Left != Right || !Left)
      return Left - Right;
  }
  return 0;
}

static int plainStrcmp(const char *A, const char *B) {
  return plainStrncmp(A, B, SIZE_MAX);
}

static int plainStrcasecmp(const char *A, const char *B) {
  return plainStrncasecmp(A, B, SIZE_MAX);
}

static char *plainStrchr(const char *Text, int Wanted) {
  for (;; ++Text) {
    if (*Text == static_cast<char>(Wanted))
      return const_cast<char *>(Text);
    if (!*Text)
      return nullptr;
  }
}

static char *plainStrrchr(const char *Text, int Wanted) {
  const char *Last = nullptr;
  for (;; ++Text) {
    if (*Text == static_cast<char>(Wanted))
      Last = Text;
    if (!*Text)
      return const_cast<char *>(Last);
  }
}

static char *plainStrstr(const char *Text, const char *Wanted) {
  size_t Length = plainStrlen(Wanted);
  for (; plainStrncmp(Text, Wanted, Length) != 0; ++Text)
    if (!*Text)
      return nullptr;
  return const_cast<char *>(Text);
}

static char *plainStrncpy(char *To, const char *Text, size_t Size) {
  size_t Length = plainStrnlen(Text, Size);
  copyBytes(To, Text, Length);
  fillBytes(To + Length, 0, Size - Length);
  return To;
}

//===-- libc's ------------------------------------------------------------===//

constinit LibcFunctions LibcFunctions::Instance = {
    plainMemcpy,  plainMemmove,    plainMemset,      plainMemcmp,
    plainMemchr,  plainStrlen,     plainStrnlen,     plainStrcmp,
    plainStrncmp, plainStrcasecmp, plainStrncasecmp, plainStrchr,
    plainStrrchr, plainStrstr,     plainStrncpy,     {}};

/// Whether the same library, or the program, has both.
static bool areTogether(const void *A, const void *B) {
  Dl_info OfA, OfB;
  return dladdr(A, &OfA) && dladdr(B, &OfB) && OfA.dli_fbase == OfB.dli_fbase;
}

static bool isOfThisCopy(const void *Address) {
  static const char Here = 0;
  return areTogether(Address, &Here);
}

static bool isOfLibc(const void *Address) {
  return areTogether(Address,
                     reinterpret_cast<const void *>(&gnu_get_libc_version));
}

/// Lets the next copy of the runtime, if there is one, say what is below it if
/// that is where \p Found is.
static void *askNextCopy(const char *Name, void *Found) {
  using Answer = void *(*)(const char *, void *);
  static Answer Ask;
  static bool HasLooked;
  // The usual case. To look for what is not there would allocate.
  if (isOfLibc(Found))
    return Found;
  if (!HasLooked) {
    HasLooked = true;
    Ask = reinterpret_cast<Answer>(
        dlsym(RTLD_NEXT, "__thermocline_definition_below"));
    // That there is none is not the program's error.
    if (!Ask && dlerror)
      dlerror();
  }
  return Ask ? Ask(Name, Found) : Found;
}

/// For a copy above this one: \p Found, or what is below if that is ours.
THERMOCLINE_INTERFACE void *__thermocline_definition_below(const char *Name,
                                                           void *Found) {
  if (isOfThisCopy(Found))
    Found = dlsym(RTLD_NEXT, Name);
  return askNextCopy(Name, Found);
}

void *thermocline::runtime::definitionBelow(const char *Name) {
  if (!dlsym || !dladdr)
    return nullptr;
  return askNextCopy(Name, dlsym(RTLD_NEXT, Name));
}

template <typename Function>
static void resolveOne(Function &Target, const char *Name) {
  if (void *Found = definitionBelow(Name))
    Target = reinterpret_cast<Function>(Found);
}

void LibcFunctions::resolve() {
  resolveOne(Memcpy, "memcpy");
  resolveOne(Memmove, "memmove");
  resolveOne(Memset, "memset");
  resolveOne(Memcmp, "memcmp");
  resolveOne(Memchr, "memchr");
  resolveOne(Strlen, "strlen");
  resolveOne(Strnlen, "strnlen");
  resolveOne(Strcmp, "strcmp");
  resolveOne(Strncmp, "strncmp");
  resolveOne(Strcasecmp, "strcasecmp");
  resolveOne(Strncasecmp, "strncasecmp");
  resolveOne(Strchr, "strchr");
  resolveOne(Strrchr, "strrchr");
  resolveOne(Strstr, "strstr");
  resolveOne(Strncpy, "strncpy");
  auto &A = Allocator;
  resolveOne(A.Malloc, "malloc");
  resolveOne(A.Calloc, "calloc");
  resolveOne(A.Memalign, "memalign");
  resolveOne(A.Realloc, "realloc");
  resolveOne(A.Free, "free");
  resolveOne(A.UsableSize, "malloc_usable_size");
  if (!(A.Malloc && A.Calloc && A.Memalign && A.Realloc && A.Free &&
        A.UsableSize))
    return;
  // glibc's sets itself up at its first call, without a lock: it relies on
  // there being one thread then. Before the flag is set nobody else gets there.
  A.Free(A.Malloc(1));
  A.IsKnown.store(true);
}
