//===- Live/ProfilerFunctions.h - Who profiles a program --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library that is preloaded to profile programs as they are
// (runtime/profile) replaces malloc. A program that is linked with
// libthermocline_alloc has a malloc of its own, which comes first, and two
// heaps, which it is to keep while it is profiled. So the library exports a
// function that tells of a sampler, and the allocator offers it each new
// object. The sampler takes few. It watches such an object in memory of its
// own, and the object's memory in the allocator is set aside as long: so all
// others lie where they would, and whether the object is cold is known.
//
// The allocator asks for these functions when it decides whether it serves the
// process. Objects of both may then be freed and resized by either.
//
// This is a binary interface: programs of today meet libraries of tomorrow. So
// each change of it gets another name. An older allocator asks for the first
// version, by which the library's functions serve the process instead of its
// own, and nothing lands cold. So does one that finds an older library, or that
// comes into a process when memory has been given out already.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_LIVE_PROFILERFUNCTIONS_H
#define THERMOCLINE_FORMAT_LIVE_PROFILERFUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

namespace thermocline::format {

/// The name of the library's file begins so.
constexpr char ProfilerLibrary[] = "libthermocline_preload.so";

//===-- Version 1 ---------------------------------------------------------===//

/// They do what the functions of libc do.
struct ProfilerFunctions {
  void *(*Malloc)(size_t);
  void *(*Calloc)(size_t, size_t);
  void *(*Realloc)(void *, size_t);
  void (*Free)(void *);
  void *(*Memalign)(size_t, size_t);
  int (*PosixMemalign)(void **, size_t, size_t);
  size_t (*UsableSize)(void *);
};

/// The library's function that returns them, or null if this process is not to
/// be profiled. It may be called before constructors.
#define THERMOCLINE_PROFILER_FUNCTIONS thermocline_profiler_functions_v1
constexpr char ProfilerFunctionsName[] = "thermocline_profiler_functions_v1";
using FindProfilerFunctions = const ProfilerFunctions *();

//===-- Version 3 ---------------------------------------------------------===//

/// The functions of an allocator. They do what those of libc do.
struct MallocFunctions {
  void *(*Malloc)(size_t);
  void *(*Calloc)(size_t, size_t);
  void *(*Memalign)(size_t, size_t);
  void *(*Realloc)(void *, size_t);
  void (*Free)(void *);
  size_t (*UsableSize)(void *);
};

/// What the allocator does for the sampler. What the functions of the base make
/// is not offered.
struct AllocatorFunctions : MallocFunctions {
  /// As Malloc, for an object that takes the place of the first one, which is
  /// resized without a hint.
  void *(*MallocBeside)(const void *, size_t);
  /// Whether an object of the allocator is on its cold heap.
  bool (*IsCold)(const void *);
  /// From now on all objects are offered, or only those that cost nothing more.
  /// It may be called by a thread that libc does not know, for one change at a
  /// time.
  void (*OfferAll)(bool);
};

struct SamplerFunctions {
  /// What the sampler takes lies in [Begin, End), and nothing else does.
  uintptr_t Begin;
  uintptr_t End;
  /// Objects of more bytes are not offered: the sampler allocates them.
  size_t MostOffered;

  /// The allocator serves the process, by these functions, which live as long
  /// as it. \returns whether its objects are to be offered. It may be called
  /// before constructors.
  bool (*Join)(const AllocatorFunctions *);
  /// Offers an object of so many bytes, aligned so, which is new. \returns
  /// where it is now: at Own, or in the sampler's range. Then Own is set aside
  /// until the sampler gives it back by Free.
  void *(*Offer)(void *Own, size_t Bytes, size_t Alignment);
  /// An object that is not offered, of zeros if wanted. Nothing is set aside
  /// for it. \returns null if there is no memory.
  void *(*Allocate)(size_t Bytes, size_t Alignment, bool OfZeros);
  /// As libc's realloc, where neither argument is null or 0, for an object of
  /// either.
  void *(*Realloc)(void *, size_t Bytes);

  // These are for the sampler's objects.
  void (*Free)(void *);
  size_t (*UsableSize)(void *);
  /// What is set aside; null if nothing is.
  void *(*OwnOf)(const void *);
};

/// The library's function that returns them, or null if this process is not to
/// be profiled, or not in this way. It may be called before constructors.
#define THERMOCLINE_SAMPLER_FUNCTIONS thermocline_profiler_functions_v3
constexpr char SamplerFunctionsName[] = "thermocline_profiler_functions_v3";
using FindSamplerFunctions = const SamplerFunctions *();

} // namespace thermocline::format

#endif
