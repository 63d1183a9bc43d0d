//===- Plugin/Options.cpp - The plugin's command line ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace thermocline;

static cl::OptionCategory Category("Thermocline options");

/// Read by nobody: whoever keeps objects by command lines sees it.
static cl::opt<std::string> BuiltBy(
    "thermocline-built-by", cl::value_desc("text"),
    cl::desc("Changes nothing; tells compiler caches apart what is compiled "
             "with another Thermocline or another profile"),
    cl::cat(Category));

//===-- Instrument --------------------------------------------------------===//

static cl::opt<bool> Generate("thermocline-generate",
                              cl::desc("Count accesses to the heap and link "
                                       "with Thermocline's profiling runtime"),
                              cl::cat(Category));

static cl::opt<bool> DescribeCalls(
    "thermocline-describe-calls",
    cl::desc("Describe the calls of the source in the program, so that "
             "profiles of it serve source that was edited since; "
             "-thermocline-generate does so as well"),
    cl::cat(Category));

static cl::opt<bool> KeepCalls(
    "thermocline-keep-calls",
    cl::desc("Keep calls that may allocate where the source has them, "
             "up to the machine code, so that profiles of the "
             "program find them again; also with -thermocline-use"),
    cl::cat(Category));

static cl::opt<bool> GenerateStats(
    "thermocline-generate-stats",
    cl::desc("Print what was counted, what was not and why, for each module"),
    cl::cat(Category));

static cl::opt<bool> GenerateMerge(
    "thermocline-generate-merge", cl::init(true),
    cl::desc("Make one counter update of several accesses to one object; "
             "without it, each access counts in its own 64 bytes"),
    cl::cat(Category));

static cl::opt<bool> GenerateSampling(
    "thermocline-generate-sampling",
    cl::desc("Count accesses to sampled allocations only; the runtime's option "
             "sample= says how many are"),
    cl::cat(Category));

static cl::opt<bool> GenerateLikeLlvm(
    "thermocline-generate-like-llvm",
    cl::desc("Leave out what clang's -fmemory-profile does not count either "
             "(gathers, scatters and their like), and let like calls be merged "
             "as it does"),
    cl::cat(Category));

static cl::opt<bool> GenerateHistogram(
    "thermocline-generate-histogram",
    cl::desc("Count accesses to each 8 bytes, up to 255, for histograms of "
             "allocations; all modules of a program must be given it"),
    cl::cat(Category));

static cl::opt<bool> GenerateTypes(
    "thermocline-generate-types",
    cl::desc("Tell the types that calls allocate, which clang's "
             "-fsanitize=alloc-token finds, and take that sanitizer away, "
             "unless it is asked for beside the config file"),
    cl::cat(Category));

static cl::opt<std::string> GenerateFile(
    "thermocline-generate-file", cl::value_desc("file"),
    cl::desc("Where the program writes its profile unless MEMPROF_OPTIONS "
             "says otherwise (default: memprof.profraw.PID)"),
    cl::cat(Category));

static cl::opt<std::string> GenerateRuntimeOptions(
    "thermocline-generate-runtime-options", cl::value_desc("name=value:..."),
    cl::desc("Options of the runtime that hold unless MEMPROF_OPTIONS says "
             "otherwise"),
    cl::cat(Category));

static cl::opt<bool>
    Annotate("thermocline-use",
             cl::desc("Attach the contexts of a heap profile to "
                      "the calls that allocate in them"),
             cl::cat(Category));

/// LLVM's option \p Name, which is of that type, if it was given; null if not.
template <typename Type>
static const cl::opt<Type> *givenToLlvm(StringRef Name) {
  const cl::Option *Found = cl::getRegisteredOptions().lookup(Name);
  return Found && Found->getNumOccurrences()
             ? static_cast<const cl::opt<Type> *>(Found)
             : nullptr;
}

/// Adopts LLVM's options for the instrumentation of -fmemory-profile. Two of
/// them mean the same here. The others ask for code that this stage does not
/// make.
static void adoptLlvmsOptions(instrument::InstrumentOptions &Options) {
  if (const auto *List =
          givenToLlvm<std::string>("memprof-runtime-default-options");
      List && !GenerateRuntimeOptions.getNumOccurrences())
    Options.RuntimeOptions = List->getValue();
  if (const auto *Histogram = givenToLlvm<bool>("memprof-histogram");
      Histogram && !GenerateHistogram.getNumOccurrences())
    Options.Histogram = Histogram->getValue();
  for (StringRef Name :
       {"memprof-guard-against-version-mismatch", "memprof-instrument-reads",
        "memprof-instrument-writes", "memprof-instrument-atomics",
        "memprof-instrument-stack", "memprof-use-callbacks",
        "memprof-memory-access-callback-prefix", "memprof-mapping-scale",
        "memprof-mapping-granularity", "memprof-debug", "memprof-debug-func",
        "memprof-debug-min", "memprof-debug-max"})
    if (const cl::Option *Found = cl::getRegisteredOptions().lookup(Name);
        Found && Found->getNumOccurrences())
      Options.WithoutMeaning.push_back(Name.str());
}

/// Whether clang's command asks for -fsanitize=alloc-token beside the config
/// file, which the stage refuses. Clang does not say who asks, so this reads
/// the words of the command: that of the driver has none of a config file, and
/// that of the compiler proper (-cc1) has ours once.
static bool asksForTokens() {
  auto Command = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!Command)
    return false;
  SmallVector<StringRef, 0> Words;
  (*Command)->getBuffer().split(Words, '\0');
  unsigned Asked = 0;
  for (StringRef Word : Words) {
    const bool Asks = Word.consume_front("-fsanitize=");
    if (!Asks && !Word.consume_front("-fno-sanitize="))
      continue;
    SmallVector<StringRef, 4> Names;
    Word.split(Names, ',');
    if (is_contained(Names, "alloc-token"))
      Asked = Asks ? Asked + 1 : 0;
    else if (!Asks && is_contained(Names, "all"))
      Asked = 0;
  }
  return Asked > (is_contained(Words, "-cc1") ? 1 : 0);
}

thermocline::instrument::InstrumentOptions
thermocline::plugin::instrumentOptions() {
  instrument::InstrumentOptions Options;
  Options.Enabled = Generate;
  Options.DescribesCalls = DescribeCalls;
  // The Annotate stage keeps them anyway.
  Options.KeepsCalls = KeepCalls && !Annotate;
  Options.PrintStats = GenerateStats;
  Options.MergeUpdates = GenerateMerge;
  Options.LikeLlvm = GenerateLikeLlvm;
  Options.Sampling = GenerateSampling;
  Options.Histogram = GenerateHistogram;
  Options.TakeTypes = GenerateTypes && !asksForTokens();
  Options.ProfileFileName = GenerateFile;
  Options.RuntimeOptions = GenerateRuntimeOptions;
  adoptLlvmsOptions(Options);
  return Options;
}

//===-- Annotate ----------------------------------------------------------===//

static cl::opt<std::string>
    UseProfile("thermocline-profile", cl::value_desc("file"),
               cl::desc("The indexed profile (default: that of "
                        "-fmemory-profile-use= or -fprofile-use=)"),
               cl::cat(Category));

static cl::opt<bool>
    UseTrim("thermocline-trim-contexts",
            cl::desc("Cut off outer frames of contexts as clang does, instead "
                     "of keeping them whole"),
            cl::cat(Category));

static cl::opt<unsigned> UsePack(
    "thermocline-pack-contexts", cl::value_desc("number"),
    cl::init(annotate::AnnotateOptions().LeastToPack),
    cl::desc("Pack the contexts of an allocation that has at least so many; 0: "
             "list all contexts in LLVM's format"),
    cl::cat(Category));

static cl::opt<bool>
    UseKeep("thermocline-keep-annotation",
            cl::desc("Leave calls alone that have heap profile annotation of "
                     "clang's own, instead of replacing it"),
            cl::cat(Category));

static cl::opt<bool>
    UseAtO0("thermocline-use-at-O0",
            cl::desc("Annotate functions that are compiled with -O0, too"),
            cl::cat(Category));

static cl::opt<bool> UseForAudit(
    "thermocline-use-for-audit",
    cl::desc("Keep each call where the source has it, in a program whose run "
             "thermo-profdata audit is to judge"),
    cl::cat(Category));

static cl::opt<bool> UseStats(
    "thermocline-use-stats",
    cl::desc("Print what was matched, what was not and why, for each module"),
    cl::cat(Category));

static cl::list<std::string, bool, NamedAllocatorParser> UseAllocators(
    "thermocline-alloc-function", cl::value_desc("name:variant"),
    cl::desc("An allocation function of the program's own, and what to call "
             "instead of it for cold memory; may be given several times"),
    cl::cat(Category));

static const profile::ColdThresholds DefaultThresholds;

// "thermocline-" and the names that thermo-profdata uses (Classification.h).
static cl::opt<double>
    ColdLifetime("thermocline-cold-min-lifetime", cl::value_desc("fraction"),
                 cl::desc(profile::ColdLifetimeHelp),
                 cl::init(DefaultThresholds.MinLifetimeFraction),
                 cl::cat(Category));

static cl::opt<double> ColdAccesses("thermocline-cold-accesses",
                                    cl::value_desc("number"),
                                    cl::desc(profile::ColdAccessesHelp),
                                    cl::init(DefaultThresholds.AccessesPerByte),
                                    cl::cat(Category));

static cl::opt<double>
    ColdRate("thermocline-cold-access-rate", cl::value_desc("number"),
             cl::desc(profile::ColdRateHelp),
             cl::init(DefaultThresholds.AccessesPerBytePerSecond),
             cl::cat(Category));

static cl::opt<bool> ColdByTotals("thermocline-cold-by-totals",
                                  cl::desc(profile::ColdByTotalsHelp),
                                  cl::cat(Category));

thermocline::annotate::AnnotateOptions thermocline::plugin::annotateOptions() {
  annotate::AnnotateOptions Options;
  Options.Enabled = Annotate;
  Options.ProfileFile = UseProfile;
  Options.TrimContexts = UseTrim;
  Options.LeastToPack = UsePack;
  Options.KeepExisting = UseKeep;
  Options.AtO0 = UseAtO0;
  Options.KeepsCalls = KeepCalls;
  Options.ForAudit = UseForAudit;
  Options.PrintStats = UseStats;
  Options.Allocators = UseAllocators.getParser().Parsed;
  Options.Thresholds = profile::ColdThresholds::of(ColdLifetime, ColdAccesses,
                                                   ColdRate, ColdByTotals);
  return Options;
}
