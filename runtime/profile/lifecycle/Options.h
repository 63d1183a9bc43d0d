//===- profile/lifecycle/Options.h - MEMPROF_OPTIONS ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of the runtime. They have the names of LLVM's MemProf where it has
// the option. They come from the defaults below, the string that the compiler
// put into the program, the program's function __memprof_default_options(), and
// the environment variable MEMPROF_OPTIONS. Each of these takes precedence over
// those before it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_OPTIONS_H
#define THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_OPTIONS_H

#include "platform/Text.h"
#include "thermocline/Format/Counters.h"

namespace thermocline::runtime {

struct Options {
  static constexpr uint64_t MaxContextSize = 1024;
  static constexpr uint64_t MaxSyncIntervalMs = 3600 * 1000;

  /// The name of the profile, with the patterns of FileName.h, or "stdout" or
  /// "stderr". If empty, it is the name in the program, by default
  /// memprof.profraw.
  FixedString LogPath;
  /// Whether "." and the program's name are added to it, before the process id.
  bool LogExeName = false;
  /// Added at the end of the name.
  FixedString LogSuffix;
  /// Which programs write profiles, by their names, as isListed() takes them;
  /// if empty, all do.
  FixedString Programs;
  /// Frames of a calling context that are kept, from the allocation upwards.
  uint64_t MallocContextSize = 256;
  /// Keep calls that recursion repeats once.
  bool FoldRecursion = false;
  /// Step out of code without frame pointers by its unwind tables.
  bool UnwindTables = true;
  /// How many contexts are kept, and how much memory their calls and measures
  /// may take. The rest is one context.
  static constexpr uint64_t ContextLimit = uint64_t(1) << 28;
  static constexpr uint64_t DepotLimitMegabytes = 64 * 1024;
  uint64_t MaxContexts = ContextLimit;
  uint64_t MaxDepotMegabytes = DepotLimitMegabytes;
  /// Write the profile when the program ends.
  bool DumpAtExit = true;
  /// Also write it when a signal ends the program whose action the program left
  /// at its default.
  bool DumpOnSignal = true;
  /// Keep a valid profile in the file while the program runs.
  bool Continuous = false;
  /// The longest time between two writings in continuous mode, provided that a
  /// writing takes only a small part of that time.
  uint64_t SyncIntervalMs = 100;
  /// Signals that write the profile up to now, and that begin a new round; 0 if
  /// none. If they are the same one, it does both in this order.
  int DumpSignal = 0;
  int ResetSignal = 0;
  /// Text instead of the raw format; terse text is one line a context.
  bool PrintText = false;
  bool PrintTerse = false;
  /// realloc(p, 0) frees and returns null, as glibc's does.
  bool ReallocZeroFrees = true;
  /// Read and clear the counters as LLVM's runtime does, including what it
  /// gets wrong (see Shadow.h): to compare profiles.
  bool CountLikeLlvm = false;
  /// Record one of so many allocations of each call.
  static constexpr uint64_t MaxSampleInterval = format::MaxSampleInterval;
  uint64_t SampleInterval = 1;
  /// Record in which windows of the run memory is touched.
  bool TouchWindows = true;
  /// Touches are counted for pages of so many KiB; if 0, for those of this
  /// kernel, as always in live profiles.
  uint64_t PageKib = 0;
  /// Tell by the page table when memory is touched, in programs that are not
  /// instrumented.
  bool PageTouches = false;
  /// What looks at watched objects may cost, in thousandths of the program's
  /// processor time.
  static constexpr uint64_t MaxTouchCost = format::MaxTouchCost;
  uint64_t TouchCost = 5;
  /// Record nothing until somebody asks for it (Format/Live/StandbyProtocol.h),
  /// in programs that are not instrumented.
  bool Standby = false;
  /// Leave RTLD_DEEPBIND to dlopen(), whatever comes of it.
  bool DeepBind = false;
  /// The runtime's clocks stand still but for __thermocline_pass_time().
  bool TestClock = false;
  /// If at least 1, say on standard error what was written.
  static constexpr uint64_t MaxVerbosity = 9;
  uint64_t Verbosity = 0;
  /// Say on standard error at the end how much was allocated.
  bool StatisticsAtExit = false;
  /// Print the options.
  bool Help = false;

  /// Sets options from \p Text, "name=value" separated by ':', ',' or blanks;
  /// values may be quoted. What is not understood is reported to \p Errors,
  /// one line each, naming \p Source; the rest still holds. Options of LLVM's
  /// runtime that have no meaning here are named in one line.
  void parse(const char *Text, const char *Source, TextWriter &Errors);

  /// Lists all options with their meanings and values.
  void describe(TextWriter &Out) const;

private:
  void parse(const char *Text, const char *Source, TextWriter &Errors,
             FixedString &WithoutMeaning, unsigned Depth);
  void include(const char *Path, bool MustExist, const char *Source,
               TextWriter &Errors, FixedString &WithoutMeaning, unsigned Depth);
};

} // namespace thermocline::runtime

#endif
