//===- entry/Interface.cpp - What instrumented code and programs call -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols of LLVM's MemProf interface, version 1, of
// sanitizer/memprof_interface.h, and of thermocline/phases.h.
//
//===----------------------------------------------------------------------===//

#include "New.h"
#include "lifecycle/Runtime.h"
#include "measure/Shadow.h"
#include "platform/Memory.h"
#include "thermocline/phases.h"

using namespace thermocline::runtime;

static void setUp() {
  Runtime::get().setUpProcess();
  findOperatorStubs();
}

/// Called by the constructor of each instrumented module.
THERMOCLINE_INTERFACE void __memprof_init() {
  Runtime::get().letCodeCount();
  setUp();
}

/// The name has the version: an object of another version does not link.
THERMOCLINE_INTERFACE void __memprof_version_mismatch_check_v1() {}

/// Called by the constructors of modules that Thermocline compiled, with the
/// number of bytes of a counter. The reference there is weak, because LLVM's
/// runtime does not have this function.
THERMOCLINE_INTERFACE void __memprof_counters_of_bytes(uint32_t Bytes) {
  Runtime::get().checkCounters(Bytes);
}

/// Called by the constructor of each module that was instrumented for sampling.
/// LLVM's runtime does not have it.
THERMOCLINE_INTERFACE void __thermocline_sampling_check_v1() {
  Runtime::get().noteCodeForSampling();
}

/// Starts the runtime in programs without instrumented code. They are profiled,
/// too, except for their accesses.
__attribute__((constructor)) static void start() { setUp(); }

THERMOCLINE_INTERFACE void __memprof_load(uintptr_t Address) {
  shadow::recordAccess(Address);
}

THERMOCLINE_INTERFACE void __memprof_store(uintptr_t Address) {
  shadow::recordAccess(Address);
}

THERMOCLINE_INTERFACE void __memprof_hist_load(uintptr_t Address) {
  shadow::recordInByte(Address);
}

THERMOCLINE_INTERFACE void __memprof_hist_store(uintptr_t Address) {
  shadow::recordInByte(Address);
}

THERMOCLINE_INTERFACE void
__memprof_record_access(const volatile void *Address) {
  if (!shadow::isInitialized())
    return;
  auto Number = reinterpret_cast<uintptr_t>(Address);
  shadow::IsHistogram ? shadow::recordInByte(Number)
                      : shadow::recordAccess(Number);
}

THERMOCLINE_INTERFACE void
__memprof_record_access_range(const volatile void *Address, size_t Size) {
  if (shadow::isInitialized())
    shadow::recordRange(reinterpret_cast<uintptr_t>(Address), Size);
}

// LLVM's runtime has this function, but no header has it. It is for programs
// with histograms.
THERMOCLINE_INTERFACE void
__memprof_record_access_hist(const volatile void *Address) {
  if (shadow::isInitialized())
    shadow::recordInByte(reinterpret_cast<uintptr_t>(Address));
}

THERMOCLINE_INTERFACE void
__memprof_record_access_range_hist(const volatile void *Address, size_t Size) {
  shadow::recordRange(reinterpret_cast<uintptr_t>(Address), Size);
}

/// Writes the profile up to now. Another dump replaces it by a later one, until
/// __memprof_profile_reset(). \returns 0 on success.
THERMOCLINE_INTERFACE int __memprof_profile_dump() {
  Runtime &R = Runtime::get();
  R.setUpProcess();
  return R.dump() ? 0 : 1;
}

/// Begins a new round: forgets all allocations that have ended, and lets the
/// next profile go to another file.
THERMOCLINE_INTERFACE void __memprof_profile_reset() { Runtime::get().reset(); }

/// Ends the present window, and begins or goes on with the phase of that name.
THERMOCLINE_INTERFACE void __thermocline_phase(const char *Name) {
  Runtime &R = Runtime::get();
  R.setUpProcess();
  R.setPhase(Name);
}

/// For tests of programs that are profiled: see Runtime::passTime().
THERMOCLINE_INTERFACE bool __thermocline_pass_time(uint64_t Microseconds) {
  Runtime &R = Runtime::get();
  R.setUpProcess();
  return R.passTime(Microseconds);
}

THERMOCLINE_DATAFLOW_NAME(__memprof_init);
THERMOCLINE_DATAFLOW_NAME(__memprof_version_mismatch_check_v1);
THERMOCLINE_DATAFLOW_NAME(__memprof_counters_of_bytes);
THERMOCLINE_DATAFLOW_NAME(__thermocline_sampling_check_v1);
THERMOCLINE_DATAFLOW_NAME(__memprof_record_access_range);
