//===- profile/platform/LibcFunctions.h - libc's own functions --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime defines memcpy, strlen and the like for the program
// (CountedLibcFunctions.cpp), to count what they access. They do their work
// through libc's own functions. Until these are looked up, simple ones are
// used. Static programs always use the simple ones, because they have no second
// definition.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_LIBCFUNCTIONS_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_LIBCFUNCTIONS_H

#include "Base.h"
#include "thermocline/Format/Live/ProfilerFunctions.h"

namespace thermocline::runtime {

struct LibcFunctions {
  void *(*Memcpy)(void *, const void *, size_t);
  void *(*Memmove)(void *, const void *, size_t);
  void *(*Memset)(void *, int, size_t);
  int (*Memcmp)(const void *, const void *, size_t);
  void *(*Memchr)(const void *, int, size_t);
  size_t (*Strlen)(const char *);
  size_t (*Strnlen)(const char *, size_t);
  int (*Strcmp)(const char *, const char *);
  int (*Strncmp)(const char *, const char *, size_t);
  int (*Strcasecmp)(const char *, const char *);
  int (*Strncasecmp)(const char *, const char *, size_t);
  char *(*Strchr)(const char *, int);
  char *(*Strrchr)(const char *, int);
  char *(*Strstr)(const char *, const char *);
  char *(*Strncpy)(char *, const char *, size_t);

  /// The allocator below the program's: libc's, one that a library brings, or
  /// the program's own, which has joined (Format/Live/ProfilerFunctions.h).
  /// Null until looked up, and in static programs.
  struct : format::MallocFunctions {
    /// All of them were found.
    Atomic<bool> IsKnown;
    /// The functions of the program's own allocator, if that is the one.
    const format::AllocatorFunctions *Joined;
  } Allocator;

  /// The only one.
  static LibcFunctions Instance;

  /// Looks up libc's functions. Called once, when libc is ready.
  void resolve();
  /// Looks up those that are not about memory alone.
  void resolveStrings();
  /// Makes the allocator below the one that the program would have without this
  /// library. By the first allocation. \returns false if it has none.
  bool resolveAllocatorOnly();
  /// Makes the program's allocator the one below, if it is not the runtime.
  void resolveAllocatorOfProgram();
  /// Makes the allocator below the one that calls this, unless there is one
  /// already. \returns whether it did.
  bool join(const format::AllocatorFunctions &Functions);
  /// Lets the program, or a library, that has such an allocator join, if it has
  /// not yet. Before resolve(), once libc is ready.
  static void letAllocatorJoin();
};

/// The definition of \p Name that comes after this library, or after the
/// program, in the order in which symbols are looked up, or else that of libc.
/// Other copies of this runtime and libthermocline_alloc are skipped. \returns
/// null if there is none, and in static programs.
void *definitionBelow(const char *Name);
/// The definition of \p Name that the program and libraries loaded with it use.
/// Null if there is none, or if it is not known.
void *definitionInProgram(const char *Name);
/// Whether \p Function is only a stub that a program has in its place.
bool isStubOfProgram(const void *Function);
/// The path of the program or library in which \p Address lies.
const char *objectOf(const void *Address);

/// Sets \p Target to a definition that is not null. \returns whether it is not.
template <typename Function>
bool resolveAs(Function &Target, void *Definition) {
  if (Definition)
    Target = reinterpret_cast<Function>(Definition);
  return Definition;
}

inline LibcFunctions &libc() { return LibcFunctions::Instance; }

} // namespace thermocline::runtime

#endif
