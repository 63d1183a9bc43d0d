//===- thermocline/Options.cpp - The tool's command line ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "thermocline/Format/Counters.h"
#include "thermocline/Support/Tools/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

static constexpr ToolCommand Commands[] = {
    {"record", "[options] [--live --pid=PROCESS | -- PROGRAM ARGUMENTS...]",
     "Run a program, and make a profile of all its processes"},
    {"report", "[options] [PROFILE | DECISIONS...] [-- OPTIONS OF THE TOOL...]",
     "Make a page of a profile, or of the decisions of a link"},
    {"compare", "[options] BEFORE AFTER [-- ARGUMENTS...]",
     "Run two builds in turns, and compare time and memory of them"},
};
static constexpr ToolFact ExitStatus[] = {
    {"0", "All went well"},
    {"1", "There was an error, which is printed"},
    {"3", "compare --fail-over found more growth than it allows"},
    {"other", "That of the program of record, if the program failed"},
};
static constexpr ToolFact Environment[] = {
    {"MEMPROF_OPTIONS", "Options of the runtime, which record passes on"},
    {"LD_LIBRARY_PATH", "Where record looks for libraries"},
    {"TMPDIR", "Where raw profiles and outputs of programs are kept meanwhile"},
    {"NO_COLOR", "If it is set, there are no colours"},
};
static constexpr ToolFact Files[] = {
    {DefaultProfile, "Where record writes, and report reads"},
    {DefaultPage, "Where report writes"},
};
static constexpr Tool Thermocline = {
    "thermocline",
    "Profiles programs, shows profiles and decisions, and compares builds.",
    Commands,
    ExitStatus,
    Environment,
    Files};

namespace {

/// The options, which register themselves with cl. They are members, as other
/// tools in the same program have options of the same names.
struct CommandLine {
  RegisteredCommand Record{Thermocline, "record"};
  RegisteredCommand Report{Thermocline, "report"};
  RegisteredCommand Compare{Thermocline, "compare"};

  cl::SubCommandGroup Every{&Record, &Report, &Compare};
  cl::SubCommandGroup Writing{&Record, &Report};

  //===-- Shared
  //------------------------------------------------------------===//

  cl::opt<bool> Verbose{
      "v", cl::sub(Every),
      cl::desc("Print each command that is run, ready for a shell")};
  cl::opt<bool> Json{
      "json", cl::sub(Every),
      cl::desc("Print a JSON object. With record, what the program prints "
               "then goes to standard error")};
  cl::opt<std::string> Output{
      "o", cl::value_desc("file"), cl::sub(Writing),
      cl::desc("Where to write (default: thermocline.memprofdata for "
               "record, thermocline.html for report, standard output for "
               "report --json)")};
  cl::list<std::string> Binaries{
      "binary", cl::value_desc("file or directory"), cl::sub(Writing),
      cl::desc("A program, a library of its own, or a directory with such; may "
               "be given several times. record finds most of them itself")};

  //===-- record
  //------------------------------------------------------------===//

  cl::list<std::string> Stray{cl::Positional, cl::ZeroOrMore, cl::sub(Record),
                              cl::desc("-- <program> <arguments>...")};
  cl::opt<std::string> RawDirectory{
      "raw", cl::value_desc("directory"), cl::sub(Record),
      cl::desc("Keep the raw profiles in this directory, which is made, or is "
               "empty (default: they are removed once they are merged)")};
  cl::opt<unsigned> Sample{
      "sample", cl::value_desc("count"), cl::sub(Record),
      cl::desc("Record one of so many allocations (MEMPROF_OPTIONS="
               "sample=COUNT). Without --live, build with "
               "thermocline-generate-sampling.cfg for it")};
  cl::opt<unsigned> TouchCost{
      "touch-cost", cl::value_desc("thousandths"), cl::sub(Record),
      cl::desc("With --live, how much of the program's processor time looks at "
               "its objects may take (default: 30; MEMPROF_OPTIONS=touch_cost="
               "THOUSANDTHS)")};
  cl::opt<bool> Preload{
      "preload", cl::sub(Record),
      cl::desc("Profile a program that is not built for it: contexts and "
               "lifetimes, but no accesses, so nothing is cold")};
  cl::opt<bool> Live{
      "live", cl::sub(Record),
      cl::desc("Profile a program as it is, at little cost: the page table "
               "tells what is touched of one in --sample=COUNT allocations "
               "(default: 100)")};
  cl::opt<double> For{
      "for", cl::value_desc("seconds"), cl::sub(Record),
      cl::desc("End the program by SIGTERM after so long, as a server does not "
               "end by itself; with --pid, end the recording")};
  cl::opt<int> Pid{
      "pid", cl::value_desc("process"), cl::sub(Record),
      cl::desc("Profile a process that runs, with --live, until --for is over, "
               "it ends or Ctrl-C is pressed. It must have been started with "
               "LD_PRELOAD=libthermocline_preload.so and "
               "MEMPROF_OPTIONS=standby=1")};
  cl::opt<double> Repeat{
      "every", cl::value_desc("seconds"), cl::sub(Record),
      cl::desc("With --pid and --for, record the process again so long after "
               "the last beginning, until it ends or Ctrl-C is pressed. The "
               "profile is of all recordings, and written after each")};
  cl::opt<bool> NoCommand{
      "no-command", cl::sub(Record),
      cl::desc("Leave the command line out of the profile, in which others "
               "could read a secret among the arguments")};
  cl::opt<std::string> Phase{
      "phase", cl::value_desc("name"), cl::sub(Record),
      cl::desc("Look only at what is touched in this phase of the program "
               "(as thermo-profdata merge)")};
  cl::opt<std::string> Goal{
      "goal", cl::value_desc("time or memory"), cl::sub(Record),
      cl::desc("What hints are to bring (as thermo-profdata merge)")};
  cl::list<std::string> Allocators{
      "alloc-function", cl::value_desc("name:variant"), cl::sub(Record),
      cl::desc(
          "An allocation function of the program's own and its cold "
          "variant; may be given several times (as thermo-profdata merge)")};

  //===-- report
  //------------------------------------------------------------===//

  cl::list<std::string> Inputs{
      cl::Positional, cl::ZeroOrMore, cl::sub(Report),
      cl::desc("[<profile or decisions>...] [-- <option of the "
               "tool>...]")};

  //===-- compare ---------------------------------------------------------===//

  cl::opt<std::string> Before{cl::Positional, cl::Required, cl::sub(Compare),
                              cl::desc("<before>")};
  cl::opt<std::string> After{cl::Positional, cl::Required, cl::sub(Compare),
                             cl::desc("<after> [-- <arguments>...]")};
  cl::opt<unsigned> Pairs{
      "pairs", cl::value_desc("count"), cl::init(CompareCommand().Pairs),
      cl::sub(Compare),
      cl::desc("Pairs of runs for times (default: 10; an interval needs "
               "6)")};
  cl::opt<unsigned> MemoryPairs{
      "memory-pairs", cl::value_desc("count"),
      cl::init(CompareCommand().MemoryPairs), cl::sub(Compare),
      cl::desc(
          "Further pairs of runs for memory (default: 6; 0 leaves it out)")};
  cl::opt<std::string> Template{
      "command", cl::value_desc("command line"), cl::sub(Compare),
      cl::desc("What to run, if it is not the program and its arguments: {} "
               "stands for the program, as in 'env LANG=C {} file'. Words are "
               "split as by a shell, but no shell runs")};
  cl::opt<std::string> Input{
      "stdin", cl::value_desc("file"), cl::init(CompareCommand().Input),
      cl::sub(Compare),
      cl::desc("The file that each run reads from standard input (default: "
               "nothing)")};
  cl::opt<std::string> PredictedBy{
      "profile", cl::value_desc("file"), cl::sub(Compare),
      cl::desc("Show what this profile predicts of the pages that are touched "
               "beside what was measured")};
  cl::opt<double> FailOver{
      "fail-over", cl::value_desc("per cent"), cl::sub(Compare),
      cl::desc("End with exit status 3 if a time or memory has grown by more, "
               "beyond doubt: the whole interval is above that")};
  cl::opt<std::string> JUnitFile{
      "junit", cl::value_desc("file"), cl::sub(Compare),
      cl::desc("Write what --fail-over found as JUnit's XML, for CI servers")};
  cl::opt<TableFormat> Format{
      "format", cl::init(TableFormat::Text), cl::sub(Compare),
      cl::values(
          clEnumValN(TableFormat::Text, "text", "Text for people (default)"),
          clEnumValN(TableFormat::Json, "json", "One object, as --json"),
          clEnumValN(TableFormat::Csv, "csv", "A row for each measure")),
      cl::desc("How to answer")};
  cl::opt<bool> IgnoreOutput{
      "ignore-output", cl::sub(Compare),
      cl::desc("Compare programs that print differently, or end "
               "with other exit statuses")};

  //===--------------------------------------------------------------------===//

  Expected<Command> parse(ArrayRef<const char *> Own);

private:
  SharedOptions shared() { return {Verbose}; }
  Expected<Command> recordCommand(std::vector<std::string> Program);
  Expected<Command> compareCommand(std::vector<std::string> Arguments);
};

} // namespace

//===----------------------------------------------------------------------===//

Expected<Command> CommandLine::recordCommand(std::vector<std::string> Program) {
  auto Bad = [](const Twine &Text) {
    return usageError(Thermocline, "record", Text);
  };
  if (!Stray.empty())
    return Bad("'" + Stray.front() +
               "': the program and its arguments come after '--'");
  if (Pid.getNumOccurrences()) {
    if (!Live)
      return Bad("--pid needs --live");
    if (Pid <= 0)
      return Bad("--pid must be the number of a process");
    if (!Program.empty())
      return Bad("--pid profiles a process that runs, so no program can come "
                 "after '--'");
  } else if (Program.empty() || Program.front().empty())
    return Bad("no program: it comes after '--', as in thermocline record -- "
               "./program argument");
  // The runtime would ignore any other, and record all.
  if (Sample.getNumOccurrences() &&
      (!Sample || Sample > format::MaxSampleInterval))
    return Bad("--sample must be from 1 to " +
               Twine(format::MaxSampleInterval));
  if (TouchCost.getNumOccurrences()) {
    if (!Live)
      return Bad("--touch-cost needs --live");
    if (!TouchCost || TouchCost > format::MaxTouchCost)
      return Bad("--touch-cost must be from 1 to " +
                 Twine(format::MaxTouchCost));
  }
  // More would not fit into a timer, and is more than a month.
  constexpr double MostSeconds = 3e6;
  if (For.getNumOccurrences() && !(For >= 0.001 && For <= MostSeconds))
    return Bad("--for must be a number of seconds from 0.001 to 3000000");
  if (Repeat.getNumOccurrences()) {
    if (!Pid.getNumOccurrences() || !For.getNumOccurrences())
      return Bad("--every needs --pid and --for");
    if (!(Repeat > For && Repeat <= MostSeconds))
      return Bad("--every must be a number of seconds that is greater than "
                 "that of --for, to 3000000");
  }
  if (Live && Preload)
    return Bad("--live and --preload are two ways; give one");
  if (Goal.getNumOccurrences() && Goal != "time" && Goal != "memory")
    return Bad("--goal must be time or memory");
  RecordCommand Result;
  static_cast<SharedOptions &>(Result) = shared();
  Result.Json = Json;
  Result.Program = std::move(Program);
  Result.ProcessId = Pid;
  if (Output.getNumOccurrences())
    Result.Output = Output;
  Result.Binaries = Binaries;
  Result.RawDirectory = RawDirectory;
  Result.SampleInterval = Sample;
  Result.TouchCost = TouchCost;
  Result.Preload = Preload;
  Result.Live = Live;
  if (For.getNumOccurrences())
    Result.ForSeconds = For;
  if (Repeat.getNumOccurrences())
    Result.EverySeconds = Repeat;
  Result.NoCommand = NoCommand;
  if (Phase.getNumOccurrences())
    Result.MergeOptions.push_back("--phase=" + Phase);
  if (Goal.getNumOccurrences())
    Result.MergeOptions.push_back("--goal=" + Goal);
  for (const std::string &Each : Allocators)
    Result.MergeOptions.push_back("--alloc-function=" + Each);
  return Result;
}

/// With fewer pairs there is no interval.
static constexpr unsigned PairsOfInterval = 6;

Expected<Command>
CommandLine::compareCommand(std::vector<std::string> Arguments) {
  auto Bad = [](const Twine &Text) {
    return usageError(Thermocline, "compare", Text);
  };
  if (Pairs < 1 || Pairs > 1000 || MemoryPairs > 1000)
    return Bad(
        "--pairs must be from 1 to 1000, and --memory-pairs from 0 to 1000");
  if (Json && Format.getNumOccurrences())
    return Bad("--json is --format=json: give one of them");
  if (Template.getNumOccurrences() && !Arguments.empty())
    return Bad("--command has the arguments, so none can come after '--'");
  if (Template.getNumOccurrences() &&
      !StringRef(Template.getValue()).contains("{}"))
    return Bad("--command must have {} where the program goes");
  if (PredictedBy.getNumOccurrences() && !MemoryPairs)
    return Bad(
        "--profile predicts pages touched, which --memory-pairs=0 leaves out");
  if (FailOver.getNumOccurrences() && !(FailOver >= 0 && FailOver <= 1000))
    return Bad("--fail-over must be from 0 to 1000");
  if (FailOver.getNumOccurrences() &&
      (Pairs < PairsOfInterval ||
       (MemoryPairs && MemoryPairs < PairsOfInterval)))
    return Bad("--fail-over needs an interval: --pairs=6 and --memory-pairs=6 "
               "at least, or --memory-pairs=0");
  if (JUnitFile.getNumOccurrences() && !FailOver.getNumOccurrences())
    return Bad("--junit needs --fail-over");
  if (Input.empty())
    return Bad("--stdin: the name of the file is empty");
  if (JUnitFile.getNumOccurrences() && JUnitFile.empty())
    return Bad("--junit: the name of the file is empty");
  CompareCommand Result;
  static_cast<SharedOptions &>(Result) = shared();
  Result.Format = Json ? TableFormat::Json : Format;
  Result.Before = Before;
  Result.After = After;
  Result.Arguments = std::move(Arguments);
  Result.Template = Template;
  Result.Input = Input;
  Result.Pairs = Pairs;
  Result.MemoryPairs = MemoryPairs;
  Result.IgnoreOutput = IgnoreOutput;
  Result.Profile = PredictedBy;
  if (FailOver.getNumOccurrences())
    Result.FailOver = FailOver;
  Result.JUnitFile = JUnitFile;
  return Result;
}

Expected<Command> CommandLine::parse(ArrayRef<const char *> Own) {
  // What comes after "--" must not be read: LLVM would take "@file" in it for
  // options in a file.
  const auto *Rest = find_if(Own, [](StringRef Word) { return Word == "--"; });
  std::vector<std::string> Others;
  if (Rest != Own.end()) {
    Others.assign(std::next(Rest), Own.end());
    Own = Own.take_front(Rest - Own.begin());
  }
  if (Error E = parseCommands(Thermocline, Own))
    return std::move(E);
  if (Record)
    return recordCommand(std::move(Others));
  if (Report)
    return ReportCommand{shared(), Json,     Inputs,
                         Output,   Binaries, std::move(Others)};
  if (Compare)
    return compareCommand(std::move(Others));
  return Thermocline.noCommand();
}

Expected<Command> front::parseCommandLine(int ArgumentCount,
                                          char **ArgumentValues) {
  static CommandLine Options;
  return Options.parse(ArrayRef(ArgumentValues, ArgumentCount));
}
