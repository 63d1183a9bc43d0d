//===- lto/options/LinkOptions.cpp - Options of a link --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkOptions.h"
#include "StockOptions.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

// LLVM's LTO defines and asks for these two.
namespace llvm {
extern cl::opt<bool> EnableMemProfContextDisambiguation;
extern cl::opt<bool> SupportsHotColdNew;
} // namespace llvm

namespace {

cl::OptionCategory Category("Thermocline options");

/// "none", or percent.
std::optional<GrowthLimit> parseGrowth(StringRef Text) {
  GrowthLimit Result;
  Result.IsGiven = true;
  if (Text == "none")
    Result.Percent = std::nullopt;
  else if (Result.Percent = parseDecimal(Text); !Result.Percent)
    return std::nullopt;
  return Result;
}

std::string growthProblem(StringRef Text) {
  if (parseGrowth(Text))
    return "";
  return ("'" + Text +
          "' is not a growth: a percentage such as 5 or 0.5, or none")
      .str();
}

std::string percentProblem(StringRef Text) {
  if (std::optional<double> Percent = parseDecimal(Text);
      Percent && *Percent <= 100)
    return "";
  return ("'" + Text + "' is not a percentage from 0 to 100").str();
}

std::string sizeProblem(StringRef Text) {
  if (parseBytes(Text))
    return "";
  return ("'" + Text +
          "' is not a size: bytes, or a number with KiB, MiB or GiB")
      .str();
}

std::string switchProblem(StringRef Text) {
  if (Text == "on" || Text == "off" || Text == "auto")
    return "";
  return ("'" + Text + "' is none of on, off and auto").str();
}

std::string fileProblem(StringRef Text) {
  return Text.empty() ? "the name of the file is empty" : "";
}

std::optional<Backends> parseBackends(StringRef Text) {
  if (Text == "stock")
    return Backends::Stock;
  if (Text == "thermocline")
    return Backends::Thermocline;
  return std::nullopt;
}

std::string backendsProblem(StringRef Text) {
  if (parseBackends(Text))
    return "";
  return ("'" + Text + "' is no backend: stock or thermocline").str();
}

std::optional<apply::OwnHints> parseOwnHints(StringRef Text) {
  return StringSwitch<std::optional<apply::OwnHints>>(Text)
      .Case("none", apply::OwnHints::Keep)
      .Case("cold", apply::OwnHints::LetCold)
      .Case("always", apply::OwnHints::LetAll)
      .Default(std::nullopt);
}

std::string ownHintsProblem(StringRef Text) {
  if (parseOwnHints(Text))
    return "";
  return ("'" + Text + "' is none of none, cold and always").str();
}

/// Checks and keeps the text: a value of a type of ours would need a printer in
/// cl, which nothing calls.
template <std::string (*ProblemWith)(StringRef)>
class CheckedText : public cl::parser<std::string> {
public:
  using parser::parser;
  bool parse(cl::Option &O, StringRef Name, StringRef Text,
             std::string &Value) {
    if (std::string Problem = ProblemWith(Text); !Problem.empty())
      return O.error(Problem);
    Value = Text.str();
    return false;
  }
};

cl::opt<std::string, false, CheckedText<switchProblem>> Switch(
    "thinlto-memprof", cl::cat(Category), cl::value_desc("on|off|auto"),
    cl::desc(
        "Decide on versions and hints and apply them, or link as stock lld "
        "does without a heap profile (default: auto, which is off if "
        "link-time optimization is at level 0, and else on)"),
    // LLVM's LTO asks for its own two options.
    cl::callback([](const std::string &Value) {
      SupportsHotColdNew = Value != "off";
      if (SupportsHotColdNew)
        EnableMemProfContextDisambiguation = true;
    }));
cl::opt<std::string, false, CheckedText<growthProblem>> MaxGrowth(
    "thinlto-memprof-max-growth", cl::cat(Category), cl::value_desc("percent"),
    cl::desc("Instructions that clones may add, in percent of those in the "
             "link, or none for no limit (default: 5, and at least 5,000 "
             "instructions)"));
cl::opt<std::string, false, CheckedText<sizeProblem>> MaxFalseCold(
    "thinlto-memprof-max-false-cold", cl::cat(Category),
    cl::value_desc("bytes"),
    cl::desc("Bytes profiled not cold that may be hinted cold, where that "
             "saves more cold ones; may end in KiB, MiB or GiB (default: 0)"));
cl::opt<std::string, false, CheckedText<sizeProblem>> MinContext(
    "thinlto-memprof-min-context", cl::cat(Category), cl::value_desc("bytes"),
    cl::desc("Make no clone for a cold context whose hint saves fewer bytes of "
             "the working set than this, or that has fewer where the saving is "
             "not known (default: 0)"));
cl::opt<bool> Strict(
    "thinlto-memprof-strict", cl::cat(Category),
    cl::desc("Hint no allocation on a path that the profile does not have"));
cl::opt<std::string, false, CheckedText<percentProblem>> MaxLost(
    "thinlto-memprof-max-lost", cl::cat(Category), cl::value_desc("percent"),
    cl::desc("Fail if more of the profile's cold bytes is lost (default: "
             "never fail)"));
cl::opt<std::string, false, CheckedText<sizeProblem>> MinHinted(
    "thinlto-memprof-min-hinted", cl::cat(Category), cl::value_desc("bytes"),
    cl::desc("Fail if less of the profile's cold memory is hinted; may end in "
             "KiB, MiB or GiB (default: never fail)"));
cl::opt<bool>
    Summary("thinlto-memprof-summary", cl::cat(Category),
            cl::desc("Say in one line how much of the profile's cold memory is "
                     "hinted"));
cl::opt<std::string, false, CheckedText<ownHintsProblem>> OwnHints(
    "thinlto-memprof-own-hints", cl::cat(Category),
    cl::value_desc("none|cold|always"),
    cl::desc("Which decisions replace the hints that the program itself passes "
             "to operator new: none, those for cold memory, or all (default: "
             "none)"));
cl::opt<std::string, false, CheckedText<switchProblem>> Order(
    "thinlto-memprof-order", cl::cat(Category), cl::value_desc("on|off|auto"),
    cl::desc(
        "Lay small objects that are not cold in the order of allocation, "
        "by Thermocline's allocator, if any call is hinted (default: auto, "
        "as the profile says)"));
cl::opt<std::string, false, CheckedText<fileProblem>> ProfileFile(
    "thinlto-memprof-profile", cl::cat(Category), cl::value_desc("file"),
    cl::desc(
        "Indexed profile that the modules were compiled with: reports then "
        "name frames, and say what of the profile is not in the link"));
cl::opt<std::string, false, CheckedText<fileProblem>> AnnotateFile(
    "thinlto-memprof-annotate", cl::cat(Category), cl::value_desc("file"),
    cl::desc("Attach the contexts of this indexed profile to modules that no "
             "plugin of Thermocline's has compiled, such as those of rustc; "
             "also the profile of --thinlto-memprof-profile"));
cl::opt<bool> KeepFrames(
    "thinlto-memprof-keep-frames", cl::cat(Category),
    cl::desc("Let no call take the place of its caller's, so that live "
             "profiles of the program have whole contexts"));
cl::opt<std::string, false, CheckedText<fileProblem>> ReportFile(
    "thinlto-memprof-report", cl::cat(Category), cl::value_desc("file"),
    cl::desc(
        "Write a report of all contexts; .json, .html and .csv by extension, "
        "else text"));
cl::opt<std::string, false, CheckedText<fileProblem>> DecisionsFile(
    "thinlto-memprof-decisions", cl::cat(Category), cl::value_desc("file"),
    cl::desc("List what was decided: versions, calls, hints; .json by "
             "extension, else text"));
cl::opt<std::string, false, CheckedText<fileProblem>> DotFile(
    "thinlto-memprof-dot", cl::cat(Category), cl::value_desc("file"),
    cl::desc("Draw versions and the calls between them, of what is hinted "
             "cold, for Graphviz"));
cl::opt<std::string, false, CheckedText<fileProblem>> DumpFile(
    "thinlto-memprof-dump", cl::cat(Category), cl::value_desc("file"),
    cl::desc("Write the context program that was decided on, as text for the "
             "engine's benchmark and tests"));
cl::opt<std::string, false, CheckedText<backendsProblem>> IndexReaders(
    "thinlto-memprof-backend", cl::cat(Category), cl::value_desc("program"),
    cl::desc(
        "The compiler that will read the written indexes: thermocline "
        "(thermo-backend), or stock, which is any LLVM compiler, for which "
        "some decisions are not made (default: stock, but thermocline if the "
        "remote compiler of a distributor is thermo-backend)"));

cl::opt<bool>
    Clone("thermocline-clone",
          cl::init(thermocline::context::EngineOptions().Clone),
          cl::cat(Category),
          cl::desc("Make versions of functions. If off, only allocations "
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
    "thermocline-cold-hint",
    cl::init(thermocline::apply::HintOptions().ColdHint), cl::cat(Category),
    cl::desc(
        "The value of __hot_cold_t that asks operator new for cold memory, 0 "
        "to 255"));
cl::list<std::string, bool, NamedAllocatorParser> Allocators(
    "thermocline-alloc-function", cl::cat(Category),
    cl::value_desc("name:variant"),
    cl::desc("With --thinlto-memprof-annotate: an allocation function of the "
             "program's own, and what to call instead of it for cold memory; "
             "may be given several times"));
cl::opt<bool> Statistics("thermocline-stats", cl::cat(Category),
                         cl::desc("Print what the link decided and did"));

} // namespace

InputOptions thermocline::lto::inputOptions() {
  InputOptions Result;
  if (SupportsHotColdNew)
    Result.ProfileFile = AnnotateFile;
  else
    Result.IsProfileLeft = !AnnotateFile.empty();
  Result.Allocators = Allocators.getParser().Parsed;
  Result.KeepFrames = KeepFrames;
  return Result;
}

LinkOptions thermocline::lto::linkOptions() {
  LinkOptions Result;
  Result.Engine.Clone = Clone;
  // Their parsers have seen the texts.
  if (MaxGrowth.getNumOccurrences())
    Result.Growth = *parseGrowth(MaxGrowth);
  if (MaxFalseCold.getNumOccurrences())
    Result.Engine.MaxFalseCold = *parseBytes(MaxFalseCold);
  if (MinContext.getNumOccurrences())
    Result.Engine.MinContextSize = *parseBytes(MinContext);
  if (Strict.getNumOccurrences())
    Result.Engine.Strict = Strict;
  if (MaxLost.getNumOccurrences())
    Result.Gates.MaxLostPercent = *parseDecimal(MaxLost);
  if (MinHinted.getNumOccurrences())
    Result.Gates.MinHinted = *parseBytes(MinHinted);
  Result.Summary = Summary;
  Result.ProfileFile =
      ProfileFile.empty() ? inputOptions().ProfileFile : ProfileFile;
  if (IndexReaders.getNumOccurrences())
    Result.IndexReaders = parseBackends(IndexReaders);
  Result.Hints.ColdHint = ColdHint;
  if (std::optional<unsigned> Stock = stockColdHint();
      Stock && !ColdHint.getNumOccurrences())
    Result.Hints.ColdHint = *Stock;
  if (std::optional<unsigned> Stock = stockNotColdHint())
    Result.Hints.NotColdHint = *Stock;
  if (OwnHints.getNumOccurrences())
    Result.Hints.Own = *parseOwnHints(OwnHints);
  if (Order.getNumOccurrences() && Order != "auto")
    Result.Order = Order == "on";
  Result.SupportsHints = SupportsHotColdNew;
  Result.ReportFile = ReportFile;
  Result.DecisionsFile = DecisionsFile;
  Result.DotFile = DotFile;
  Result.DumpFile = DumpFile;
  Result.Statistics = Statistics;
  Result.WithoutEffect = stockOptionsWithoutEffect();
  return Result;
}

std::string LinkOptions::backendSettings() const {
  std::string Result;
  if (Hints.ColdHint != apply::HintOptions().ColdHint)
    Result += "cold-hint=" + std::to_string(Hints.ColdHint);
  if (Hints.Own == apply::OwnHints::LetCold)
    Result += " own-hints=cold";
  if (Hints.Own == apply::OwnHints::LetAll)
    Result += " own-hints=always";
  if (Hints.NotColdHint != apply::HintOptions().NotColdHint)
    Result += " not-cold-hint=" + std::to_string(Hints.NotColdHint);
  if (Hints.InOrder)
    Result += " order=1";
  for (const std::string &Name : Hints.Redefined)
    Result += " redefined=" + Name;
  for (const std::string &Name : Hints.MissingVariants)
    Result += " missing-twin=" + Name;
  return Result;
}

bool LinkOptions::takeBackendSettings(StringRef Text) {
  for (StringRef Setting : split(Text, ' ')) {
    auto [Name, Value] = Setting.split('=');
    if (Name == "redefined") {
      Hints.Redefined.push_back(Value.str());
    } else if (Name == "missing-twin") {
      Hints.MissingVariants.push_back(Value.str());
    } else if (Name == "order") {
      if (Value != "1")
        return false;
      Hints.InOrder = true;
    } else if (Name == "cold-hint") {
      unsigned Hint;
      if (Value.getAsInteger(10, Hint))
        return false;
      if (!ColdHint.getNumOccurrences() && !stockColdHint())
        Hints.ColdHint = Hint;
    } else if (Name == "not-cold-hint") {
      if (Value.getAsInteger(10, Hints.NotColdHint))
        return false;
    } else if (Name == "own-hints") {
      std::optional<apply::OwnHints> Own = parseOwnHints(Value);
      if (!Own)
        return false;
      Hints.Own = *Own;
    } else if (!Setting.empty()) {
      return false;
    }
  }
  return true;
}

bool thermocline::lto::sayWhetherToDecide(ArrayRef<const char *> Arguments) {
  bool Say = false;
  for (StringRef Option : Arguments) {
    Option = Option.ltrim('-');
    for (StringRef Before : {"mllvm=", "plugin-opt="})
      if (Option.consume_front(Before))
        Option = Option.ltrim('-');
    auto [Name, Value] = Option.split('=');
    if (Name == Switch.ArgStr)
      Say = Value != "auto";
    else if (Name == SupportsHotColdNew.ArgStr)
      Say = true;
  }
  return Say;
}

ArrayRef<cl::Option *> thermocline::lto::linkerOptions() {
  static cl::Option *const All[] = {
      &Switch,      &MaxGrowth,    &MaxFalseCold, &MinContext,    &Strict,
      &ProfileFile, &AnnotateFile, &ReportFile,   &DecisionsFile, &DotFile,
      &DumpFile,    &IndexReaders, &OwnHints,     &Order,         &MaxLost,
      &MinHinted,   &Summary,      &KeepFrames};
  return All;
}

std::vector<cl::Option *> thermocline::lto::decidingOptions() {
  std::vector<cl::Option *> Result = linkerOptions().vec();
  Result.push_back(&Clone);
  Result.push_back(std::addressof(Allocators));
  return Result;
}

std::vector<cl::Option *> thermocline::lto::linkOnlyOptions() {
  return {&Switch,        &AnnotateFile, &ReportFile,
          &DecisionsFile, &DotFile,      &DumpFile,
          &IndexReaders,  &ColdHint,     &Statistics,
          &MaxLost,       &MinHinted,    &Summary,
          &Order,         &KeepFrames,   std::addressof(Allocators)};
}

bool thermocline::lto::onlyWrites(const cl::Option &Option) {
  return &Option == &ReportFile || &Option == &DecisionsFile ||
         &Option == &DotFile || &Option == &DumpFile;
}

std::string thermocline::lto::problemWith(const cl::Option &Option,
                                          StringRef Value) {
  if (&Option == &Switch || &Option == &Order)
    return switchProblem(Value);
  if (&Option == &MaxGrowth)
    return growthProblem(Value);
  if (&Option == &MaxLost)
    return percentProblem(Value);
  if (&Option == &MaxFalseCold || &Option == &MinContext ||
      &Option == &MinHinted)
    return sizeProblem(Value);
  if (&Option == &IndexReaders)
    return backendsProblem(Value);
  if (&Option == &OwnHints)
    return ownHintsProblem(Value);
  if (&Option == &ProfileFile || &Option == &AnnotateFile || onlyWrites(Option))
    return fileProblem(Value);
  if ((&Option == &Strict || &Option == &Summary || &Option == &KeepFrames) &&
      !Value.empty() && Value != "true" && Value != "false")
    return ("'" + Value + "' is neither true nor false").str();
  return "";
}

cl::OptionCategory &thermocline::lto::optionCategory() { return Category; }

std::optional<uint64_t> GrowthLimit::instructions(uint64_t InLink) const {
  if (!Percent)
    return std::nullopt;
  double Allowed = *Percent * static_cast<double>(InLink) / 100;
  // So much is no limit.
  if (Allowed >= 0x1p63)
    return std::nullopt;
  uint64_t Result = Allowed;
  return IsGiven ? Result : std::max(Result, DefaultFloor);
}

std::string GrowthLimit::text() const {
  if (!Percent)
    return "none";
  std::string Result;
  raw_string_ostream(Result) << format("%g", *Percent);
  return Result;
}
