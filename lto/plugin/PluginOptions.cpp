//===- plugin/PluginOptions.cpp - What -plugin-opt= says ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginOptions.h"
#include "options/LinkOptions.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Remarks/HotnessThresholdParser.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto::plugin;

namespace {

/// One option of the plugin.
struct Row {
  StringLiteral Name;
  /// What stands for the value in the help; empty for options without one, in
  /// brackets where it may be left out.
  StringLiteral Value;
  StringLiteral Help;
  /// Takes the value; returns what is wrong with it.
  std::string (*Take)(PluginOptions &O, StringRef Value);
};

template <auto Member> std::string takeText(PluginOptions &O, StringRef Value) {
  O.*Member = Value.str();
  return "";
}

template <auto Member> std::string takeFlag(PluginOptions &O, StringRef) {
  O.*Member = true;
  return "";
}

template <Product P> std::string takeProduct(PluginOptions &O, StringRef) {
  O.Makes = P;
  return "";
}

template <auto Member>
std::string takeNumber(PluginOptions &O, StringRef Value) {
  if (Value.getAsInteger(10, O.*Member) || !(O.*Member))
    return ("'" + Value + "' is not a number above 0").str();
  return "";
}

std::string takeNothing(PluginOptions &, StringRef) { return ""; }

std::string takeLevel(PluginOptions &O, StringRef Value) {
  if (Value.size() != 1 || Value[0] < '0' || Value[0] > '3')
    return ("'" + Value + "' is not a level: 0 to 3").str();
  O.OptLevel = Value[0] - '0';
  return "";
}

std::string takeJobs(PluginOptions &O, StringRef Value) {
  auto Strategy = get_threadpool_strategy(Value);
  if (!Strategy)
    return ("'" + Value + "' is not a number of threads").str();
  O.Jobs = *Strategy;
  return "";
}

std::string takeMode(PluginOptions &O, StringRef Value) {
  if (Value == "thin")
    O.Mode = llvm::lto::LTO::LTOK_UnifiedThin;
  else if (Value == "full")
    O.Mode = llvm::lto::LTO::LTOK_UnifiedRegular;
  else if (Value == "default")
    O.Mode = llvm::lto::LTO::LTOK_Default;
  else
    return ("'" + Value + "' is none of thin, full and default").str();
  return "";
}

std::string takePolicy(PluginOptions &O, StringRef Value) {
  auto Policy = parseCachePruningPolicy(Value);
  if (!Policy)
    return toString(Policy.takeError());
  O.CachePolicy = *Policy;
  return "";
}

std::string takeReplacement(Replacement &R, StringRef Value) {
  auto [Old, New] = Value.split(';');
  R = {Old.str(), New.str()};
  if (!Value.contains(';'))
    return ("'" + Value + "' is not of the form old;new").str();
  return "";
}

std::string takePrefix(PluginOptions &O, StringRef Value) {
  auto [Old, Rest] = Value.split(';');
  auto [New, Native] = Rest.split(';');
  O.NativeObjectPrefix = Native.str();
  return takeReplacement(
      O.Prefix,
      Value.contains(';') ? Value.drop_back(Rest.size() - New.size()) : Value);
}

std::string takeObjectSuffix(PluginOptions &O, StringRef Value) {
  return takeReplacement(O.ObjectSuffix, Value);
}

std::string takeIndexOnly(PluginOptions &O, StringRef Value) {
  O.Makes = Product::Indexes;
  O.LinkedObjectsFile = Value.str();
  return "";
}

std::string takeHotness(PluginOptions &O, StringRef Value) {
  auto Threshold = remarks::parseHotnessThresholdOption(Value);
  if (!Threshold)
    return toString(Threshold.takeError());
  O.RemarksHotnessThreshold = *Threshold;
  return "";
}

using P = PluginOptions;
constexpr Row Rows[] = {
    {"help", "", "Print this", takeFlag<&P::Help>},
    {"O", "0-3", "Optimization level (default: 2); written O3", takeLevel},
    {"jobs", "number", "Threads of ThinLTO backends (default: all cores)",
     takeJobs},
    {"lto-partitions", "number", "Parts that regular LTO generates code in",
     takeNumber<&P::Partitions>},
    {"lto", "mode", "What unified LTO modules are linked as: thin, full",
     takeMode},
    {"mcpu", "cpu", "Target CPU", takeText<&P::CPU>},
    {"mtriple", "triple", "Target triple in place of the modules'",
     takeText<&P::Triple>},
    {"cache-dir", "directory", "Cache of ThinLTO objects",
     takeText<&P::CacheDir>},
    {"cache-policy", "policy", "How the cache is pruned", takePolicy},
    {"save-temps", "", "Keep bitcode after each stage, beside the inputs",
     takeFlag<&P::SaveTemps>},
    {"obj-path", "file",
     "Where the native object goes (those after the first "
     "with their number)",
     takeText<&P::ObjectPath>},
    {"dwo_dir", "directory", "Where split debug information goes",
     takeText<&P::DwoDir>},
    {"emit-llvm", "", "Write bitcode in place of the program",
     takeProduct<Product::Bitcode>},
    {"emit-asm", "", "Write assembly in place of the program",
     takeProduct<Product::Assembly>},
    {"disable-output", "", "Read and resolve only",
     takeProduct<Product::Nothing>},
    {"thinlto-index-only", "[file]",
     "Write indexes for backends elsewhere, and the list of modules",
     takeIndexOnly},
    {"thinlto-emit-index-files", "", "Write indexes, and compile here",
     takeFlag<&P::EmitIndexes>},
    {"thinlto-emit-imports-files", "", "Write what each module imports from",
     takeFlag<&P::EmitImports>},
    {"thinlto-prefix-replace", "old;new[;native]",
     "Where indexes go, by the modules' paths", takePrefix},
    {"thinlto-object-suffix-replace", "old;new",
     "The modules' suffix in indexes", takeObjectSuffix},
    {"sample-profile", "file", "Sample profile", takeText<&P::SampleProfile>},
    {"cs-profile-path", "file", "Context-sensitive PGO profile",
     takeText<&P::ContextProfile>},
    {"cs-profile-generate", "", "Instrument for context-sensitive PGO",
     takeFlag<&P::ContextInstrumentation>},
    {"opt-remarks-filename", "file", "Optimization remarks",
     takeText<&P::RemarksFile>},
    {"opt-remarks-passes", "regex", "Passes whose remarks are wanted",
     takeText<&P::RemarksPasses>},
    {"opt-remarks-format", "format", "Format of remarks",
     takeText<&P::RemarksFormat>},
    {"opt-remarks-with-hotness", "", "With hotness",
     takeFlag<&P::RemarksWithHotness>},
    {"opt-remarks-hotness-threshold", "number", "Least hotness", takeHotness},
    {"stats-file", "file", "LLVM's statistics", takeText<&P::StatsFile>},
    {"time-trace", "file", "Time trace", takeText<&P::TimeTraceFile>},
    {"time-trace-granularity", "microseconds", "Least time in it",
     takeNumber<&P::TimeTraceGranularity>},
    {"whole-program-visibility", "", "All of the program is in the link",
     takeFlag<&P::WholeProgramVisibility>},
    {"disable-verify", "", "Do not verify modules",
     takeFlag<&P::DisableVerify>},
    {"debug-pass-manager", "", "Print which passes run",
     takeFlag<&P::DebugPassManager>},
    {"extra-library-path", "directory", "Where the linker searches libraries",
     takeText<&P::ExtraLibraryPath>},
    // What clang gives, and what needs no saying.
    {"thinlto", "", "No effect", takeNothing},
    {"new-pass-manager", "", "No effect", takeNothing},
};

/// Null if there is none.
const Row *findRow(StringRef Option) {
  StringRef Name = Option.split('=').first;
  // The one option whose value follows without '='.
  if (Name.size() > 1 && Name.front() == 'O')
    Name = Name.take_front();
  for (const Row &R : Rows)
    if (R.Name == Name)
      return &R;
  return nullptr;
}

Error take(const Row &R, PluginOptions &O, StringRef Option) {
  StringRef Value = Option.drop_front(R.Name.size());
  bool IsLevel = R.Name == "O";
  bool HasValue = IsLevel || Value.consume_front("=");
  if (HasValue && R.Value.empty())
    return fileError(R.Name, "takes no value");
  if (!R.Value.empty() && !R.Value.starts_with("[") && Value.empty())
    return fileError(R.Name, "missing value: " + R.Name + (IsLevel ? "" : "=") +
                                 "<" + R.Value + ">");
  if (std::string Problem = R.Take(O, Value); !Problem.empty())
    return fileError(R.Name, Problem);
  return Error::success();
}

/// Null for options that are not Thermocline's.
const cl::Option *findOurs(StringRef Name) {
  for (const cl::Option *O : thermocline::lto::linkerOptions())
    if (O->ArgStr == Name)
      return O;
  return nullptr;
}

} // namespace

Expected<PluginOptions> PluginOptions::parse(ArrayRef<std::string> Arguments) {
  PluginOptions Result;
  for (StringRef Argument : Arguments) {
    StringRef Option = Argument.ltrim('-');
    auto [Name, Value] = Option.split('=');
    if (const cl::Option *Ours = findOurs(Name)) {
      if (Ours->getValueExpectedFlag() == cl::ValueRequired &&
          !Option.contains('='))
        return fileError(Name, "missing value");
      if (std::string Problem = thermocline::lto::problemWith(*Ours, Value);
          !Problem.empty())
        return fileError(Name, Problem);
      Result.ForLLVM.push_back(("--" + Option).str());
      if (!thermocline::lto::onlyWrites(*Ours))
        Result.ForCache.push_back(Result.ForLLVM.back());
      continue;
    }
    bool HasDash = Argument.starts_with("-");
    // With a dash, what LLVM knows is LLVM's; -save-temps can only be ours. For
    // its own help LLVM would end the linker.
    if (HasDash && Name != "help" &&
        cl::getRegisteredOptions().contains(Name)) {
      Result.ForLLVM.push_back(Argument.str());
      Result.ForCache.push_back(Argument.str());
      continue;
    }
    if (const Row *R = findRow(Option)) {
      if (Error E = take(*R, Result, Option))
        return std::move(E);
      continue;
    }
    return fileError(Argument, "unknown option; -plugin-opt=help lists the "
                               "plugin's, those of LLVM begin with a dash");
  }
  return std::move(Result);
}

static void printRow(raw_ostream &OS, StringRef Spelling, StringRef Help) {
  constexpr size_t HelpColumn = 42;
  std::string Left = ("  " + Spelling).str();
  Left.resize(std::max(Left.size() + 1, HelpColumn), ' ');
  OS << Left << Help << '\n';
}

static std::string spelling(const Row &R) {
  StringRef Value = R.Value;
  if (Value.empty())
    return R.Name.str();
  if (R.Name == "O")
    return ("O<" + Value + ">").str();
  if (Value.consume_front("[") && Value.consume_back("]"))
    return (R.Name + "[=<" + Value + ">]").str();
  return (R.Name + "=<" + Value + ">").str();
}

void thermocline::lto::plugin::printHelp(raw_ostream &OS) {
  OS << "Options of ThermoclineLTO, each given to the linker as "
        "-plugin-opt=OPTION:\n";
  for (const Row &R : Rows)
    printRow(OS, spelling(R), R.Help);
  for (const cl::Option *O : thermocline::lto::linkerOptions()) {
    std::string Spelling = O->ArgStr.str();
    if (O->getValueExpectedFlag() == cl::ValueRequired)
      Spelling += ("=<" + O->ValueStr + ">").str();
    printRow(OS, Spelling, O->HelpStr);
  }
  printRow(OS, "-<option>", "An option of LLVM, such as -thermocline-stats");
}
