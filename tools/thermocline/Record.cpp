//===- thermocline/Record.cpp - The record command ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program so that its raw profiles go to a directory of their own,
// merges them, and says what the profile has and what hints would gain.
// Standard output is the program's; all that is said goes to standard error.
//
//===----------------------------------------------------------------------===//

#include "Binaries.h"
#include "Commands.h"
#include "RecordAdvice.h"
#include "RunningProcess.h"
#include "Terminal.h"
#include "Tools.h"
#include "thermo-profdata/Commands.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Indexed/Merger.h"
#include "thermocline/Profile/Program/ProgramReader.h"
#include "thermocline/Profile/RecordedRuns.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/FileRoles.h"
#include "thermocline/Support/OutputFile.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;
using profdata::Verdict;

namespace {

class Recording {
public:
  Recording(const RecordCommand &Command, std::optional<Ending> &How)
      : Command(Command), How(How), Program(Command.Program) {}

  Error run();
  /// Lets this process end by a signal that has come since the program ended.
  void heedSignal();

private:
  bool isInterrupted() const { return Relay && Relay->last(); }
  Error check();
  Error makeRawDirectory();
  Expected<std::string> preloadedPath(StringRef Library) const;
  Expected<ShellCommand> programCommand();
  Error runProgram();
  Error findProcess();
  Error recordProcess();
  void update();
  Error collect();
  Error whyNothing() const;
  Error listRawFiles();
  void printOnRaw(ShellCommand Line) const;
  Error merge();
  void keepRawFiles();
  void advise();
  size_t numLeftOut() const;
  Error writeJson();

  const RecordCommand &Command;
  std::optional<Ending> &How;
  /// The program and its arguments.
  std::vector<std::string> Program;
  /// The file that is run.
  std::string ProgramPath;
  /// The process, where it is not started here.
  std::optional<RunningProcess> Process;
  std::optional<TemporaryDirectory> Scratch;
  /// From the start of the program on, or the end of the process's recording.
  std::optional<SignalRelay> Relay;
  std::string RawDirectory;
  std::vector<std::string> RawFiles;
  /// The file that names them, or empty.
  std::string RawList;
  std::optional<Binaries> Found;
  /// Whether the profile has all of them.
  bool IsMerged = false;
  double Seconds = 0;
  /// The path of thermo-profdata.
  std::string MergeTool;
  /// Nothing if there is no advice.
  std::optional<profdata::AdviceGiven> Advice;
  /// The profile that was written; null if it cannot be read.
  std::unique_ptr<profile::IndexedProfile> Profile;
};

} // namespace

/// Writes \p Words to the response file \p Path, one a line.
static Error writeList(StringRef Path, ArrayRef<std::string> Words) {
  return writeFileAtomically(Path, [&](raw_ostream &OS) {
    for (const std::string &Word : Words) {
      for (char C : Word) {
        // What separates words, or quotes.
        if (isSpace(C) || StringRef("'\"\\").contains(C))
          OS << '\\';
        OS << C;
      }
      OS << '\n';
    }
    return Error::success();
  });
}

Error Recording::check() {
  if (Command.ProcessId)
    if (Error E = findProcess())
      return E;
  if (Error E = findProgram(Program.front()).moveInto(ProgramPath))
    return E;
  FileRoles Files;
  Files.writes(Command.Output);
  Files.uses(ProgramPath, "the program");
  for (const std::string &Each : Command.Binaries) {
    if (!sys::fs::exists(Each))
      return fileError(Each, "there is no such file of --binary");
    Files.uses(Each, "the file of --binary");
  }
  // What is not there yet is nothing that the program reads.
  if (sys::fs::is_regular_file(Command.Output))
    for (const std::string &Word : ArrayRef(Program).drop_front())
      Files.usesWord(Word, "", "a file that the command names");
  if (Command.Output == "-")
    return fileError("-o", "a profile cannot go to standard output, which is "
                           "the program's");
  return Files.check();
}

Error Recording::makeRawDirectory() {
  Expected<TemporaryDirectory> Made = TemporaryDirectory::create();
  if (!Made)
    return Made.takeError();
  Scratch.emplace(std::move(*Made));
  SmallString<128> Path(Command.RawDirectory.empty()
                            ? StringRef(Scratch->path())
                            : StringRef(Command.RawDirectory));
  if (std::error_code EC = sys::fs::make_absolute(Path))
    return fileError(Path, EC.message());
  if (Command.RawDirectory.empty())
    sys::path::append(Path, "raw");
  if (std::error_code EC = sys::fs::create_directory(Path))
    return fileError(Path, EC.message());
  if (!sys::fs::is_directory(Path))
    return fileError(Path, "is no directory, which --raw needs for the raw "
                           "profiles");
  std::error_code EC;
  const bool HasFiles =
      sys::fs::directory_iterator(Path, EC) != sys::fs::directory_iterator();
  if (!EC)
    EC = sys::fs::access(Path, sys::fs::AccessMode::Write);
  if (EC)
    return fileError(Path, EC.message());
  if (HasFiles)
    return fileError(Path, "is not empty, and would mix profiles of other "
                           "runs with those of this one");
  RawDirectory = Path.str();
  if (Command.Verbose)
    errs() << "mkdir -p " << shellWord(RawDirectory) << '\n';
  return Error::success();
}

/// All but these are as fast as without a profile.
static constexpr unsigned LiveSample = 100;

/// In thousandths: a recording ends, and is to tell much.
static constexpr unsigned LiveTouchCost = 30;

/// What MEMPROF_OPTIONS is to be, with all that the user has set but the name.
static Expected<std::string> runtimeOptions(StringRef Given,
                                            const RecordCommand &Command,
                                            StringRef RawDirectory) {
  std::string Result;
  auto Add = [&](const Twine &Option) {
    if (!Result.empty())
      Result += ':';
    Result += Option.str();
  };
  // The last of two that are equal counts.
  if (Command.Live)
    Add("sample=" + Twine(LiveSample) + ":touch_cost=" + Twine(LiveTouchCost));
  if (!Given.empty())
    Add(Given);
  if (Given.contains("log_path="))
    warning() << "log_path of MEMPROF_OPTIONS is not used: record collects "
                 "the raw profiles itself (--raw=DIRECTORY keeps them)\n";
  if (Command.SampleInterval)
    Add("sample=" + Twine(Command.SampleInterval));
  if (Command.Live)
    Add("page_touches=1");
  if (Command.TouchCost)
    Add("touch_cost=" + Twine(Command.TouchCost));
  // A per cent sign begins a pattern.
  std::string Path;
  for (char C : RawDirectory)
    Path += C == '%' ? "%%" : std::string(1, C);
  Path += "/raw";
  StringRef Quote;
  if (StringRef(Path).find_first_of(":, \t\n\r'\"") != StringRef::npos)
    Quote = StringRef(Path).contains('\'') ? "\"" : "'";
  if (!Quote.empty() && StringRef(Path).contains(Quote))
    return fileError(RawDirectory, "has both kinds of quotes in its name, "
                                   "which MEMPROF_OPTIONS cannot hold");
  Add("log_path=" + Quote + Path + Quote);
  return Result;
}

/// The path by which the loader finds \p Library: it takes LD_PRELOAD apart at
/// spaces and colons, and has no quotes.
Expected<std::string> Recording::preloadedPath(StringRef Library) const {
  constexpr char Separators[] = " :";
  if (Library.find_first_of(Separators) == StringRef::npos)
    return Library.str();
  SmallString<128> Link(Scratch->path());
  sys::path::append(Link, sys::path::filename(Library));
  if (Link.find_first_of(Separators) != StringRef::npos)
    return fileError(Library, "the loader takes no path with a space or a "
                              "colon, and the folder for temporary files has "
                              "one, too: set TMPDIR to another");
  if (std::error_code EC = sys::fs::create_link(Library, Link))
    return fileError(Link, EC.message());
  if (Command.Verbose)
    errs() << "ln -s " << shellWord(Library) << ' ' << shellWord(Link) << '\n';
  return Link.str().str();
}

Expected<ShellCommand> Recording::programCommand() {
  ShellCommand Result;
  Result.Words = Program;
  Result.OutToError = Command.Json;
  const char *Given = std::getenv("MEMPROF_OPTIONS");
  auto Options = runtimeOptions(Given ? Given : "", Command, RawDirectory);
  if (!Options)
    return Options.takeError();
  Result.Environment.emplace_back("MEMPROF_OPTIONS", std::move(*Options));
  if (Command.Preload || Command.Live) {
    auto Library = findLibrary("libthermocline_preload.so");
    if (!Library)
      return Library.takeError();
    auto Path = preloadedPath(*Library);
    if (!Path)
      return Path.takeError();
    const char *Others = std::getenv("LD_PRELOAD");
    Result.Environment.emplace_back(
        "LD_PRELOAD",
        *Path + (Others && *Others ? ":" + std::string(Others) : ""));
  }
  return Result;
}

Error Recording::runProgram() {
  Expected<ShellCommand> Line = programCommand();
  if (!Line)
    return Line.takeError();
  printCommand(Command.Verbose, *Line);
  errs().flush();
  Relay.emplace();
  Expected<EndedRun> Run = front::run(*Line, Command.ForSeconds);
  // What came until now was meant for the program.
  Relay->forget();
  if (!Run)
    return Run.takeError();
  How = Run->How;
  // That is what was asked for.
  if (Command.ForSeconds && How->Signal == SIGTERM &&
      Run->WallSeconds >= *Command.ForSeconds)
    How = Ending();
  Seconds = Run->WallSeconds;
  return Error::success();
}

/// Takes the program's file for what is to be read of it.
Error Recording::findProcess() {
  Expected<RunningProcess> Found = RunningProcess::find(Command.ProcessId);
  if (!Found)
    return Found.takeError();
  Process.emplace(std::move(*Found));
  Program = {Process->program()};
  return Error::success();
}

Error Recording::recordProcess() {
  const std::string Path =
      RawDirectory + "/raw." + std::to_string(Command.ProcessId);
  const unsigned Interval =
      Command.SampleInterval ? Command.SampleInterval : LiveSample;
  const unsigned Cost = Command.TouchCost ? Command.TouchCost : LiveTouchCost;
  const Interrupts Signals;
  for (unsigned Number = 1;; ++Number) {
    const auto Begin = std::chrono::steady_clock::now();
    auto Took = Process->record(
        Command.EverySeconds ? Path + "." + std::to_string(Number) : Path,
        Interval, Cost, Command.ForSeconds, Signals);
    if (Took) {
      IsMerged = false;
      Seconds += Took->Seconds;
    } else if (Number == 1) {
      return Took.takeError();
    } else if (Error E = Took.takeError();
               Process->wait(0, Signals) == Interrupts::Why::TimeIsOver) {
      warning() << toString(std::move(E)) << '\n';
    } else {
      consumeError(std::move(E));
      break;
    }
    if (!Command.EverySeconds || (Took && Took->IsInterrupted))
      break;
    update();
    const std::chrono::duration<double> Passed =
        std::chrono::steady_clock::now() - Begin;
    if (Process->wait(*Command.EverySeconds - Passed.count(), Signals) !=
        Interrupts::Why::TimeIsOver)
      break;
  }
  How = Ending();
  return Error::success();
}

/// Brings the profile up to date between two recordings.
void Recording::update() {
  if (IsMerged)
    return;
  Error Failed = collect();
  if (!Failed)
    Failed = merge();
  IsMerged = !Failed;
  if (Failed)
    warning() << toString(std::move(Failed))
              << "; the profile is written again after the next recording\n";
}

/// Whether the program has hinted calls, or the allocator for these.
static bool isOptimized(StringRef Program) {
  const auto Facts =
      expectedToOptional(profile::ProgramReader().facts(Program));
  return Facts && (Facts->hasAllocator() || !Facts->HintsWithoutHeap.empty());
}

Error Recording::whyNothing() const {
  std::string Why;
  const char *Options = std::getenv("MEMPROF_OPTIONS");
  if (How->Signal == SIGKILL)
    Why = "a killed program leaves a profile only with "
          "MEMPROF_OPTIONS=continuous=1";
  else if (!Command.Live && isOptimized(ProgramPath))
    Why = "it is built with a profile already: record the one that is built "
          "with --config=" +
          findConfig("thermocline-generate.cfg") +
          ", or give --live to profile it as it is";
  else if (Command.Preload || Command.Live)
    Why = std::string(Command.Live ? "--live" : "--preload") +
          " serves programs that are linked dynamically (without -static), "
          "have no allocator of their own, and no more rights than who starts "
          "them; see also what it says above";
  else if (profile::ProgramReader().isBuiltForProfiles(ProgramPath) &&
           StringRef(Options ? Options : "").contains("dump_at_exit=0"))
    Why = "MEMPROF_OPTIONS has dump_at_exit=0, so that it writes none when it "
          "ends; unset that to record it";
  else if (profile::ProgramReader().isBuiltForProfiles(ProgramPath))
    Why = "it is built for profiles, so see what it says above, and "
          "runtime.md for when a profile is written";
  else
    Why = "it is not built for profiles, nor is a program that it started: "
          "compile and link with --config=" +
          findConfig("thermocline-generate.cfg") +
          ", or give --live to profile it as it is";
  return fileError(Program.front(),
                   How->text() + " and wrote no raw profile: " + Why);
}

Error Recording::collect() {
  RawFiles.clear();
  RawList.clear();
  std::error_code EC;
  for (sys::fs::directory_iterator Each(RawDirectory, EC), End;
       Each != End && !EC; Each.increment(EC))
    // A hidden name is that of a file that is not complete.
    if (!sys::path::filename(Each->path()).starts_with("."))
      RawFiles.push_back(Each->path());
  if (EC)
    return fileError(RawDirectory, EC.message());
  llvm::sort(RawFiles);
  if (RawFiles.empty())
    return whyNothing();
  Progress Shown;
  Shown.step("looking for the binaries of " +
             formatCount(RawFiles.size(), "raw profile"));
  Expected<Binaries> Result =
      Binaries::find(RawFiles, Command.Binaries, Program);
  if (!Result)
    return Result.takeError();
  Shown.clear();
  Found = std::move(*Result);
  std::string Unknown;
  for (const auto &[Id, Count] : Found->unknownPrograms()) {
    if (!Unknown.empty())
      Unknown += ", ";
    Unknown += formatCount(Count) + " of " +
               (Id.empty() ? "a program without a build id" : "build id " + Id);
  }
  if (Unknown.empty())
    return Error::success();
  if (Found->usable().empty())
    return fileError(Program.front(),
                     "the program that wrote the raw profiles is not found: " +
                         Unknown + "; name it by --binary=FILE");
  warning() << formatCount(RawFiles.size() - Found->usable().size(),
                           "raw profile")
            << " left out, whose program is not found: " << Unknown
            << "; name it by --binary=FILE\n";
  return Error::success();
}

/// A command line holds so many raw profiles and more, but not any number; many
/// are in a file that names them.
Error Recording::listRawFiles() {
  constexpr size_t MostOnLine = 200;
  if (Found->usable().size() <= MostOnLine)
    return Error::success();
  RawList = Scratch->path() + "/raw-profiles";
  if (Command.Verbose && Found->unknownPrograms().empty())
    errs() << "printf '%s\\n' " << shellWord(RawDirectory) << "/* > "
           << shellWord(RawList) << '\n';
  return writeList(RawList, Found->usable());
}

/// Prints \p Line with the raw profiles. They have the numbers of processes in
/// their names, so what is printed names all files there are.
void Recording::printOnRaw(ShellCommand Line) const {
  if (!Command.Verbose)
    return;
  std::string Last;
  if (!RawList.empty())
    Line.Words.push_back("@" + RawList);
  else if (Found->unknownPrograms().empty())
    Last = shellWord(RawDirectory) + "/*";
  else
    append_range(Line.Words, Found->usable());
  errs() << Line.text(Last) << '\n';
}

Error Recording::merge() {
  Expected<std::string> Tool = findTool("thermo-profdata");
  if (!Tool)
    return Tool.takeError();
  MergeTool = *Tool;
  if (Error E = listRawFiles())
    return E;
  ShellCommand Line;
  Line.OutToError = true;
  Line.Words = {MergeTool, "merge"};
  append_range(Line.Words, Command.MergeOptions);
  if (!Command.NoCommand)
    Line.Words.push_back("--command=" +
                         profile::RecordedRuns::keptOf(
                             join(map_range(Program, shellWord), " ")));
  for (const std::string &Each : Found->paths())
    Line.Words.push_back("--binary=" + Each);
  Line.Words.insert(Line.Words.end(), {"-o", Command.Output});
  printOnRaw(Line);
  if (RawList.empty())
    append_range(Line.Words, Found->usable());
  else
    Line.Words.push_back("@" + RawList);
  errs().flush();
  Expected<EndedRun> Run = front::run(Line);
  if (!Run)
    return Run.takeError();
  // It has said why.
  return Run->How.isSuccess()
             ? Error::success()
             : fileError("thermo-profdata merge", Run->How.text());
}

/// The run may have taken long: what it left can be merged by hand.
void Recording::keepRawFiles() {
  if (RawFiles.empty())
    return;
  Scratch->keep();
  warning() << "the raw profiles are kept in " << RawDirectory << '\n';
}

void Recording::advise() {
  profdata::AdviseCommand Asked;
  Asked.Input = Command.Output;
  Asked.Binaries.Binaries = Found->paths();
  Asked.Runs = Found->usable();
  Asked.WarnsOfDamaged = false;
  Asked.Top = 3;
  ShellCommand Line;
  Line.Words = {MergeTool, "advise", "--top=3"};
  for (const std::string &Each : Found->paths())
    Line.Words.push_back("--binary=" + Each);
  Line.Words.push_back(Command.Output);
  printOnRaw(std::move(Line));
  Progress Shown;
  Shown.step("looking for what would help");
  auto Given = profdata::advise(Asked);
  Shown.clear();
  if (Given)
    Advice = std::move(*Given);
  else // The profile is none the worse.
    warning() << "no advice: " << toString(Given.takeError()) << '\n';
}

/// The raw profiles that are not in the profile: merge does without those that
/// are damaged, too, and counts the runs that it took.
size_t Recording::numLeftOut() const {
  const std::optional<profile::RunInfo> Runs = Profile->runInfo();
  const size_t Merged = Runs ? Runs->Runs : Found->usable().size();
  return RawFiles.size() - std::min(Merged, RawFiles.size());
}

Error Recording::writeJson() {
  // The figures are those of the summary of merge.
  profile::MergeOptions Options;
  Options.MemProfVersion = memprof::Version4;
  profile::Merger Merged(Options);
  if (Error E = Merged.add(Command.Output))
    return E;
  if (Error E = Merged.finishInputs())
    return E;
  if (Error E = Merged.decide())
    return E;
  const profile::MergeStatistics All = Merged.statistics({});
  std::optional<placement::Prediction> Predicted;
  if (All.Rule == profile::ColdRule::Pages)
    Predicted = Merged.predicted();
  using placement::WorkingSet;
  auto AtGoal = [&](double WorkingSet::*Field) {
    return Predicted ? Cell(truncated(Predicted->atGoal().*Field)) : Cell();
  };
  auto AtOther = [&](double WorkingSet::*Field) {
    return Predicted && Merged.touchGrid().hasBursts()
               ? Cell(truncated(Predicted->atOther().*Field))
               : Cell();
  };
  auto Texts = [](const auto &Each) {
    return std::vector<std::string>(Each.begin(), Each.end());
  };
  const StringRef Said = Advice ? StringRef(Advice->Text) : "";
  std::vector<std::pair<std::string, Cell>> Known = {
      {"version", 1},
      {"command", Program},
      {"exitCode", How->Signal ? Cell() : Cell(How->Code)},
      {"signal", How->Signal ? Cell(How->Signal) : Cell()},
      {"seconds", Seconds},
      {"profile", Command.Output},
      {"rawProfiles", RawFiles.size()},
      {"rawProfilesLeftOut", numLeftOut()},
      {"binaries", Texts(Found->paths())},
      {"contexts", All.All.Contexts},
      {"bytes", All.All.Size},
      {"coldContexts", All.Cold.Contexts},
      {"coldBytes", All.Cold.Size},
      {"goal", Predicted ? Cell(nameOf(Predicted->Goal)) : Cell()},
      {"workingSetBefore", AtGoal(&WorkingSet::Before)},
      {"workingSetAfter", AtGoal(&WorkingSet::After)},
      {"otherHorizonBefore", AtOther(&WorkingSet::Before)},
      {"otherHorizonAfter", AtOther(&WorkingSet::After)},
      {"smallObjects", placement::nameOf(Merged.orderVerdict().Choice)},
      {"verdict", Advice ? Cell(keyOf(Advice->Says)) : Cell()},
      {"advice", Texts(split(Said.rtrim('\n'), '\n'))}};
  if (!All.Errors.isExact()) {
    auto Interval = [](double Error) {
      return truncated(profile::StandardErrors95 * Error);
    };
    Known.push_back({"bytesInterval", Interval(All.Errors.ofAll())});
    Known.push_back({"coldBytesInterval", Interval(All.Errors.ofCold())});
    Known.push_back({"tooFewSamplesBytes", All.TooFew.Size});
  }
  if (Predicted)
    profdata::addIntervals(Predicted->atGoal(), Known);
  writeFor(TableFormat::Json, facts(std::move(Known)), outs());
  return Error::success();
}

Error Recording::run() {
  if (Error E = check())
    return E;
  if (Error E = makeRawDirectory())
    return E;
  if (Error E = Command.ProcessId ? recordProcess() : runProgram())
    return E;
  if (!Relay)
    Relay.emplace();
  if (!How->isSuccess())
    warning() << Program.front() << ": " << How->text() << '\n';
  if (!IsMerged) {
    Error Failed = collect();
    if (!Failed && isInterrupted())
      Failed = fileError("record", Ending{.Signal = Relay->last()}.text() +
                                       " before the raw profiles were merged");
    if (!Failed)
      Failed = merge();
    if (Failed) {
      keepRawFiles();
      return Failed;
    }
  }
  // The profile is there, and who sends a signal wants no more.
  if (isInterrupted())
    return Error::success();
  advise();
  if (isInterrupted())
    return Error::success();
  if (Command.Verbose && Command.RawDirectory.empty())
    errs() << "rm -r " << shellWord(Scratch->path()) << '\n';
  Error Unread =
      profile::IndexedProfile::open(Command.Output).moveInto(Profile);
  if (Command.Json)
    return Unread ? std::move(Unread) : writeJson();
  // People are told all that is known without it.
  consumeError(std::move(Unread));
  if (Advice)
    errs() << '\n' << Advice->Text;
  // Without advice, totals may have found something cold.
  sayWhatNext(Command, *Found, Advice ? Advice->Says : Verdict::Gain,
              Profile.get());
  return Error::success();
}

void Recording::heedSignal() {
  if (isInterrupted())
    How = Ending{.Signal = Relay->last()};
}

Error front::runRecord(const RecordCommand &Command,
                       std::optional<Ending> &How) {
  Recording Each(Command, How);
  Error Failed = Each.run();
  Each.heedSignal();
  return Failed;
}
