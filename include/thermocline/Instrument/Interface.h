//===- Instrument/Interface.h - Names shared with the runtime ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols and the shadow mapping on which instrumented code and runtime
// agree. They are those of LLVM's MemProf, version 1 of its interface, so that
// objects of clang's -fmemory-profile and ours link together, with either
// runtime.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_INTERFACE_H
#define THERMOCLINE_INSTRUMENT_INTERFACE_H

#include <cstdint>

namespace thermocline::instrument::interface {

/// One counter of 8 bytes counts the accesses to 64 bytes of memory:
/// counter = ((address & ~63) >> 3) + base.
constexpr uint64_t GranuleBytes = 64;
constexpr uint64_t ShadowScale = 3;

constexpr char ModuleConstructor[] = "memprof.module_ctor";
constexpr int ConstructorPriority = 1;
constexpr char Init[] = "__memprof_init";
constexpr char VersionCheck[] = "__memprof_version_mismatch_check_v1";
constexpr char ShadowBase[] = "__memprof_shadow_memory_dynamic_address";
constexpr char ProfileFileName[] = "__memprof_profile_filename";
constexpr char DefaultOptions[] = "__memprof_default_options_str";
constexpr char Histogram[] = "__memprof_histogram";
constexpr char Memcpy[] = "__memprof_memcpy";
constexpr char Memmove[] = "__memprof_memmove";
constexpr char Memset[] = "__memprof_memset";
constexpr char RecordRange[] = "__memprof_record_access_range";
/// Functions of the runtime itself start so.
constexpr char Prefix[] = "__memprof_";

/// The profile's name where no other is given; ".PID" is added.
constexpr char DefaultProfileFileName[] = "memprof.profraw";

} // namespace thermocline::instrument::interface

#endif
