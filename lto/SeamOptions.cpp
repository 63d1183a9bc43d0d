//===- lto/SeamOptions.cpp - Options of a link ----------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeamOptions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/IPO/MemProfContextDisambiguation.h"

using namespace llvm;
using namespace thermocline::lto;

// LLVM's LTO asks for these two by name.
namespace llvm {
cl::opt<bool> EnableMemProfContextDisambiguation(
    "enable-memprof-context-disambiguation", cl::init(true), cl::Hidden,
    cl::desc("Decide and apply versions of functions by allocation contexts"));
cl::opt<bool> SupportsHotColdNew(
    "supports-hot-cold-new", cl::init(true), cl::Hidden,
    cl::desc("The program is linked with functions that take hints"));
} // namespace llvm

namespace {

cl::OptionCategory Category("Thermocline options");

cl::opt<bool>
    Clone("thermocline-clone", cl::init(true), cl::cat(Category),
          cl::desc("Make versions of functions. Off, only allocations "
                   "all of whose contexts are cold are hinted"));
/// A hint is a byte.
class HintParser : public cl::parser<unsigned> {
public:
  using parser::parser;
  bool parse(cl::Option &O, StringRef Name, StringRef Text, unsigned &Value) {
    if (Text.getAsInteger(10, Value) || Value > 255)
      return O.error("'" + Text + "' is not a hint: 0 to 255");
    return false;
  }
};

cl::opt<unsigned, false, HintParser> ColdHint(
    "thermocline-cold-hint", cl::init(1), cl::cat(Category),
    cl::desc(
        "What operator new gets as __hot_cold_t for cold memory, 0 to 255"));
cl::opt<std::string> ReportFile(
    "thermocline-report", cl::cat(Category), cl::value_desc("file"),
    cl::desc("Write a report of all contexts; .json and .html by extension, "
             "else text"));
cl::opt<bool> Statistics("thermocline-stats", cl::cat(Category),
                         cl::desc("Print what the link decided and did"));

/// Options of LLVM's pass that steer its own algorithm.
class NoEffect {
public:
  NoEffect(StringRef Name, cl::ValueExpected Value)
      : Option(Name, cl::ReallyHidden, Value,
               cl::desc("Accepted for LLVM's pass; no effect")) {}
  cl::opt<std::string> Option;
};

NoEffect AllNoEffect[] = {
    {"memprof-allow-recursive-callsites", cl::ValueOptional},
    {"memprof-allow-recursive-contexts", cl::ValueOptional},
    {"memprof-clone-recursive-contexts", cl::ValueOptional},
    {"memprof-dot-alloc-id", cl::ValueRequired},
    {"memprof-dot-context-id", cl::ValueRequired},
    {"memprof-dot-file-path-prefix", cl::ValueRequired},
    {"memprof-dot-scope", cl::ValueRequired},
    {"memprof-dump-ccg", cl::ValueOptional},
    {"memprof-export-to-dot", cl::ValueOptional},
    {"memprof-fixup-important", cl::ValueOptional},
    {"memprof-icp-noinline-threshold", cl::ValueRequired},
    {"memprof-import-summary", cl::ValueRequired},
    {"memprof-merge-clones", cl::ValueOptional},
    {"memprof-merge-iteration", cl::ValueOptional},
    {"memprof-require-definition-for-promotion", cl::ValueOptional},
    {"memprof-tail-call-search-depth", cl::ValueRequired},
    {"memprof-top-n-important", cl::ValueRequired},
    {"memprof-verify-ccg", cl::ValueOptional},
    {"memprof-verify-nodes", cl::ValueOptional},
};

} // namespace

LinkOptions thermocline::lto::linkOptions() {
  LinkOptions Result;
  Result.Engine.Clone = Clone;
  Result.Hints.ColdHint = ColdHint;
  Result.SupportsHints = SupportsHotColdNew;
  Result.ReportFile = ReportFile;
  Result.Statistics = Statistics;
  for (const NoEffect &O : AllNoEffect)
    if (O.Option.getNumOccurrences())
      Result.WithoutEffect.push_back("-" + O.Option.ArgStr.str());
  return Result;
}

std::string LinkOptions::backendSettings() const {
  std::string Result;
  if (Hints.ColdHint != apply::HintOptions().ColdHint)
    Result += "cold-hint=" + std::to_string(Hints.ColdHint);
  return Result;
}
