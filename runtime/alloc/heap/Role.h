//===- heap/Role.h - Whether this allocator serves the process --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a process may hold this allocator and use another. libc and the
// libraries reach a malloc by symbol look-up, and that is not ours if a
// sanitizer has its own, if the program was linked with --exclude-libs or a
// version script that hides ours, or if only a plugin brought the shared
// library. Memory that crosses such a border would be freed by the wrong
// allocator. So before it gives out anything, the allocator asks which malloc
// the process has. If it is another, all calls are forwarded to that one, and
// nothing lands cold.
//
// How it asks: it looks malloc and free up as libc does, calls them, and sees
// whether the calls arrive here ("a probe"). Comparing addresses would not do:
// in a program that is not position-independent, the address of a function may
// be that of a stub, and valgrind redirects calls.
//
// Cost: one load and one comparison in each call that a thread's cache does not
// serve (ShortPath.c).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ROLE_H
#define THERMOCLINE_ALLOC_ROLE_H

#include "Export.h"
#include "abi/HintTable.h"
#include "thermocline/Format/Live/ProfilerFunctions.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// The functions of the process's allocator, where it is not this one. This is
/// valid once serves() has returned false.
extern format::ProfilerFunctions Other;

/// This is 0 until the role is known; then it is Serving, where small objects
/// may be InOrder in addition (order/OrderHeap.h), and some Sampled
/// (Sampler.h), or Forwarding.
extern std::atomic<uint32_t> RoleWord THERMOCLINE_HIDDEN;
inline constexpr uint32_t Serving = 1;
inline constexpr uint32_t Forwarding = 2;
inline constexpr uint32_t InOrder = 8;
inline constexpr uint32_t Sampled = 16;

/// What serves() does when RoleWord does not say so.
bool servesSlowly();

/// Whether calls are to be served here. If not, isProbe() comes first, then
/// Other.
inline bool serves() {
  uint32_t Word = RoleWord.load(std::memory_order_relaxed);
  return __builtin_expect(Word & Serving, true) || servesSlowly();
}
/// Whether it is known that calls are served here, and that all ordinary
/// objects are jemalloc's. Where not, serves(), servesInOrder() and
/// isSampled() tell.
inline bool servesByClass() {
  return __builtin_expect(RoleWord.load(std::memory_order_relaxed) == Serving,
                          true);
}
/// Whether calls are served here, and small objects may lie in order.
inline bool servesInOrder() {
  constexpr uint32_t Both = Serving | InOrder;
  return (RoleWord.load(std::memory_order_relaxed) & Both) == Both;
}
/// Ends this for good, where it cannot be.
void stopServingInOrder();

/// Whether the calling thread is finding out where calls go. Such calls are
/// neither Other's nor like any other of ours.
bool isProbe();
/// Notes that a call has come here. Whether it is to be served, as ever; not
/// those of the dynamic linker before it is known who serves.
bool noteArrival();
/// What a probe gets for memory of this size; null if this is not what was
/// probed with, but what functions on the way make of it.
void *probeMemory(size_t SizeBytes);
/// Whether Pointer is what a probe got, and so was given back.
bool noteFreed(void *Pointer);

/// Whether Allocate and Release, called for ProbeAlignment bytes (HintTable.h),
/// end in this allocator's malloc and free and do nothing to the pointer on the
/// way. Calls them. Aligned functions must ask for that alignment. While it is
/// asked, no object of the calling thread may lie in order.
bool reaches(void *(*Allocate)(size_t), void (*Release)(void *));
/// Why no object may be cold, for the user to read; null if they may. Calls
/// have been served before.
const char *whyNoneIsCold();
/// Whether calls are served here, or by what profiles the process.
bool servesOrIsProfiled();

} // namespace thermocline::alloc

#endif
