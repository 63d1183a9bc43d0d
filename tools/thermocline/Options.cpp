//===- thermocline/Options.cpp - The tool's command line ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "thermocline/Support/Tools/CommandLine.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

namespace {

/// The options, which register themselves with cl. They are members, as other
/// tools in the same program have options of the same names.
struct CommandLine {
  cl::SubCommand Record{
      "record", "Run a program, and make a profile of all its processes"};
  cl::SubCommand Report{
      "report", "Make a page of a profile, or of the decisions of a link"};
  cl::SubCommand Compare{
      "compare",
      "Run two builds in turns, and compare time and memory of them"};

  cl::SubCommandGroup Every{&Record, &Report, &Compare};
  cl::SubCommandGroup Writing{&Record, &Report};

  cl::OptionCategory Category{"thermocline options"};

  //===-- Shared
  //------------------------------------------------------------===//

  cl::opt<bool> Verbose{
      "v", cl::cat(Category), cl::sub(Every),
      cl::desc("Print each command that is run, ready for a shell")};
  cl::opt<bool> Json{
      "json", cl::cat(Category), cl::sub(Every),
      cl::desc("Print a JSON object. With record, what the program prints "
               "then goes to standard error")};
  cl::opt<std::string> Output{
      "o", cl::value_desc("file"), cl::cat(Category), cl::sub(Writing),
      cl::desc("Where to write (default: thermocline.memprofdata for "
               "record, thermocline.html for report, standard output for "
               "report --json)")};
  cl::list<std::string> Binaries{
      "binary", cl::value_desc("file or directory"), cl::cat(Category),
      cl::sub(Writing),
      cl::desc("A program, a library of its own, or a directory with such; may "
               "be given several times. record finds most of them itself")};

  //===-- record
  //------------------------------------------------------------===//

  cl::list<std::string> Stray{cl::Positional, cl::ZeroOrMore, cl::cat(Category),
                              cl::sub(Record),
                              cl::desc("-- <program> <arguments>...")};
  cl::opt<std::string> RawDirectory{
      "raw", cl::value_desc("directory"), cl::cat(Category), cl::sub(Record),
      cl::desc("Keep the raw profiles in this directory, which is made, or is "
               "empty (default: they are removed once they are merged)")};
  cl::opt<unsigned> Sample{
      "sample", cl::value_desc("count"), cl::cat(Category), cl::sub(Record),
      cl::desc("Record one of so many allocations (MEMPROF_OPTIONS="
               "sample=COUNT); build with "
               "thermocline-generate-sampling.cfg for it")};
  cl::opt<bool> Preload{
      "preload", cl::cat(Category), cl::sub(Record),
      cl::desc("Profile a program that is not built for it: contexts and "
               "lifetimes, but no accesses, so nothing is cold")};
  cl::opt<bool> Live{
      "live", cl::cat(Category), cl::sub(Record),
      cl::desc("Profile a program as it is, at little cost: the page table "
               "tells what is touched of one in --sample=COUNT allocations "
               "(default: 100)")};
  cl::opt<std::string> Phase{
      "phase", cl::value_desc("name"), cl::cat(Category), cl::sub(Record),
      cl::desc("Look only at what is touched in this phase of the program "
               "(as thermo-profdata merge)")};
  cl::opt<std::string> Goal{
      "goal", cl::value_desc("time or memory"), cl::cat(Category),
      cl::sub(Record),
      cl::desc("What hints are to bring (as thermo-profdata merge)")};
  cl::list<std::string> Allocators{
      "alloc-function", cl::value_desc("name:variant"), cl::cat(Category),
      cl::sub(Record),
      cl::desc(
          "An allocation function of the program's own and its cold "
          "variant; may be given several times (as thermo-profdata merge)")};

  //===-- report
  //------------------------------------------------------------===//

  cl::list<std::string> Inputs{
      cl::Positional, cl::ZeroOrMore, cl::cat(Category), cl::sub(Report),
      cl::desc("[<profile or decisions>...] [-- <option of the "
               "tool>...]")};

  //===-- compare ---------------------------------------------------------===//

  cl::opt<std::string> Before{cl::Positional, cl::Required, cl::cat(Category),
                              cl::sub(Compare), cl::desc("<before>")};
  cl::opt<std::string> After{cl::Positional, cl::Required, cl::cat(Category),
                             cl::sub(Compare),
                             cl::desc("<after> [-- <arguments>...]")};
  cl::opt<unsigned> Pairs{
      "pairs",
      cl::value_desc("count"),
      cl::init(CompareCommand().Pairs),
      cl::cat(Category),
      cl::sub(Compare),
      cl::desc("Pairs of runs for times (default: 10; an interval needs "
               "6)")};
  cl::opt<unsigned> MemoryPairs{
      "memory-pairs",
      cl::value_desc("count"),
      cl::init(CompareCommand().MemoryPairs),
      cl::cat(Category),
      cl::sub(Compare),
      cl::desc(
          "Further pairs of runs for memory (default: 6; 0 leaves it out)")};
  cl::opt<std::string> Template{
      "command", cl::value_desc("command line"), cl::cat(Category),
      cl::sub(Compare),
      cl::desc("What to run, if it is not the program and its arguments: {} "
               "stands for the program, as in 'env LANG=C {} file'. Words are "
               "split as by a shell, but no shell runs")};
  cl::opt<std::string> Input{
      "stdin",
      cl::value_desc("file"),
      cl::init(CompareCommand().Input),
      cl::cat(Category),
      cl::sub(Compare),
      cl::desc("What each run reads from standard input (default: "
               "nothing)")};
  cl::opt<double> FailOver{
      "fail-over", cl::value_desc("per cent"), cl::cat(Category),
      cl::sub(Compare),
      cl::desc("End with exit status 3 if a time or memory has grown by more, "
               "beyond doubt: the whole interval is above that")};
  cl::opt<std::string> JUnitFile{
      "junit", cl::value_desc("file"), cl::cat(Category), cl::sub(Compare),
      cl::desc("Write what --fail-over found as JUnit's XML, for CI servers")};
  cl::opt<bool> IgnoreOutput{
      "ignore-output", cl::cat(Category), cl::sub(Compare),
      cl::desc("Compare programs that print differently, or end "
               "with other exit statuses")};

  //===--------------------------------------------------------------------===//

  Expected<Command> parse(ArrayRef<const char *> Own);

private:
  SharedOptions shared() { return {Verbose, Json}; }
  Expected<Command> recordCommand(std::vector<std::string> Program);
  Expected<Command> compareCommand(std::vector<std::string> Arguments);
  /// Of an option that takes one value, LLVM would forget all but the last.
  Error checkGivenOnce(StringRef Command);
};

} // namespace

//===----------------------------------------------------------------------===//

static constexpr char Overview[] =
    R"(Profiles programs, shows profiles and decisions, and compares builds.

  thermocline record [options] -- PROGRAM ARGUMENTS...
  thermocline report [options] [PROFILE | DECISIONS...]
  thermocline compare [options] BEFORE AFTER [-- ARGUMENTS...]

`thermocline COMMAND --help` lists the options of a command. The exit status is 1 after
an error. That of record is the program's, if the program fails.
)";

static Error usageError(StringRef Command, const Twine &Text) {
  return createStringError(Text + " (see thermocline " + Command + " --help)");
}

Expected<Command> CommandLine::recordCommand(std::vector<std::string> Program) {
  if (!Stray.empty())
    return usageError("record", "'" + Stray.front() +
                                    "': the program and its arguments come "
                                    "after '--'");
  if (Program.empty() || Program.front().empty())
    return usageError("record",
                      "no program: it comes after '--', as in thermocline "
                      "record -- ./program argument");
  if (Sample.getNumOccurrences() && !Sample)
    return usageError("record", "--sample must be at least 1");
  if (Live && Preload)
    return usageError("record", "--live and --preload are two ways; give one");
  if (Live && Phase.getNumOccurrences())
    return usageError("record", "--live tells no phases apart");
  if (Goal.getNumOccurrences() && Goal != "time" && Goal != "memory")
    return usageError("record", "--goal must be time or memory");
  RecordCommand Result;
  static_cast<SharedOptions &>(Result) = shared();
  Result.Program = std::move(Program);
  if (Output.getNumOccurrences())
    Result.Output = Output;
  Result.Binaries = Binaries;
  Result.RawDirectory = RawDirectory;
  Result.SampleInterval = Sample;
  Result.Preload = Preload;
  Result.Live = Live;
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
  if (Pairs < 1 || Pairs > 1000 || MemoryPairs > 1000)
    return usageError("compare", "--pairs must be from 1 to 1000, and "
                                 "--memory-pairs from 0 to 1000");
  if (Template.getNumOccurrences() && !Arguments.empty())
    return usageError("compare", "--command has the arguments, so none can "
                                 "come after '--'");
  if (Template.getNumOccurrences() &&
      !StringRef(Template.getValue()).contains("{}"))
    return usageError("compare", "--command must have {} where the program "
                                 "goes");
  if (FailOver.getNumOccurrences() && !(FailOver >= 0 && FailOver <= 1000))
    return usageError("compare", "--fail-over must be from 0 to 1000");
  if (FailOver.getNumOccurrences() &&
      (Pairs < PairsOfInterval ||
       (MemoryPairs && MemoryPairs < PairsOfInterval)))
    return usageError("compare", "--fail-over needs an interval: --pairs=6 and "
                                 "--memory-pairs=6 at least, or "
                                 "--memory-pairs=0");
  if (JUnitFile.getNumOccurrences() && !FailOver.getNumOccurrences())
    return usageError("compare", "--junit needs --fail-over");
  if (JUnitFile.getNumOccurrences() && JUnitFile.empty())
    return usageError("compare", "--junit: the name of the file is empty");
  CompareCommand Result;
  static_cast<SharedOptions &>(Result) = shared();
  Result.Before = Before;
  Result.After = After;
  Result.Arguments = std::move(Arguments);
  Result.Template = Template;
  Result.Input = Input;
  Result.Pairs = Pairs;
  Result.MemoryPairs = MemoryPairs;
  Result.IgnoreOutput = IgnoreOutput;
  if (FailOver.getNumOccurrences())
    Result.FailOver = FailOver;
  Result.JUnitFile = JUnitFile;
  return Result;
}

Error CommandLine::checkGivenOnce(StringRef Command) {
  for (cl::SubCommand *Sub : Every.getSubCommands())
    if (*Sub)
      for (const auto &[Name, Option] : Sub->OptionsMap)
        if (is_contained(Option->Categories, &Category) &&
            Option->getNumOccurrencesFlag() == cl::Optional &&
            Option->getNumOccurrences() > 1)
          return usageError(Command, Twine(Name.size() == 1 ? "-" : "--") +
                                         Name + " is given twice");
  return Error::success();
}

Expected<Command> CommandLine::parse(ArrayRef<const char *> Own) {
  for (cl::SubCommand *Sub : Every.getSubCommands())
    cl::HideUnrelatedOptions(Category, *Sub);
  cl::HideUnrelatedOptions(Category);
  cl::SetVersionPrinter(
      [](raw_ostream &OS) { printVersion(OS, "thermocline"); });
  // What comes after "--" must not be read: LLVM would take "@file" in it for
  // options in a file.
  const auto *Rest = find_if(Own, [](StringRef Word) { return Word == "--"; });
  std::vector<std::string> Others;
  if (Rest != Own.end()) {
    Others.assign(std::next(Rest), Own.end());
    Own = Own.take_front(Rest - Own.begin());
  }
  const StringRef Given = Own.size() > 1 ? Own[1] : "";
  const bool IsCommand =
      any_of(Every.getSubCommands(),
             [&](cl::SubCommand *Sub) { return Sub->getName() == Given; });
  if (Error E = parseOptions(
          Own, Overview,
          (IsCommand ? "thermocline " + Given : "thermocline").str()))
    return std::move(E);
  if (Error E = checkGivenOnce(Given))
    return std::move(E);
  if (Record)
    return recordCommand(std::move(Others));
  if (Report)
    return ReportCommand{shared(), Inputs, Output, Binaries, std::move(Others)};
  if (Compare)
    return compareCommand(std::move(Others));
  return createStringError("no command; one of record, report, compare (see "
                           "thermocline --help)");
}

Expected<Command> front::parseCommandLine(int ArgumentCount,
                                          char **ArgumentValues) {
  static CommandLine Options;
  return Options.parse(ArrayRef(ArgumentValues, ArgumentCount));
}
