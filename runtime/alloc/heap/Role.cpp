//===- alloc/heap/Role.cpp - Whether this allocator serves the process ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Role.h"
#include "ColdRange.h"
#include "Jemalloc.h"
#include "OwnNames.h"
#include "Policy.h"
#include "Sampler.h"
#include "Settings.h"
#include "thermocline/Format/Live/ProfilerFunctions.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <type_traits>

using namespace thermocline;
using namespace thermocline::alloc;

// These are null in programs that do not have them.
extern "C" {
// Sanitizers' own malloc, which would be the program's if ours were not.
#define SANITIZER_MALLOC(Prefix)                                               \
  __attribute__((weak)) void *Prefix##malloc(size_t);                          \
  __attribute__((weak)) void *Prefix##calloc(size_t, size_t);                  \
  __attribute__((weak)) void *Prefix##realloc(void *, size_t);                 \
  __attribute__((weak)) void Prefix##free(void *);                             \
  __attribute__((weak)) void *Prefix##memalign(size_t, size_t);                \
  __attribute__((weak)) int Prefix##posix_memalign(void **, size_t, size_t);   \
  __attribute__((weak)) size_t Prefix##malloc_usable_size(void *);
SANITIZER_MALLOC(__interceptor_)
// This is the same for HWAddressSanitizer.
SANITIZER_MALLOC(__sanitizer_)
// Sanitizers whose malloc calls the next one, once it is set up.
__attribute__((weak)) void __rtsan_init();
__attribute__((weak)) void __tysan_init();
// Static programs may have none, and look nothing up.
#pragma weak dlsym
#pragma weak dlerror
#pragma weak _r_debug
}

constinit std::atomic<uint32_t> thermocline::alloc::RoleWord = 0;
constinit format::ProfilerFunctions thermocline::alloc::Other = {};
constinit const format::SamplerFunctions *thermocline::alloc::Sampler = nullptr;

namespace {

constexpr uint32_t Probing = 4;

alignas(16) char ProbeBlock[16];

/// This is set once, before RoleWord.
const char *WhyNoneIsCold;
constexpr char WhyProfiled[] = "the process is profiled";

/// What the calling thread is doing.
struct ThreadState {
  bool Decides;
  bool Probes;
  bool Arrived;
  bool ProbeFreed;
  /// What was allocated.
  void *Probe;
};
constinit thread_local ThreadState ThisThread
    __attribute__((tls_model("initial-exec"))) = {};

bool probe(void *(*Allocate)(size_t), void (*Release)(void *)) {
  ThisThread.Probes = true;
  ThisThread.Arrived = false;
  ThisThread.ProbeFreed = false;
  void *Memory = Allocate(1);
  if (Memory)
    Release(Memory);
  ThisThread.Probe = Memory;
  ThisThread.Probes = false;
  return Memory == ProbeBlock && ThisThread.ProbeFreed;
}

/// The function that libc would call by this name, or, where that is our own,
/// the next one.
template <typename OwnFunction, typename Function>
void lookUp(void *Program, const char *Name, OwnFunction *Own,
            Function *&Found) {
  Found = reinterpret_cast<Function *>(dlsym(Program, Name));
  if (reinterpret_cast<OwnFunction *>(Found) == Own)
    Found = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, Name));
}

/// Whether the program has the malloc of a sanitizer that calls the next one.
/// That is ours, if this is a library, and to forward would go on for ever; in
/// a program it is libc's.
bool isBehindSanitizer() {
#ifdef THERMOCLINE_ALLOC_ARCHIVE
  return false;
#else
  return __rtsan_init || __tysan_init;
#endif
}

/// A sanitizer that passes on to libc leaves some functions alone.
void takeRestFromNext() {
  auto Take = [](auto *&Missing, const char *Name) {
    if (!Missing && dlsym)
      Missing = reinterpret_cast<std::remove_reference_t<decltype(Missing)>>(
          dlsym(RTLD_NEXT, Name));
  };
  Take(Other.Malloc, "malloc");
  Take(Other.Calloc, "calloc");
  Take(Other.Realloc, "realloc");
  Take(Other.Free, "free");
  Take(Other.Memalign, "memalign");
  Take(Other.PosixMemalign, "posix_memalign");
  Take(Other.UsableSize, "malloc_usable_size");
}

/// Whether the file of this name is the library that profiles programs.
bool isProfiler(const char *File) {
  const char *Slash = strrchr(File, '/');
  return strncmp(Slash ? Slash + 1 : File, format::ProfilerLibrary,
                 sizeof(format::ProfilerLibrary) - 1) == 0;
}

/// Whether the library that profiles programs is loaded. To look up what is not
/// there would allocate.
bool mayHaveProfiler() {
  // Some linkers fill in null for what is weak and in a library.
  if (!&_r_debug) {
    const char *Preloaded = secure_getenv("LD_PRELOAD");
    return Preloaded && strstr(Preloaded, format::ProfilerLibrary);
  }
  const link_map *Map = _r_debug.r_map;
  while (Map != nullptr && !(Map->l_name && isProfiler(Map->l_name)))
    Map = Map->l_next;
  return Map != nullptr;
}

/// What a function of the profiler's returns; null if it has none of the name.
template <typename Functions>
Functions *askProfiler(Functions *(*)(), const char *Name) {
  auto *Find = reinterpret_cast<Functions *(*)()>(dlsym(RTLD_DEFAULT, Name));
  if (Find != nullptr)
    return Find();
  // It is of another version, which is no error of the program's.
  dlerror();
  return nullptr;
}

/// What samples the process, if something does.
const format::SamplerFunctions *findSampler() {
  return askProfiler(static_cast<format::FindSamplerFunctions *>(nullptr),
                     format::SamplerFunctionsName);
}

/// Whether what was probed last is the sampler's, which then serves what calls
/// malloc, and asks this allocator.
bool hasProbed(const format::SamplerFunctions &Functions) {
  return reinterpret_cast<uintptr_t>(ThisThread.Probe) - Functions.Begin <
         Functions.End - Functions.Begin;
}

/// Lets what profiles the process serve it, if something does. \returns
/// whether.
bool leaveToProfiler() {
  const format::ProfilerFunctions *Functions =
      askProfiler(static_cast<format::FindProfilerFunctions *>(nullptr),
                  format::ProfilerFunctionsName);
  if (Functions == nullptr)
    return false;
  Other = *Functions;
  WhyNoneIsCold = WhyProfiled;
  return true;
}

/// Says whether this allocator serves. The dynamic linker allocates nothing
/// where it finds what is looked for.
bool decide() {
  // Such a malloc cannot be probed: before it is set up, it has memory of its
  // own.
  if (isBehindSanitizer()) {
    configureJemalloc();
    readPolicy();
    return true;
  }
#define TAKE_IF_THERE(Prefix)                                                  \
  if (Prefix##malloc) {                                                        \
    Other = {Prefix##malloc,                                                   \
             Prefix##calloc,                                                   \
             Prefix##realloc,                                                  \
             Prefix##free,                                                     \
             Prefix##memalign,                                                 \
             Prefix##posix_memalign,                                           \
             Prefix##malloc_usable_size};                                      \
    takeRestFromNext();                                                        \
    WhyNoneIsCold = "a sanitizer's malloc serves this process";                \
    return false;                                                              \
  }
  TAKE_IF_THERE(__interceptor_)
  TAKE_IF_THERE(__sanitizer_)

  const bool MayBeProfiled = dlsym && mayHaveProfiler();
  const format::SamplerFunctions *Found =
      MayBeProfiled ? findSampler() : nullptr;
  if (MayBeProfiled && Found == nullptr && leaveToProfiler())
    return false;
  configureJemalloc();
  readPolicy();
  if (!dlsym)
    return true;
  // As libc looks for it: from the program on, even if the library was loaded
  // with RTLD_DEEPBIND. Handles of the dynamic linker are its link maps.
  void *Program = &_r_debug ? _r_debug.r_map : RTLD_DEFAULT;
  auto *Malloc = reinterpret_cast<void *(*)(size_t)>(dlsym(Program, "malloc"));
  auto *Free = reinterpret_cast<void (*)(void *)>(dlsym(Program, "free"));
  const bool IsReached = !Malloc || !Free || probe(Malloc, Free);
  if (Found) {
    thermocline_je_prepare_long_path();
    if ((IsReached || hasProbed(*Found)) && Found->Join(&FunctionsForSampler)) {
      Sampler = Found;
      return true;
    }
    if (leaveToProfiler())
      return false;
  }
  if (IsReached)
    return true;
  if (ThisThread.Arrived) {
    // That malloc calls ours, and its free calls ours; but it knows no
    // malloc_cold.
    WhyNoneIsCold = "another malloc stands before this allocator's";
    return true;
  }
  lookUp(Program, "malloc", thermocline_alloc_malloc, Other.Malloc);
  lookUp(Program, "calloc", thermocline_alloc_calloc, Other.Calloc);
  lookUp(Program, "realloc", thermocline_alloc_realloc, Other.Realloc);
  lookUp(Program, "free", thermocline_alloc_free, Other.Free);
  lookUp(Program, "memalign", thermocline_alloc_memalign, Other.Memalign);
  lookUp(Program, "posix_memalign", thermocline_alloc_posix_memalign,
         Other.PosixMemalign);
  lookUp(Program, "malloc_usable_size", thermocline_alloc_malloc_usable_size,
         Other.UsableSize);
  WhyNoneIsCold = "another malloc serves this process";
  return false;
}

/// Whether small objects are to lie in the order of allocation.
bool wantsOrder() {
  Setting Order(SettingName::Order);
  const char *Text = Order.value();
  if (Text == nullptr || strcmp(Text, "0") == 0)
    return false;
  if (strcmp(Text, "1") == 0)
    return true;
  Order.refuse("is neither 0 nor 1");
  return false;
}

} // namespace

bool thermocline::alloc::servesSlowly() {
  uint32_t Word = RoleWord.load(std::memory_order_acquire);
  if (Word == 0 && RoleWord.compare_exchange_strong(Word, Probing)) {
    int Error = errno;
    ThisThread.Decides = true;
    Word = decide() ? Serving : Forwarding;
    if (Word == Serving) {
      if (Sampler) {
        expectOrdinaryAbove(Sampler->End);
        Word |= Sampled;
      } else {
        Range.End.store(0, std::memory_order_relaxed);
      }
      if (wantsOrder())
        Word |= InOrder;
    }
    RoleWord.store(Word, std::memory_order_release);
    ThisThread.Decides = false;
    errno = Error;
  }
  if (isProbe())
    return false;
  // Another thread decides: at the start of a process there is no other.
  while (Word == 0 || Word == Probing) {
    sched_yield();
    Word = RoleWord.load(std::memory_order_acquire);
  }
  return Word & Serving;
}

void thermocline::alloc::stopServingInOrder() {
  RoleWord.fetch_and(~InOrder, std::memory_order_relaxed);
}

bool thermocline::alloc::isProbe() {
  return ThisThread.Probes || ThisThread.Decides;
}

bool thermocline::alloc::noteArrival() {
  ThisThread.Arrived = true;
  return ThisThread.Probes;
}

void *thermocline::alloc::probeMemory(size_t SizeBytes) {
  return ThisThread.Probes && SizeBytes == 1 ? ProbeBlock : nullptr;
}

bool thermocline::alloc::noteFreed(void *Pointer) {
  if (Pointer != ProbeBlock)
    return false;
  ThisThread.ProbeFreed = true;
  return true;
}

/// jemalloc's count of bytes that the calling thread has got or given back.
static const uint64_t *countOfThread(const char *Name) {
  uint64_t *Count = nullptr;
  size_t CountBytes = sizeof(Count);
  je_mallctl(Name, &Count, &CountBytes, nullptr, 0);
  return Count;
}

bool thermocline::alloc::reaches(void *(*Allocate)(size_t),
                                 void (*Release)(void *)) {
  if (!serves())
    return false;
  auto *Allocated = countOfThread("thread.allocatedp");
  auto *Deallocated = countOfThread("thread.deallocatedp");
  if (Allocated == nullptr || Deallocated == nullptr)
    return false;
  // A size that jemalloc does not round up: who adds a byte takes more.
  constexpr size_t ProbeBytes = ProbeAlignment;
  uint64_t AllocatedBefore = *Allocated, DeallocatedBefore = *Deallocated;
  void *Memory = Allocate(ProbeBytes);
  uint64_t Taken = *Allocated - AllocatedBefore;
  if (Memory == nullptr)
    return false;
  Release(Memory);
  return Taken == ProbeBytes && *Deallocated - DeallocatedBefore == ProbeBytes;
}

const char *thermocline::alloc::whyNoneIsCold() { return WhyNoneIsCold; }

bool thermocline::alloc::servesOrIsProfiled() {
  return serves() || WhyNoneIsCold == WhyProfiled;
}
