//===- Plugin/Options.cpp - The plugin's command line ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::OptionCategory Category("Thermocline options");

//===-- Instrument --------------------------------------------------------===//

static cl::opt<bool> Generate("thermocline-generate",
                              cl::desc("Count accesses to the heap and link "
                                       "with Thermocline's profiling runtime"),
                              cl::cat(Category));

static cl::opt<bool> GenerateStats(
    "thermocline-generate-stats",
    cl::desc("Print what was counted, what was not and why, for each module"),
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

thermocline::instrument::InstrumentOptions
thermocline::plugin::instrumentOptions() {
  instrument::InstrumentOptions Options;
  Options.Enabled = Generate;
  Options.PrintStats = GenerateStats;
  Options.ProfileFileName = GenerateFile;
  Options.RuntimeOptions = GenerateRuntimeOptions;
  return Options;
}
