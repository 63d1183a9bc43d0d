//===- Format/Symbols.h - Names shared with the runtime ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols by which instrumented code and the runtime find each other. They
// are those of LLVM's MemProf, version 1 of its interface, so that objects
// compiled with clang's -fmemory-profile and with Thermocline link together,
// with either runtime.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_SYMBOLS_H
#define THERMOCLINE_FORMAT_SYMBOLS_H

namespace thermocline::format::symbol {

/// Called by the constructors of modules for sampling, without arguments.
/// LLVM's runtime has no such function: with it, nothing would be counted.
constexpr char SamplingCheck[] = "__thermocline_sampling_check_v1";

constexpr char ModuleConstructor[] = "memprof.module_ctor";
constexpr int ConstructorPriority = 1;
constexpr char Init[] = "__memprof_init";
/// The mask of AddressLayout.h. It is in memory because an x86 instruction can
/// test an address against memory, while a constant would need a register.
constexpr char UnsampledMask[] = "__thermocline_unsampled_mask";
constexpr char VersionCheck[] = "__memprof_version_mismatch_check_v1";
constexpr char ShadowBase[] = "__memprof_shadow_memory_dynamic_address";
constexpr char ProfileFileName[] = "__memprof_profile_filename";
constexpr char DefaultOptions[] = "__memprof_default_options_str";
constexpr char Histogram[] = "__memprof_histogram";
/// Tells Thermocline's runtime how many bytes a counter of the module has.
/// LLVM's runtime lacks it.
constexpr char CountersOfBytes[] = "__memprof_counters_of_bytes";
/// A function that nobody calls. Its name stands for all contexts that the
/// runtime has no room for. It is in the program because readers of a profile
/// name only functions that are there.
constexpr char OverflowContext[] = "thermocline_contexts_beyond_the_limit";
/// By this name a program may have options of the allocator that its link
/// chose: a text like that of thermocline_alloc_options.
constexpr char OptionsOfLink[] = "thermocline_alloc_options_of_link";
constexpr char Memcpy[] = "__memprof_memcpy";
constexpr char Memmove[] = "__memprof_memmove";
constexpr char Memset[] = "__memprof_memset";
constexpr char RecordRange[] = "__memprof_record_access_range";
/// Names of the runtime's own functions start with this.
constexpr char Prefix[] = "__memprof_";

} // namespace thermocline::format::symbol

#endif
