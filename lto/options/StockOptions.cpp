//===- lto/options/StockOptions.cpp - What LLVM's options mean here -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three kinds of options. Those of LLVM's context disambiguation vanished with
// it and are defined again here. Those of its annotating pass are still there,
// but steer compiles. Those of its hint lowering (-optimize-hot-cold-new and
// its like) still do what they say: that pass runs after ours, on the calls
// that ours left.
//
//===----------------------------------------------------------------------===//

#include "StockOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace {

/// An option of LLVM's pass that steers its own algorithm.
class NoEffect {
public:
  NoEffect(StringRef Name, cl::ValueExpected Value)
      : Option(Name, cl::ReallyHidden, Value,
               cl::desc("Accepted for LLVM's pass; no effect")) {}
  cl::opt<std::string> Option;
};

const NoEffect OfLLVMsPass[] = {
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

/// The option that does here what \p Name does in stock LLVM; empty for none.
StringRef insteadOf(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Cases({"memprof-export-to-dot", "memprof-dot-file-path-prefix"},
             "--thinlto-memprof-dot=FILE draws the decisions")
      .Cases({"memprof-dot-alloc-id", "memprof-dot-context-id",
              "memprof-dot-scope"},
             "thermo-lto dot draws a part of the decisions")
      .Case("memprof-dump-ccg",
            "--thinlto-memprof-decisions=FILE lists the decisions")
      .Cases({"memprof-verify-ccg", "memprof-verify-nodes"},
             "thermo-lto audit checks the decisions")
      .Cases({"memprof-report-hinted-sizes", "memprof-print-match-info",
              "memprof-print-matched-alloc-stack"},
             "--thinlto-memprof-report=FILE tells the bytes of every context")
      .Case("memprof-cloning-cold-threshold",
            "--thinlto-memprof-report=FILE says of each cold context that gets "
            "no hint why, and thermo-lto explain what helps")
      .Default("");
}

/// These begin with "memprof-" and work in a link as they do in stock lld.
bool worksInLinks(StringRef Name) {
  return Name == "memprof-annotate-static-data-prefix";
}

} // namespace

std::vector<std::string> thermocline::lto::stockOptionsWithoutEffect() {
  std::vector<StringRef> Names;
  for (const auto &Entry : cl::getRegisteredOptions())
    if (Entry.second->getNumOccurrences() &&
        (Entry.first.starts_with("memprof-") ||
         Entry.first == "enable-memprof-indirect-call-support") &&
        !worksInLinks(Entry.first))
      Names.push_back(Entry.first);
  llvm::sort(Names);
  std::vector<std::string> Result;
  for (StringRef Name : Names) {
    bool IsOfPass = any_of(OfLLVMsPass, [&](const NoEffect &O) {
      return O.Option.ArgStr == Name;
    });
    // The two options of hint sizes and thresholds live elsewhere in LLVM, but
    // in a link its pass alone asks for them.
    IsOfPass |= Name == "memprof-report-hinted-sizes" ||
                Name == "memprof-cloning-cold-threshold";
    StringRef Instead = insteadOf(Name);
    Result.push_back(
        ("-" + Name + " has no effect: it steers " +
         (IsOfPass ? "LLVM's own pass, which Thermocline's stands in for"
                   : "compiles, not links") +
         (Instead.empty() ? "" : "; " + Instead))
            .str());
  }
  return Result;
}

static std::optional<unsigned> stockHint(StringRef Name) {
  const cl::Option *O = cl::getRegisteredOptions().lookup(Name);
  if (!O || !O->getNumOccurrences())
    return std::nullopt;
  // LLVM keeps the option to itself, with a parser of its own that is not part
  // of what is read: the value lies before it, where any option of an unsigned
  // number has it. A test sees that the number arrives.
  return static_cast<const cl::opt<unsigned> *>(O)->getValue();
}

std::optional<unsigned> thermocline::lto::stockColdHint() {
  return stockHint("cold-new-hint-value");
}

std::optional<unsigned> thermocline::lto::stockNotColdHint() {
  return stockHint("notcold-new-hint-value");
}
