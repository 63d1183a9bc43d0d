//===- thermo-profdata/Options.cpp - The tool's command line --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "thermocline/Report/SourceLinks.h"
#include "thermocline/Support/InputFile.h"
#include "thermocline/Support/NamedAllocator.h"
#include "thermocline/Support/Tools/CommandLine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include <ctime>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;

static constexpr ToolCommand Commands[] = {
    {"merge", "--binary=PROGRAM -o OUT INPUT...",
     "Merge raw and indexed profiles into one indexed profile"},
    {"show", "[--binary=PROGRAM] PROFILE",
     "Summarize a profile and its contexts"},
    {"advise", "[--binary=PROGRAM] PROFILE [RAW...]",
     "Say what hints gain, why not more, and what would help"},
    {"export", "[--format=pprof] [-o OUT] PROFILE",
     "Write a profile for other programs"},
    {"report", "[--binary=PROGRAM] -o PAGE.html PROFILE",
     "Write a page for a browser"},
    {"diff", "BEFORE AFTER", "Compare the contexts of two profiles"},
    {"audit", "--binary=PROGRAM PROFILE RAW...",
     "Check the hints of a run against the profile it is from"},
};
static constexpr ToolFact ExitStatus[] = {
    {"0", "All went well"},
    {"1", "There was an error, which is printed; of audit, memory profiled not "
          "cold was hinted cold"},
    {"3", "diff --exit-code or --min-worth found what it fails for"},
};
static constexpr ToolFact Files[] = {
    {"@FILE", "Stands for arguments that are in a file"},
    {"/usr/lib/debug", "Where debug files are looked for, beside others"},
};
static constexpr Tool Profdata = {
    "thermo-profdata",
    "Heap profiles: merge them, look at them, compare them.",
    Commands,
    ExitStatus,
    {},
    Files};

namespace {

/// What diff writes.
enum class DiffFormat : uint8_t { Text, Html, Json, Csv };

/// The options, which register themselves with cl. They are members, as other
/// tools in the same program have options of the same names.
struct CommandLine {
  RegisteredCommand Merge{Profdata, "merge"};
  RegisteredCommand Show{Profdata, "show"};
  RegisteredCommand Advise{Profdata, "advise"};
  RegisteredCommand Export{Profdata, "export"};
  RegisteredCommand Report{Profdata, "report"};
  RegisteredCommand Diff{Profdata, "diff"};
  RegisteredCommand Audit{Profdata, "audit"};

  cl::SubCommandGroup Every{&Merge,  &Show, &Advise, &Export,
                            &Report, &Diff, &Audit};
  cl::SubCommandGroup Listing{&Show, &Diff, &Audit};
  cl::SubCommandGroup Placing{&Merge, &Advise};
  cl::SubCommandGroup Answering{&Show, &Advise, &Audit};
  cl::SubCommandGroup Selecting{&Show, &Advise, &Export};
  // All but advise, which decides by pages whatever the thresholds are.
  cl::SubCommandGroup Classifying{&Merge,  &Show, &Export,
                                  &Report, &Diff, &Audit};

  //===-- Shared
  //------------------------------------------------------------===//

  cl::opt<std::string> Output{
      "o", cl::value_desc("file"), cl::init("-"), cl::sub(Every),
      cl::desc("Where to write; '-' is standard output, the "
               "default of all commands but merge")};
  cl::alias OutputAlias{"output", cl::aliasopt(Output), cl::desc("Same as -o")};
  cl::list<std::string> Binaries{
      "binary", cl::value_desc("file or directory"), cl::sub(Every),
      cl::desc(
          "The program that was profiled, a library of its own, or a "
          "directory with such; may be given several times. Merging raw "
          "memory profiles and auditing need it; other commands take names "
          "of functions from it")};
  cl::alias ProfiledBinary{"profiled-binary", cl::aliasopt(Binaries),
                           cl::desc("Same as --binary")};

  cl::list<std::string> DebugDirectories{
      "debug-file-directory", cl::value_desc("directory"), cl::sub(Every),
      cl::desc(
          "A directory that may have debug files of programs and libraries, "
          "beside the usual places and /usr/lib/debug; may be given several "
          "times")};

  profile::ColdThresholds Defaults;
  cl::opt<double> ColdLifetime{
      profile::ColdLifetimeOption, cl::value_desc("fraction"),
      cl::init(Defaults.MinLifetimeFraction), cl::sub(Classifying),
      cl::desc(profile::ColdLifetimeHelp)};
  cl::opt<double> ColdAccesses{
      profile::ColdAccessesOption, cl::value_desc("number"),
      cl::init(Defaults.AccessesPerByte), cl::sub(Classifying),
      cl::desc(profile::ColdAccessesHelp)};
  cl::opt<double> ColdRate{profile::ColdRateOption, cl::value_desc("number"),
                           cl::init(Defaults.AccessesPerBytePerSecond),
                           cl::sub(Classifying),
                           cl::desc(profile::ColdRateHelp)};
  cl::opt<bool> ColdByTotals{profile::ColdByTotalsOption, cl::sub(Classifying),
                             cl::desc(profile::ColdByTotalsHelp)};

  cl::opt<bool> All{"all", cl::sub(Listing), cl::desc("List every context")};
  cl::opt<unsigned> Top{"top", cl::value_desc("count"), cl::init(10),
                        cl::sub(Listing),
                        cl::desc("List this many contexts (default: 10)")};

  cl::list<std::string> Allocators{
      NamedAllocatorOption, cl::value_desc("name:variant"), cl::sub(Merge),
      cl::sub(Audit),
      cl::desc(
          "An allocation function of the program's own and its cold variant: "
          "contexts begin at calls of these; may be given several times")};

  cl::opt<placement::Horizon> Goal{
      "goal", cl::init(placement::Horizon::Burst), cl::sub(Placing),
      cl::values(clEnumValN(placement::Horizon::Burst, "time",
                            "Few pages in a few milliseconds: fewer misses of "
                            "TLB and caches (default)"),
                 clEnumValN(placement::Horizon::Window, "memory",
                            "Few pages in a window: less memory in use")),
      cl::desc("What hints are to bring")};
  cl::opt<std::string> Phase{
      "phase", cl::value_desc("name"), cl::sub(Placing),
      cl::desc("Look only at what is touched in this phase of the program")};

  cl::opt<TableFormat> Answer{
      "format", cl::init(TableFormat::Text), cl::sub(Answering),
      cl::values(
          clEnumValN(TableFormat::Text, "text", "Text for people (default)"),
          clEnumValN(TableFormat::Json, "json", "One object, with all rows"),
          clEnumValN(TableFormat::Csv, "csv", "The rows of the last list")),
      cl::desc("How to answer; show has a format with --by")};

  //===-- merge
  //-------------------------------------------------------------===//

  cl::list<std::string> MergeInputs{
      cl::Positional, cl::ZeroOrMore, cl::sub(Merge),
      cl::desc("<raw memory profile | .profraw | .profdata | .yaml>...")};
  cl::opt<unsigned> MemProfVersion{
      "memprof-version", cl::value_desc("2-4"), cl::init(memprof::Version4),
      cl::sub(Merge),
      cl::desc("Version of the memory profile section to write "
               "(default: 4, which names what calls led to)")};
  cl::opt<bool> HotColdSchema{
      "memprof-hot-cold-schema", cl::sub(Merge),
      cl::desc(
          "Write only the four measures that LLVM's own hints need: the "
          "file is smaller, and cold contexts are recognized less exactly")};
  cl::opt<std::string> InputList{
      "input-files", cl::value_desc("file"), cl::sub(Merge),
      cl::desc("A file that names more inputs, one a line, as FILE or "
               "WEIGHT,FILE; empty lines and those that begin with "
               "'#' do not count")};
  cl::alias InputListAlias{"f", cl::aliasopt(InputList),
                           cl::desc("Same as --input-files")};
  cl::list<std::string> WeightedInputs{
      "weighted-input", cl::value_desc("weight,file"), cl::sub(Merge),
      cl::desc("An input, and how often it counts: a number from 1 upwards")};
  cl::opt<bool> FullSchema{
      "memprof-full-schema", cl::sub(Merge),
      cl::desc("Write all measures, which is the default; for scripts of "
               "llvm-profdata")};
  cl::opt<unsigned> NumThreads{
      "num-threads", cl::value_desc("count"), cl::init(0), cl::sub(Merge),
      cl::desc("For scripts of llvm-profdata: one thread does it")};
  cl::alias NumThreadsAlias{"j", cl::aliasopt(NumThreads),
                            cl::desc("Same as --num-threads")};
  cl::opt<std::string> FailureMode{
      "failure-mode", cl::value_desc("any or all"), cl::init("all"),
      cl::sub(Merge),
      cl::desc("all: leave damaged raw profiles out with a warning, and fail "
               "only if no input can be read (default); any: fail if any "
               "input cannot be read")};
  cl::opt<bool> TextOutput{
      "text", cl::sub(Merge),
      cl::desc("Write LLVM's YAML, for people and for llvm-profdata")};
  cl::opt<bool> DumpInputs{
      "dump-input-file-list", cl::sub(Merge),
      cl::desc(
          "Print the inputs as WEIGHT,FILE, one a line, and write nothing")};
  cl::opt<bool> InstrKind{
      "instr", cl::sub(Merge),
      cl::desc("Merge heap profiles and counters, which is the default; for "
               "scripts of llvm-profdata")};
  cl::opt<bool> Sparse{
      "sparse", cl::sub(Merge),
      cl::desc("Leave out functions whose counters are all 0")};
  cl::opt<uint64_t> TemporalReservoir{
      "temporal-profile-trace-reservoir-size", cl::value_desc("count"),
      cl::init(profile::MergeOptions().TemporalReservoirSize), cl::sub(Merge),
      cl::desc("The most traces of temporal profiles to keep (default: 100)")};
  cl::opt<uint64_t> TemporalLength{
      "temporal-profile-max-trace-length", cl::value_desc("count"),
      cl::init(profile::MergeOptions().MaxTemporalTraceLength), cl::sub(Merge),
      cl::desc("The most functions of such a trace to keep (default: 10000)")};
  cl::opt<bool> RandomHotness{
      "memprof-random-hotness", cl::sub(Merge),
      cl::desc("Make each context cold or not by chance, to measure what hints "
               "cost by themselves")};
  cl::opt<unsigned> RandomHotnessSeed{
      "memprof-random-hotness-seed", cl::value_desc("number"), cl::init(0),
      cl::sub(Merge),
      cl::desc("What decides that; without it or with 0 each merge decides "
               "otherwise, and prints the number")};
  cl::opt<std::string> RecordedCommand{
      "command", cl::value_desc("text"), cl::sub(Merge),
      cl::desc("The command whose runs the inputs are of: it is kept in the "
               "output, with the time of the newest input, and shown by show "
               "and on pages")};
  cl::opt<bool> Quiet{"quiet", cl::sub(Merge),
                      cl::desc("Print warnings only, no summary")};

  //===-- show, advise, export, diff, audit
  //---------------------------------===//

  cl::opt<std::string> ShowInput{cl::Positional, cl::Required, cl::sub(Show),
                                 cl::desc("<indexed or raw profile>")};
  cl::list<std::string> Libraries{
      "library", cl::value_desc("file"), cl::sub(Selecting),
      cl::desc(
          "A library of the profiled process that is not the program's own, "
          "for the names of its functions in a raw memory profile; may be "
          "given several times")};
  cl::opt<bool> ColdOnly{"cold", cl::sub(Selecting),
                         cl::desc("Cold contexts only")};
  cl::opt<std::string> FunctionPattern{
      "function", cl::value_desc("regex"), cl::sub(Selecting),
      cl::desc("Only contexts with a function of which this extended regular "
               "expression matches a part of the name")};
  cl::opt<std::string> TypePattern{
      "type", cl::value_desc("regex"), cl::sub(Show), cl::sub(Export),
      cl::desc("Only contexts that allocate a type of which this extended "
               "regular expression matches a part of the name")};
  cl::opt<TotalsBy> Grouping{
      "by", cl::sub(Show),
      cl::values(
          clEnumValN(TotalsBy::Function, "function",
                     "The function that asks for the memory"),
          clEnumValN(TotalsBy::File, "file", "The file that it is in"),
          clEnumValN(TotalsBy::Allocation, "allocation",
                     "The allocation function that it calls"),
          clEnumValN(TotalsBy::Type, "type", "The type that is allocated")),
      cl::desc("Print totals instead of contexts, by")};
  cl::opt<bool> FullNames{
      "full-names", cl::sub(Show), cl::sub(Diff),
      cl::desc("Print long names with their template arguments")};

  cl::opt<std::string> AdviseInput{cl::Positional, cl::Required,
                                   cl::sub(Advise),
                                   cl::desc("<indexed profile>")};
  cl::list<std::string> AdviseRuns{cl::Positional, cl::ZeroOrMore,
                                   cl::sub(Advise),
                                   cl::desc("[<raw memory profile>...]")};
  cl::opt<unsigned> AdviseTop{
      "top", cl::value_desc("count"), cl::init(5), cl::sub(Advise),
      cl::desc("Name this many places for each reason (default: 5)")};

  cl::opt<std::string> ExportInput{cl::Positional, cl::Required,
                                   cl::sub(Export),
                                   cl::desc("<indexed or raw profile>")};
  cl::opt<unsigned> ExportTop{
      "top", cl::value_desc("count"), cl::init(0), cl::sub(Export),
      cl::desc("Write only this many contexts, those with most bytes")};
  cl::opt<ExportFormat> Format{
      "format", cl::init(ExportFormat::Json), cl::sub(Export),
      cl::values(
          clEnumValN(ExportFormat::Json, "json", "One object (default)"),
          clEnumValN(ExportFormat::Csv, "csv", "A row per context"),
          clEnumValN(ExportFormat::Pprof, "pprof", "For pprof (gzip)"),
          clEnumValN(ExportFormat::Dhat, "dhat",
                     "For the viewer of valgrind's DHAT"),
          clEnumValN(ExportFormat::Speedscope, "speedscope", "For speedscope"),
          clEnumValN(ExportFormat::Collapsed, "collapsed",
                     "Stacks in a line each, for flame graphs"),
          clEnumValN(ExportFormat::Sarif, "sarif",
                     "What links lost, by file and line, for code hosts")),
      cl::desc("What to write")};
  cl::opt<ViewValue> StackValue{
      "value", cl::init(ViewValue::Bytes), cl::sub(Export),
      cl::values(
          clEnumValN(ViewValue::Bytes, "bytes", "Bytes allocated (default)"),
          clEnumValN(ViewValue::Objects, "objects", "Objects allocated"),
          clEnumValN(ViewValue::Accesses, "accesses", "Accesses to them"),
          clEnumValN(ViewValue::ColdBytes, "cold", "Bytes of cold contexts"),
          clEnumValN(ViewValue::LiveBytes, "live",
                     "Bytes that lived when the program had the most"),
          clEnumValN(ViewValue::WorkingSet, "working_set",
                     "Bytes of touched pages, as they are predicted without "
                     "hints"),
          clEnumValN(ViewValue::LostBytes, "lost",
                     "Bytes of cold contexts that the links of --link do not "
                     "hint")),
      cl::desc("What collapsed stacks tell; other formats have all of them")};

  cl::list<std::string> LinkReports{
      "link", cl::value_desc("file"), cl::sub(Export),
      cl::desc(
          "The report of a link of the profile, in JSON, for what the link "
          "does not hint; may be given several times")};

  cl::opt<std::string> ReportInput{cl::Positional, cl::Required,
                                   cl::sub(Report),
                                   cl::desc("<indexed or raw profile>")};
  cl::list<std::string> Measured{
      "measured", cl::value_desc("file"), cl::sub(Report),
      cl::desc("What a run of the program with hints wrote for "
               "THERMOCLINE_ALLOC_STATS; may be given several times")};
  cl::opt<std::string> MeasuredPages{
      "measured-pages", cl::value_desc("size,size"), cl::sub(Report),
      cl::desc(
          "The pages that the program touched without hints and with them, "
          "as 19.0MiB,8.3MiB")};

  cl::list<std::string> SourceUrls{
      report::SourceUrlOption, cl::value_desc("address"), cl::sub(Report),
      cl::sub(Diff), cl::desc(report::SourceUrlHelp)};
  cl::opt<DiffFormat> FormatOfDiff{
      "format", cl::init(DiffFormat::Text), cl::sub(Diff),
      cl::values(
          clEnumValN(DiffFormat::Text, "text", "For people (default)"),
          clEnumValN(DiffFormat::Html, "html", "A page for a browser"),
          clEnumValN(DiffFormat::Json, "json", "One object, with all rows"),
          clEnumValN(DiffFormat::Csv, "csv", "The rows of the last list")),
      cl::desc("How to answer")};

  cl::opt<std::string> DiffBefore{cl::Positional, cl::Required, cl::sub(Diff),
                                  cl::desc("<before>")};
  cl::opt<std::string> DiffAfter{cl::Positional, cl::Required, cl::sub(Diff),
                                 cl::desc("<after>")};

  cl::opt<bool> ExitCode{
      "exit-code", cl::sub(Diff),
      cl::desc("End with exit status 3 if the profiles differ")};
  cl::opt<double> MinWorth{
      "min-worth", cl::value_desc("per cent"), cl::sub(Diff),
      cl::desc("End with exit status 3 if the decisions of the first profile "
               "bring less of what the second one says can be gained")};
  cl::opt<std::string> DiffJUnit{
      "junit", cl::value_desc("file"), cl::sub(Diff),
      cl::desc("Write what these two found as JUnit's XML, for CI servers")};

  cl::opt<std::string> AuditProfile{cl::Positional, cl::Required,
                                    cl::sub(Audit),
                                    cl::desc("<indexed profile>")};
  cl::list<std::string> AuditRuns{cl::Positional, cl::OneOrMore, cl::sub(Audit),
                                  cl::desc("<raw memory profile>...")};

  //===--------------------------------------------------------------------===//

  Expected<Command> parse(ArrayRef<const char *> Arguments);

private:
  profile::ColdThresholds thresholds();
  Expected<std::vector<NamedAllocator>> namedAllocators();
  profile::BinaryOptions binaries();
  /// The settings of the commands that look at profiles.
  SharedSettings shared();
  placement::PlacementOptions placing();
  /// Adds the inputs of all options. An error if there are none.
  Error addMergeInputs(MergeCommand &Result);
  Expected<Command> mergeCommand();
  /// How many rows are to be listed, as \p Option says. Programs get all unless
  /// it is given.
  std::optional<unsigned> rows(const cl::opt<unsigned> &Option,
                               TableFormat Format) const {
    if (All || (Format != TableFormat::Text && !Option.getNumOccurrences()))
      return std::nullopt;
    return Option;
  }
  /// The settings of the commands that look at one profile.
  ProfileSettings settings(const std::string &Input);
  AdviseCommand adviseCommand();
  Expected<Command> diffCommand();
};

} // namespace

//===----------------------------------------------------------------------===//

profile::ColdThresholds CommandLine::thresholds() {
  return profile::ColdThresholds::of(ColdLifetime, ColdAccesses, ColdRate,
                                     ColdByTotals);
}

Expected<std::vector<NamedAllocator>> CommandLine::namedAllocators() {
  std::vector<NamedAllocator> Result;
  for (const std::string &Text : Allocators)
    if (std::string Problem = parseNamedAllocators(Text, Result);
        !Problem.empty())
      return createStringError(Twine("--") + NamedAllocatorOption + ": " +
                               Problem);
  return std::move(Result);
}

profile::BinaryOptions CommandLine::binaries() {
  profile::BinaryOptions Result;
  Result.DebugDirectories = DebugDirectories;
  for (const std::string &Path : Binaries)
    if (!Path.empty())
      Result.Binaries.push_back(Path);
  return Result;
}

SharedSettings CommandLine::shared() {
  return {.Output = Output,
          .Binaries = binaries(),
          .Thresholds = thresholds(),
          .Format = Answer};
}

placement::PlacementOptions CommandLine::placing() {
  placement::PlacementOptions Result;
  Result.Goal = Goal;
  Result.Phase = Phase;
  return Result;
}

/// Adds the input that \p Text, "WEIGHT,FILE", names. \p Where is in front of
/// errors.
static Error addWeighted(StringRef Text, const Twine &Where,
                         MergeCommand &Result) {
  const auto [Digits, Path] = Text.split(',');
  uint64_t Weight = 0;
  if (Path.empty() || Digits.getAsInteger(10, Weight) || Weight == 0)
    return createStringError(Where + Text +
                             ": must be WEIGHT,FILE, with a whole number "
                             "from 1 upwards");
  Result.Inputs.push_back(Path.str());
  Result.Weights.push_back(Weight);
  return Error::success();
}

Error CommandLine::addMergeInputs(MergeCommand &Result) {
  for (const std::string &Path : MergeInputs) {
    Result.Inputs.push_back(Path);
    Result.Weights.push_back(1);
  }
  for (StringRef Weighted : WeightedInputs)
    if (Error E = addWeighted(Weighted, "--weighted-input=", Result))
      return E;
  if (InputList.getNumOccurrences()) {
    Expected<std::unique_ptr<MemoryBuffer>> List = openInput(InputList);
    if (!List)
      return List.takeError();
    unsigned Number = 0;
    for (StringRef Rest = (*List)->getBuffer(); !Rest.empty();) {
      StringRef Line;
      std::tie(Line, Rest) = Rest.split('\n');
      ++Number;
      if (Line = Line.trim(); Line.empty() || Line.starts_with("#"))
        continue;
      const std::string Weighted =
          (Line.contains(',') ? Line : "1," + Line).str();
      if (Error E = addWeighted(
              Weighted, InputList + ": line " + Twine(Number) + ": ", Result))
        return E;
    }
  }
  if (Result.Inputs.empty())
    return createStringError("merge needs at least one profile");
  return Error::success();
}

/// A seed that is not 0 and differs from one second to the next.
static uint64_t newSeed() {
  return std::max<uint32_t>(static_cast<uint32_t>(std::time(nullptr)), 1);
}

Expected<Command> CommandLine::mergeCommand() {
  if (FailureMode != "any" && FailureMode != "all")
    return createStringError("--failure-mode must be any or all, not '" +
                             FailureMode + "'");
  if (FullSchema && HotColdSchema)
    return createStringError(
        "--memprof-full-schema and --memprof-hot-cold-schema exclude each "
        "other");
  if (MemProfVersion < memprof::MinimumSupportedVersion ||
      MemProfVersion > memprof::MaximumSupportedVersion)
    return createStringError("memprof-version must be from " +
                             Twine(memprof::MinimumSupportedVersion) + " to " +
                             Twine(memprof::MaximumSupportedVersion));
  if (Output.getNumOccurrences() == 0 && !DumpInputs)
    return createStringError("merge needs -o FILE ('-' is standard output)");
  MergeCommand Result;
  if (Error E = addMergeInputs(Result))
    return std::move(E);
  Result.InputList = InputList;
  Result.Output = Output;
  Result.Options.Binaries = binaries();
  Result.Options.MemProfVersion =
      static_cast<memprof::IndexedVersion>(MemProfVersion.getValue());
  Result.Options.HotColdSchema = HotColdSchema;
  Result.Options.AsYaml = TextOutput;
  Result.Options.SparseCounters = Sparse;
  Result.Options.TemporalReservoirSize = TemporalReservoir;
  Result.Options.MaxTemporalTraceLength = TemporalLength;
  Result.ListInputs = DumpInputs;
  Result.FailsOnAny = FailureMode == "any";
  if (RandomHotness) {
    Result.IsNewSeed = RandomHotnessSeed == 0;
    Result.Options.RandomHotnessSeed =
        Result.IsNewSeed ? newSeed() : RandomHotnessSeed;
  } else if (RandomHotnessSeed.getNumOccurrences())
    return createStringError(
        "--memprof-random-hotness-seed is for --memprof-random-hotness");
  Result.Options.Placing = placing();
  auto Named = namedAllocators();
  if (!Named)
    return Named.takeError();
  Result.Options.Allocators = std::move(*Named);
  Result.Thresholds = thresholds();
  Result.Recorded = RecordedCommand;
  Result.Quiet = Quiet;
  return Result;
}

ProfileSettings CommandLine::settings(const std::string &Input) {
  return {shared(), Input, Libraries, FunctionPattern, TypePattern, ColdOnly};
}

AdviseCommand CommandLine::adviseCommand() {
  AdviseCommand Result;
  static_cast<ProfileSettings &>(Result) = settings(AdviseInput);
  Result.Runs = AdviseRuns;
  if (Goal.getNumOccurrences())
    Result.Goal = Goal;
  if (Phase.getNumOccurrences())
    Result.Phase = Phase;
  Result.Top = rows(AdviseTop, Answer);
  return Result;
}

Expected<Command> CommandLine::parse(ArrayRef<const char *> Arguments) {
  if (Error E = parseCommands(Profdata, Arguments))
    return std::move(E);
  if (Error E = thresholds().validate())
    return std::move(E);
  if (Merge)
    return mergeCommand();
  if (Show) {
    if (Answer != TableFormat::Text && !Grouping.getNumOccurrences())
      return createStringError(
          "--format of show is for --by: export writes contexts");
    return ShowCommand{settings(ShowInput), rows(Top, Answer),
                       Grouping.getNumOccurrences()
                           ? std::optional(Grouping.getValue())
                           : std::nullopt,
                       FullNames};
  }
  if (Advise)
    return adviseCommand();
  if (Export) {
    if (StackValue.getNumOccurrences() && Format != ExportFormat::Collapsed)
      return createStringError(
          "--value is for --format=collapsed: other formats have all values");
    if (Format == ExportFormat::Sarif &&
        (LinkReports.empty() || binaries().Binaries.empty()))
      return createStringError(
          "--format=sarif needs --link=REPORT, for what a link lost, and "
          "--binary=PROGRAM, for files and lines");
    return ExportCommand{settings(ExportInput), Format, StackValue,
                         ExportTop.getNumOccurrences()
                             ? std::optional(ExportTop.getValue())
                             : std::nullopt,
                         LinkReports};
  }
  if (Report)
    return ReportCommand{
        {shared(), ReportInput, {}}, Measured, MeasuredPages, SourceUrls};
  if (Diff)
    return diffCommand();
  if (Audit) {
    if (binaries().Binaries.empty())
      return createStringError(
          "audit needs --binary=PROGRAM, the one that ran");
    auto Named = namedAllocators();
    if (!Named)
      return Named.takeError();
    return AuditCommand{shared(), AuditProfile, AuditRuns, rows(Top, Answer),
                        std::move(*Named)};
  }
  return Profdata.noCommand();
}

Expected<Command> CommandLine::diffCommand() {
  if (FormatOfDiff == DiffFormat::Html)
    for (const cl::Option *O :
         std::initializer_list<const cl::Option *>{&Top, &All, &FullNames})
      if (O->getNumOccurrences())
        return createStringError("--" + O->ArgStr +
                                 " is not for --format=html: a page has "
                                 "everything");
  if (FormatOfDiff != DiffFormat::Html && SourceUrls.getNumOccurrences())
    return createStringError(Twine("--") + report::SourceUrlOption +
                             " is for --format=html");
  DiffCommand Result;
  static_cast<SharedSettings &>(Result) = shared();
  Result.Before = DiffBefore;
  Result.After = DiffAfter;
  Result.AsPage = FormatOfDiff == DiffFormat::Html;
  if (FormatOfDiff == DiffFormat::Json)
    Result.Format = TableFormat::Json;
  else if (FormatOfDiff == DiffFormat::Csv)
    Result.Format = TableFormat::Csv;
  Result.Top = rows(Top, Result.Format);
  Result.FullNames = FullNames;
  Result.SourceUrls = SourceUrls;
  Result.FailsOnAny = ExitCode;
  if (MinWorth.getNumOccurrences())
    Result.MinWorth = MinWorth;
  Result.JUnitFile = DiffJUnit;
  if (Result.MinWorth && !(*Result.MinWorth >= 0 && *Result.MinWorth <= 100))
    return createStringError("--min-worth must be from 0 to 100");
  if (DiffJUnit.getNumOccurrences() && DiffJUnit.empty())
    return createStringError("--junit: the name of the file is empty");
  if (DiffJUnit.getNumOccurrences() && !ExitCode && !Result.MinWorth)
    return createStringError("--junit needs --exit-code or --min-worth");
  return Result;
}

Expected<Command> profdata::parseCommandLine(int ArgumentCount,
                                             char **ArgumentValues) {
  static CommandLine Options;
  return Options.parse(ArrayRef(ArgumentValues, ArgumentCount));
}
