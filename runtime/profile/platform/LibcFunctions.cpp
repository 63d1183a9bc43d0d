//===- profile/platform/LibcFunctions.cpp - libc's own functions ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibcFunctions.h"
#include "Memory.h"
#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <gnu/libc-version.h>
#include <link.h>

// Static programs need not have them.
extern "C" {
__attribute__((weak)) void *dlopen(const char *, int) noexcept;
__attribute__((weak)) void *dlsym(void *, const char *) noexcept;
__attribute__((weak)) int dladdr(const void *, Dl_info *) noexcept;
__attribute__((weak)) int dladdr1(const void *, Dl_info *, void **,
                                  int) noexcept;
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

/// Calls dlsym() for a symbol that may be missing, which is not the program's
/// error.
static void *find(void *Where, const char *Name) {
  void *Found = dlsym(Where, Name);
  if (!Found && dlerror)
    dlerror();
  return Found;
}

static void *definitionInLibc(const char *Name) {
  static void *Libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
  return Libc ? find(Libc, Name) : nullptr;
}

/// Whether the library that comes after this one and has \p Mark has \p Found,
/// too.
static bool isBeside(const void *Found, const char *Mark) {
  void *Other = find(RTLD_NEXT, Mark);
  return Other && areTogether(Found, Other);
}

/// libthermocline_alloc has it.
static constexpr char AllocatorMark[] = "thermocline_alloc_hints";

void *thermocline::runtime::definitionBelow(const char *Name) {
  if (!dlsym || !dladdr || !dlopen)
    return nullptr;
  void *Found = dlsym(RTLD_NEXT, Name);
  // The usual case. To look for what is not there would allocate.
  if (Found && isOfLibc(Found))
    return Found;
  // Neither another copy of this runtime, nor libthermocline_alloc, which asks
  // this library for memory, unless it has joined.
  if (Found && !isBeside(Found, "__memprof_init") &&
      (libc().Allocator.Joined || !isBeside(Found, AllocatorMark)))
    return Found;
  return definitionInLibc(Name);
}

void *thermocline::runtime::definitionInProgram(const char *Name) {
  if (!dlsym || !dladdr || !dlopen)
    return nullptr;
  // Not by RTLD_DEFAULT, which is what this library sees.
  static void *Program = dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD);
  return Program ? find(Program, Name) : nullptr;
}

const char *thermocline::runtime::objectOf(const void *Address) {
  Dl_info Object;
  return dladdr && dladdr(Address, &Object) && Object.dli_fname
             ? Object.dli_fname
             : "?";
}

bool thermocline::runtime::isStubOfProgram(const void *Function) {
  Dl_info Object;
  void *Found = nullptr;
  if (!dladdr1 || !dladdr1(Function, &Object, &Found, RTLD_DL_SYMENT) || !Found)
    return false;
  return static_cast<const ElfW(Sym) *>(Found)->st_shndx == SHN_UNDEF;
}

template <typename Function>
static bool resolveBelow(Function &Target, const char *Name) {
  return resolveAs(Target, definitionBelow(Name));
}

/// Looks up a function of an allocator, as the program sees it.
template <typename Function>
static bool resolveInProgram(Function &Target, const char *Name) {
  void *Found = definitionInProgram(Name);
  // An allocator that does not have all of the functions is not used.
  if (Found && isOfThisCopy(Found))
    Found = definitionBelow(Name);
  return resolveAs(Target, Found);
}

void LibcFunctions::resolveStrings() {
  resolveBelow(Memcpy, "memcpy");
  resolveBelow(Memmove, "memmove");
  resolveBelow(Memset, "memset");
  resolveBelow(Memcmp, "memcmp");
  resolveBelow(Memchr, "memchr");
  resolveBelow(Strlen, "strlen");
  resolveBelow(Strnlen, "strnlen");
  resolveBelow(Strcmp, "strcmp");
  resolveBelow(Strncmp, "strncmp");
  resolveBelow(Strcasecmp, "strcasecmp");
  resolveBelow(Strncasecmp, "strncasecmp");
  resolveBelow(Strchr, "strchr");
  resolveBelow(Strrchr, "strrchr");
  resolveBelow(Strstr, "strstr");
  resolveBelow(Strncpy, "strncpy");
}

void LibcFunctions::resolve() {
  resolveStrings();
  auto &A = Allocator;
  if (A.Joined)
    return;
  if (!resolveBelow(A.Malloc, "malloc") || !resolveBelow(A.Calloc, "calloc") ||
      !resolveBelow(A.Memalign, "memalign") ||
      !resolveBelow(A.Realloc, "realloc") || !resolveBelow(A.Free, "free") ||
      !resolveBelow(A.UsableSize, "malloc_usable_size"))
    return;
  // glibc's sets itself up at its first call, without a lock: it relies on
  // there being one thread then. Before the flag is set nobody else gets there.
  A.Free(A.Malloc(1));
  A.IsKnown.store(true);
}

bool LibcFunctions::resolveAllocatorOnly() {
  if (!dlsym || !dladdr)
    return false;
  // No lookup by definitionInProgram(), which allocates.
  auto Resolve = [](auto &Target, const char *Name) {
    void *Found = dlsym(RTLD_DEFAULT, Name);
    return resolveAs(
        Target, Found && isOfThisCopy(Found) ? dlsym(RTLD_NEXT, Name) : Found);
  };
  auto &A = Allocator;
  const bool HasAll =
      Resolve(A.Malloc, "malloc") && Resolve(A.Calloc, "calloc") &&
      Resolve(A.Memalign, "memalign") && Resolve(A.Realloc, "realloc") &&
      Resolve(A.Free, "free") && Resolve(A.UsableSize, "malloc_usable_size");
  A.IsKnown.store(HasAll);
  return HasAll;
}

bool LibcFunctions::join(const format::AllocatorFunctions &Functions) {
  auto &A = Allocator;
  if (A.IsKnown.load())
    return false;
  static_cast<format::MallocFunctions &>(A) = Functions;
  A.Joined = &Functions;
  A.IsKnown.store(true);
  return true;
}

void LibcFunctions::letAllocatorJoin() {
  void *(*Malloc)(size_t);
  void (*Free)(void *);
  // It decides whether it serves when it is called first. That of a program
  // comes before this library, and that of a library behind it.
  auto Call = [&](void *ItsMalloc, void *ItsFree) {
    if (!libc().Allocator.IsKnown.load() && resolveAs(Malloc, ItsMalloc) &&
        resolveAs(Free, ItsFree) && !isOfThisCopy(ItsMalloc) &&
        !isOfLibc(ItsMalloc))
      Free(Malloc(1));
  };
  Call(definitionInProgram("malloc"), definitionInProgram("free"));
  if (dlsym && dladdr && isBeside(dlsym(RTLD_NEXT, "malloc"), AllocatorMark))
    Call(dlsym(RTLD_NEXT, "malloc"), dlsym(RTLD_NEXT, "free"));
}

void LibcFunctions::resolveAllocatorOfProgram() {
  auto &A = Allocator;
  if (resolveInProgram(A.Malloc, "malloc") &&
      resolveInProgram(A.Calloc, "calloc") &&
      resolveInProgram(A.Memalign, "memalign") &&
      resolveInProgram(A.Realloc, "realloc") &&
      resolveInProgram(A.Free, "free") &&
      resolveInProgram(A.UsableSize, "malloc_usable_size"))
    A.IsKnown.store(true);
}
