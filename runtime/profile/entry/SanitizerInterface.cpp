//===- profile/entry/SanitizerInterface.cpp - The allocator interface -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of sanitizer/allocator_interface.h, those of
// sanitizer/memprof_interface.h about statistics, and those of
// sanitizer/common_interface_defs.h about where profiles go and how a program
// ends. A program that uses them with clang's -fmemory-profile links with this
// runtime as well, and gets the same answers. With sampling, those about
// allocations know only what is recorded or shadow-tracked.
//
//===----------------------------------------------------------------------===//

#include "heap/Hooks.h"
#include "lifecycle/Runtime.h"
#include "process/Fatal.h"

using namespace thermocline::runtime;

/// UndefinedBehaviorSanitizer's runtime, which may be beside this one, has some
/// of these names.
#define THERMOCLINE_WEAK_INTERFACE                                             \
  extern "C" __attribute__((visibility("default"), noinline, weak))

//===-- One allocation ----------------------------------------------------===//

THERMOCLINE_WEAK_INTERFACE size_t
__sanitizer_get_estimated_allocated_size(size_t Size) {
  return Size;
}

THERMOCLINE_WEAK_INTERFACE const void *
__sanitizer_get_allocated_begin(const void *Address) {
  return Runtime::get().allocations().find(Address).Begin;
}

THERMOCLINE_WEAK_INTERFACE int
__sanitizer_get_ownership(const volatile void *Address) {
  auto *Asked = const_cast<const void *>(Address);
  return Asked && __sanitizer_get_allocated_begin(Asked) == Asked;
}

THERMOCLINE_WEAK_INTERFACE size_t
__sanitizer_get_allocated_size(const volatile void *Address) {
  if (!Address)
    return 0;
  auto *Asked = const_cast<const void *>(Address);
  Allocations::Extent Found = Runtime::get().allocations().find(Asked);
  if (Found.Begin != Asked)
    sys::fatalMisuse(
        "__sanitizer_get_allocated_size(): not an address from malloc");
  return Found.Size;
}

THERMOCLINE_WEAK_INTERFACE size_t
__sanitizer_get_allocated_size_fast(const volatile void *Address) {
  return __sanitizer_get_allocated_size(Address);
}

//===-- All of them -------------------------------------------------------===//

THERMOCLINE_WEAK_INTERFACE size_t __sanitizer_get_current_allocated_bytes() {
  return Runtime::get().allocations().inUse().Bytes;
}

THERMOCLINE_WEAK_INTERFACE size_t __sanitizer_get_heap_size() {
  Heap::Sizes Sizes = Runtime::get().heap().sizes();
  return Sizes.SmallBytes + Sizes.LargeBytes;
}

THERMOCLINE_WEAK_INTERFACE size_t __sanitizer_get_free_bytes() {
  size_t All = __sanitizer_get_heap_size();
  size_t Used = __sanitizer_get_current_allocated_bytes();
  return All > Used ? All - Used : 0;
}

THERMOCLINE_WEAK_INTERFACE size_t __sanitizer_get_unmapped_bytes() { return 0; }

/// Does nothing, because no freed memory is held back.
THERMOCLINE_WEAK_INTERFACE void __sanitizer_purge_allocator() {}

THERMOCLINE_WEAK_INTERFACE void __memprof_print_accumulated_stats() {
  Runtime::get().printStatistics();
}

//===-- Profiles and ends -------------------------------------------------===//

THERMOCLINE_WEAK_INTERFACE void __sanitizer_set_report_path(const char *Path) {
  Runtime::get().setProfilePath(Path ? Path : "stderr");
}

THERMOCLINE_WEAK_INTERFACE void __sanitizer_set_report_fd(void *Descriptor) {
  Runtime::get().setProfilePath(
      "", static_cast<int>(reinterpret_cast<intptr_t>(Descriptor)));
}

THERMOCLINE_WEAK_INTERFACE const char *__sanitizer_get_report_path() {
  return Runtime::get().profilePath();
}

THERMOCLINE_WEAK_INTERFACE void
__sanitizer_set_death_callback(void (*Callback)()) {
  sys::setDeathCallback(Callback);
}

/// Does nothing, because files are opened only when they are written.
THERMOCLINE_WEAK_INTERFACE void __sanitizer_sandbox_on_notify(void *) {}

//===-- Hooks -------------------------------------------------------------===//

THERMOCLINE_WEAK_INTERFACE int
__sanitizer_install_malloc_and_free_hooks(hooks::MallocHook Malloc,
                                          hooks::FreeHook Free) {
  int Result = hooks::install(Malloc, Free);
  if (Result)
    Runtime::get().allocations().callHooks();
  return Result;
}
