//===- thermocline/Compare.cpp - The compare command ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs two builds in turns. One run of each comes first and does not count: it
// fills caches, and says what the others are to print. Pairs of runs for times
// follow, then pairs for memory, which cost more time. In every second pair the
// other build is first.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Memory.h"
#include "PairedRatio.h"
#include "Terminal.h"
#include "Tools.h"
#include "TwoGroups.h"
#include "thermocline/Placement/WorkingSet.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/ProgramReader.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/FileRoles.h"
#include "thermocline/Support/Tools/Gates.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"
#include <array>
#include <cmath>
#include <cstdlib>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

namespace {

/// Windows of a run, each an equal share of its processor time.
constexpr unsigned WindowsOfRun = 8;
/// Shorter windows would mostly hold the counting itself.
constexpr double LeastWindowSeconds = 0.005;
/// This much of standard error is shown of a run that fails.
constexpr size_t ShownLines = 10;

enum Measure : uint8_t { Processor, Wall, Touched, Peak, Final, NumMeasures };

struct MeasureText {
  /// In text and as a key.
  StringRef Name, Key;
  bool IsMemory;
};
constexpr MeasureText Measures[NumMeasures] = {
    {"processor time", "processorSeconds", false},
    {"wall time", "wallSeconds", false},
    {"pages touched", "touchedBytes", true},
    {"peak RSS", "peakRssBytes", true},
    {"final RSS", "finalRssBytes", true},
};

/// One of the two programs.
struct Build {
  std::string Name;
  ShellCommand Line;
  std::array<std::vector<double>, NumMeasures> Values;
  /// How its first run ended, and the file with what that printed.
  Ending How;
  std::string Said;
  /// Whether it has Thermocline's allocator. Not known of what has neither that
  /// nor hinted calls that want it: it may have another.
  std::optional<bool> HasColdHeap;
  /// Another linker than Thermocline's made its code, or it has native code of
  /// fat objects.
  bool MayLackHints = false;
  /// Whether its small objects lie in order of allocation, as its allocator
  /// said at the end of a run.
  std::optional<bool> InOrder;
};

class Comparison {
public:
  explicit Comparison(const CompareCommand &Command) : Command(Command) {}
  /// Sets \p HasGrown as runCompare() does.
  Error run(bool &HasGrown);

private:
  Error setUp(Build &Each, StringRef Program, StringRef Name);
  Error checkFiles() const;
  Error checkInput() const;
  Error readPrediction();
  void lookForColdHeap(Build &Each, StringRef Path) const;
  bool bringsAllocatorToBoth() const;
  void lookForOrder(Build &Each, StringRef Statistics) const;
  bool environmentSaysOrder() const;
  void printOrder(raw_ostream &OS) const;
  Error tryOnce(Build &Each);
  Error measureTime(Build &Each);
  Error measureMemory(Build &Each);
  Error runPairs(unsigned Pairs, Error (Comparison::*Measure)(Build &));
  Error checkEnding(const Build &Each, Ending How) const;
  Error checkOutput(const Build &First, const Build &Second,
                    StringRef Said) const;
  Table measures() const;
  std::vector<Cell> predictedRow() const;
  void print() const;
  PairedRatio ratio(Measure M) const {
    return pairedRatio(Builds[0].Values[M], Builds[1].Values[M]);
  }
  std::vector<GateResult> whatHasGrown() const;

  const CompareCommand &Command;
  std::optional<TemporaryDirectory> Scratch;
  std::array<Build, 2> Builds;
  /// What the profile predicts to be touched within windows, if one is given.
  std::optional<placement::WorkingSet> Predicted;
  Progress Shown;
  unsigned Done = 0;
  double SecondsOfPair = 0;
};

} // namespace

/// Whether a text of the environment or the command has the allocator loaded.
static bool bringsAllocator(const char *Text) {
  return Text && StringRef(Text).contains("libthermocline_alloc.so");
}

Error Comparison::setUp(Build &Each, StringRef Program, StringRef Name) {
  std::string Path;
  if (Error E = findProgram(Program).moveInto(Path))
    return E;
  if (Command.Template.empty()) {
    Each.Line.Words = {Path};
    append_range(Each.Line.Words, Command.Arguments);
  } else {
    BumpPtrAllocator Memory;
    StringSaver Saver(Memory);
    SmallVector<const char *, 16> Words;
    cl::TokenizeGNUCommandLine(Command.Template, Saver, Words);
    for (StringRef Word : Words) {
      std::string Text;
      while (!Word.empty()) {
        auto [Before, After] = Word.split("{}");
        Text += Before;
        if (Before.size() != Word.size())
          Text += Path;
        Word = After;
      }
      Each.Line.Words.push_back(std::move(Text));
    }
  }
  Each.Name = Program.str();
  if (profile::ProgramReader().isBuiltForProfiles(Path))
    return fileError(Program, "it is built for profiles, and spends its time "
                              "counting: compare a build without "
                              "thermocline-generate.cfg");
  lookForColdHeap(Each, Path);
  Each.Line.Input = Command.Input;
  Each.Line.Output = Scratch->path() + "/" + Name.str() + ".out";
  Each.Line.Errors = Scratch->path() + "/errors";
  Each.Said = Scratch->path() + "/" + Name.str() + ".first";
  return Error::success();
}

/// The results must not be written onto what is read.
Error Comparison::checkFiles() const {
  FileRoles Files;
  Files.writes(Command.JUnitFile, "the file of --junit");
  Files.uses(Command.Before, "the program before");
  Files.uses(Command.After, "the program after");
  Files.uses(Command.Input, "the file of --stdin");
  Files.uses(Command.Profile, "the profile");
  return Files.check();
}

/// Each run is to read the same, so that a stream, which can be read only once,
/// is of no use. Nothing can be read of /dev/null at any time.
Error Comparison::checkInput() const {
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Command.Input, Status))
    return fileError(Command.Input, EC.message());
  if (sys::fs::is_regular_file(Status) ||
      sys::fs::equivalent(Command.Input, "/dev/null"))
    return Error::success();
  return fileError(Command.Input,
                   "is no regular file: --stdin is read again in each run, so "
                   "put what is to be read into a file");
}

Error Comparison::readPrediction() {
  if (Command.Profile.empty())
    return Error::success();
  auto Profile = profile::IndexedProfile::open(Command.Profile);
  if (!Profile)
    return Profile.takeError();
  const std::optional<placement::Prediction> Known = (*Profile)->predicted();
  if (!Known)
    return fileError(Command.Profile, "does not say when memory was touched, "
                                      "so it predicts nothing");
  Predicted = Known->AtWindow;
  return Error::success();
}

/// Whether what both builds run in has the allocator.
bool Comparison::bringsAllocatorToBoth() const {
  return bringsAllocator(std::getenv("LD_PRELOAD")) ||
         bringsAllocator(Command.Template.c_str());
}

/// Says so if hinted calls of the build, which is at \p Path, have no cold
/// heap, or if its link lost hints: then no difference is one of hints.
void Comparison::lookForColdHeap(Build &Each, StringRef Path) const {
  auto Facts = expectedToOptional(profile::ProgramReader().facts(Path));
  if (!Facts)
    return;
  if (Facts->hasAllocator())
    Each.HasColdHeap = true;
  else if (!Facts->HintsWithoutHeap.empty())
    Each.HasColdHeap = bringsAllocatorToBoth();
  Each.MayLackHints = Facts->MayLackHints || Facts->HasNativeCode;
  if (Facts->HasNativeCode)
    warning() << Each.Name
              << ": it lacks hints of the heap profile, as native code of fat "
                 "objects was linked: link their bitcode "
                 "(--fat-lto-objects; llvm-strip removes it)\n";
  else if (Each.MayLackHints)
    warning() << Each.Name
              << ": it may lack hints of the heap profile, as another linker "
                 "than Thermocline's made its code: link with "
                 "thermocline-use.cfg, and without another --ld-path=\n";
  if (Each.HasColdHeap.value_or(true))
    return;
  warning() << Each.Name
            << ": its hinted calls get ordinary memory, as it has no cold "
               "heap: add "
            << libraryOrName(AllocatorArchive) << " to its link\n";
}

/// The end of what is in the file \p Path, for an error.
static std::string lastLines(StringRef Path) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return "";
  SmallVector<StringRef, 0> Lines;
  (*Text)->getBuffer().rtrim('\n').split(Lines, '\n');
  std::string Result;
  for (StringRef Line : ArrayRef(Lines).take_back(ShownLines))
    if (!Line.empty())
      Result += ("\n  " + Line).str();
  return Result;
}

Error Comparison::checkEnding(const Build &Each, Ending How) const {
  if (How.Signal)
    return fileError(Each.Name, How.text() + lastLines(Each.Line.Errors));
  if (Command.IgnoreOutput || How == Each.How)
    return Error::success();
  return fileError(Each.Name, How.text() + ", and before with " +
                                  Twine(Each.How.Code) +
                                  ": --ignore-output compares all the same" +
                                  lastLines(Each.Line.Errors));
}

/// Where two different texts begin to differ: a line of both, counted from 1.
static std::string whereDifferent(StringRef One, StringRef Other) {
  for (unsigned Line = 1;; ++Line) {
    auto [OneLine, OneRest] = One.split('\n');
    auto [OtherLine, OtherRest] = Other.split('\n');
    if (OneLine != OtherLine)
      return ("line " + Twine(Line) + ", '" + OneLine.take_front(60) +
              "' and '" + OtherLine.take_front(60) + "'")
          .str();
    if (OneRest.empty() && OtherRest.empty())
      return ("the end of line " + Twine(Line)).str();
    One = OneRest;
    Other = OtherRest;
  }
}

Error Comparison::checkOutput(const Build &First, const Build &Second,
                              StringRef Said) const {
  if (Command.IgnoreOutput)
    return Error::success();
  auto One = MemoryBuffer::getFile(First.Said);
  auto Other = MemoryBuffer::getFile(Said);
  if (!One || !Other)
    return fileError(Said, "cannot be read");
  if ((*One)->getBuffer() == (*Other)->getBuffer())
    return Error::success();
  const std::string Where =
      whereDifferent((*One)->getBuffer(), (*Other)->getBuffer());
  if (&First == &Second)
    return fileError(First.Name, "prints other things in each run, first in " +
                                     Where +
                                     ": --ignore-output compares all the same");
  return fileError(Second.Name, "prints other things than " + First.Name +
                                    ", first in " + Where +
                                    ": --ignore-output compares all the same");
}

/// What tells the allocator whether small objects lie in order, and where to
/// write its statistics (docs/allocator.md).
static constexpr const char *OrderVariable = "THERMOCLINE_ALLOC_ORDER";
static constexpr const char *StatisticsVariable = "THERMOCLINE_ALLOC_STATS";

/// Reads the file of statistics, if the run has written it.
void Comparison::lookForOrder(Build &Each, StringRef Statistics) const {
  auto Text = MemoryBuffer::getFile(Statistics);
  if (Text && (*Text)->getBuffer().contains(" heap=cold "))
    Each.InOrder = (*Text)->getBuffer().contains(" heap=order ");
}

/// Whether the environment of the runs says how small objects lie. Else the
/// program does, into which its link or its source has put it.
bool Comparison::environmentSaysOrder() const {
  const char *Value = std::getenv(OrderVariable);
  return (Value && *Value) ||
         StringRef(Command.Template).contains(OrderVariable);
}

void Comparison::printOrder(raw_ostream &OS) const {
  const std::string Why = environmentSaysOrder()
                              ? std::string(OrderVariable) + " says"
                              : "it was built";
  for (const Build &Each : Builds)
    if (Each.InOrder.value_or(false))
      OS << "Small objects of " << Each.Name
         << " lie in order of allocation, as " << Why << '\n';
}

Error Comparison::tryOnce(Build &Each) {
  printCommand(Command.Verbose, Each.Line);
  ShellCommand Line = Each.Line;
  Line.Output = Each.Said;
  const std::string Statistics = Each.Said + ".statistics";
  if (Each.HasColdHeap.value_or(false) && !std::getenv(StatisticsVariable))
    Line.Environment.emplace_back(StatisticsVariable, Statistics);
  Expected<EndedRun> Run = front::run(Line);
  if (!Run)
    return Run.takeError();
  lookForOrder(Each, Statistics);
  Each.How = Run->How;
  SecondsOfPair += Run->WallSeconds;
  return checkEnding(Each, Run->How);
}

Error Comparison::measureTime(Build &Each) {
  printCommand(Command.Verbose, Each.Line);
  Expected<EndedRun> Run = front::run(Each.Line);
  if (!Run)
    return Run.takeError();
  if (Error E = checkEnding(Each, Run->How))
    return E;
  Each.Values[Processor].push_back(Run->ProcessorSeconds);
  Each.Values[Wall].push_back(Run->WallSeconds);
  return checkOutput(Each, Each, Each.Line.Output);
}

Error Comparison::measureMemory(Build &Each) {
  printCommand(Command.Verbose, Each.Line);
  const double Window = std::max(median(Each.Values[Processor]) / WindowsOfRun,
                                 LeastWindowSeconds);
  Expected<MemoryOfRun> Run = runForMemory(Each.Line, Window);
  if (!Run)
    return fileError(Each.Name, "memory cannot be looked at (" +
                                    toString(Run.takeError()) +
                                    "): --memory-pairs=0 leaves it out");
  if (Error E = checkEnding(Each, Run->How))
    return E;
  Each.Values[Touched].push_back(Run->meanTouched());
  Each.Values[Peak].push_back(static_cast<double>(Run->Peak.count()));
  Each.Values[Final].push_back(static_cast<double>(Run->Final.count()));
  return checkOutput(Each, Each, Each.Line.Output);
}

Error Comparison::runPairs(unsigned Pairs,
                           Error (Comparison::*Measure)(Build &)) {
  const unsigned All = 2 * (Command.Pairs + Command.MemoryPairs);
  for (unsigned Pair = 0; Pair != Pairs; ++Pair)
    for (unsigned I = 0; I != 2; ++I) {
      Build &Each = Builds[(Pair + I) % 2];
      const double Left = (All - Done) / 2.0 * SecondsOfPair;
      ++Done;
      if (!Command.Verbose)
        Shown.step("run " + Twine(Done) + "/" + Twine(All) + ": " + Each.Name +
                   ", about " + formatCount(truncated(Left) + 1) + " s left");
      if (Error E = (this->*Measure)(Each))
        return E;
    }
  return Error::success();
}

//===-- Results -----------------------------------------------------------===//

static StringRef differenceKey(Difference D) {
  switch (D) {
  case Difference::Unknown:
    return "unknown";
  case Difference::None:
    return "none";
  case Difference::Less:
    return "less";
  case Difference::More:
    return "more";
  }
  llvm_unreachable("no difference");
}

static Cell differenceText(Difference D) {
  switch (D) {
  case Difference::Unknown:
    return "too few pairs for an interval";
  case Difference::None:
    return "no difference can be seen";
  case Difference::Less:
    return Cell("less", Cell::Tone::Good);
  case Difference::More:
    return Cell("more", Cell::Tone::Bad);
  }
  llvm_unreachable("no difference");
}

static std::string ratioText(double Value) {
  std::string Result;
  raw_string_ostream(Result) << format("%.3f", Value);
  return Result;
}

/// What --fail-over finds of each measure that there is.
std::vector<GateResult> Comparison::whatHasGrown() const {
  std::vector<GateResult> Results;
  if (!Command.FailOver)
    return Results;
  for (Measure M : {Processor, Wall, Touched, Peak, Final}) {
    if (Builds[0].Values[M].empty())
      continue;
    GateResult &Result = Results.emplace_back();
    Result.Name = Measures[M].Name;
    Result.HasFailed = ratio(M).isAbove(1 + *Command.FailOver / 100);
    const auto [Low, High] = *ratio(M).Interval;
    raw_string_ostream(Result.Seen)
        << Measures[M].Name << " of " << Builds[1].Name
        << (Result.HasFailed ? " has grown by more than "
                             : " has not grown by more than ")
        << format("%g", *Command.FailOver) << " %: " << ratioText(Low) << " to "
        << ratioText(High) << " times that of " << Builds[0].Name;
  }
  return Results;
}

/// A row of the table of measures.
std::vector<Cell> Comparison::predictedRow() const {
  const placement::WorkingSet &Set = *Predicted;
  Cell Ratio, Range, Low, High;
  if (Set.Before > 0) {
    const double Is = Set.After / Set.Before;
    const double Half = profile::StandardErrors95 * Set.Errors.SavedPart;
    Ratio = Is;
    if (!Set.isExact()) {
      Low = std::max(Is - Half, 0.0);
      High = Is + Half;
      Range =
          ratioText(std::max(Is - Half, 0.0)) + " to " + ratioText(Is + Half);
    }
  }
  std::vector<Cell> Row = {"  predicted",
                           "predictedTouchedBytes",
                           Cell(Set.Before, ColumnKind::Bytes),
                           Cell(Set.After, ColumnKind::Bytes),
                           Ratio,
                           Range,
                           Low,
                           High,
                           "for its objects, by " + Command.Profile,
                           Cell(),
                           std::vector<double>(),
                           std::vector<double>()};
  if (Command.FailOver)
    Row.push_back(Cell());
  return Row;
}

Table Comparison::measures() const {
  constexpr ColumnKind Text = ColumnKind::Text, Number = ColumnKind::Ratio;
  constexpr Audience People = Audience::People, Programs = Audience::Programs;
  Table Result = {.Key = "measures",
                  .As = Table::Shape::ByFirst,
                  .Columns = {{"", "", Text, People},
                              {"", "measure", Text, Programs},
                              {"before", "before", Number},
                              {"after", "after", Number},
                              {"ratio", "ratio", Number},
                              {"95 % interval", "", Text, People},
                              {"", "low", Number, Programs},
                              {"", "high", Number, Programs},
                              {"", "", Text, People},
                              {"", "difference", Text, Programs},
                              {"", "beforeRuns", Number, Programs},
                              {"", "afterRuns", Number, Programs}}};
  if (Command.FailOver)
    Result.Columns.push_back({"", "hasGrown", Text, Programs});
  for (auto [I, M] : enumerate(Measures)) {
    const std::vector<double> &Before = Builds[0].Values[I];
    const std::vector<double> &After = Builds[1].Values[I];
    if (Before.empty())
      continue;
    const ColumnKind Unit =
        M.IsMemory ? ColumnKind::Bytes : ColumnKind::Seconds;
    const PairedRatio Ratio = ratio(Measure(I));
    Cell Range, Low, High;
    if (Ratio.Interval) {
      Low = Ratio.Interval->first;
      High = Ratio.Interval->second;
      Range = ratioText(Ratio.Interval->first) + " to " +
              ratioText(Ratio.Interval->second);
    }
    std::vector<Cell> Row = {M.Name,
                             M.Key,
                             Cell(median(Before), Unit),
                             Cell(median(After), Unit),
                             Ratio.Median,
                             Range,
                             Low,
                             High,
                             differenceText(Ratio.difference()),
                             differenceKey(Ratio.difference()),
                             Before,
                             After};
    if (Command.FailOver)
      Row.push_back(Ratio.isAbove(1 + *Command.FailOver / 100));
    Result.add(std::move(Row));
    if (I == Touched && Predicted)
      Result.add(predictedRow());
  }
  return Result;
}

void Comparison::print() const {
  raw_ostream &OS = outs();
  if (Command.Format != TableFormat::Text) {
    Table Programs = {.As = Table::Shape::ByFirst,
                      .Columns = {{"", "build"},
                                  {"", "program"},
                                  {"", "command"},
                                  {"", "exitCode"},
                                  {"", "coldHeap"},
                                  {"", "mayLackHints"},
                                  {"", "smallObjects"},
                                  {"", "smallObjectsBy"}}};
    for (const Build &Each : Builds)
      Programs.add(
          {&Each == &Builds[0] ? "before" : "after", Each.Name, Each.Line.Words,
           Each.How.Code, Each.HasColdHeap, Each.MayLackHints,
           Each.InOrder ? Cell(*Each.InOrder ? "order" : "classes") : Cell(),
           Each.InOrder ? Cell(environmentSaysOrder() ? "environment" : "build")
                        : Cell()});
    writeFor(Command.Format,
             {facts({{"version", 1}}), Programs,
              facts({{"pairs", Command.Pairs},
                     {"memoryPairs", Command.MemoryPairs}}),
              measures()},
             OS);
    return;
  }
  OS << "Before: " << Builds[0].Name << "\nAfter:  " << Builds[1].Name << '\n'
     << formatCount(Command.Pairs, "pair") << " of runs for times, "
     << (Command.MemoryPairs ? formatCount(Command.MemoryPairs, "pair")
                             : std::string("none"))
     << " for memory\nbefore, after: medians of the runs; ratio: the median "
        "of after / before in each pair\n";
  const bool BeforeHasHeap = Builds[0].HasColdHeap.value_or(false);
  if (BeforeHasHeap != Builds[1].HasColdHeap.value_or(false) &&
      !bringsAllocatorToBoth())
    OS << "Only " << Builds[BeforeHasHeap ? 0 : 1].Name
       << " has Thermocline's allocator: this compares allocators as well as "
          "hints\n";
  printOrder(OS);
  OS << '\n';
  const bool HasColors = hasColors(OS);
  OS.enable_colors(HasColors);
  measures().writeText(OS, {.HasColors = HasColors});
  for (const Build &Each : Builds)
    if (auto Groups = findTwoGroups(Each.Values[Processor]))
      OS << "\nRuns of " << Each.Name
         << " take one of two processor times, near "
         << format("%.1f and %.1f ms", Groups->Low * 1000, Groups->High * 1000)
         << ": the ratio depends on how many of each came\n";
}

Error Comparison::run(bool &HasGrown) {
  Expected<TemporaryDirectory> Made = TemporaryDirectory::create();
  if (!Made)
    return Made.takeError();
  Scratch.emplace(std::move(*Made));
  if (Error E = setUp(Builds[0], Command.Before, "before"))
    return E;
  if (Error E = setUp(Builds[1], Command.After, "after"))
    return E;
  if (Error E = checkFiles())
    return E;
  if (Error E = checkInput())
    return E;
  if (Error E = readPrediction())
    return E;
  SignalRelay Relay;
  if (Command.Verbose)
    errs() << "mkdir -p " << shellWord(Scratch->path()) << '\n';
  for (Build &Each : Builds) {
    if (!Command.Verbose)
      Shown.step("first run of " + Each.Name);
    if (Error E = tryOnce(Each))
      return E;
  }
  if (!Command.IgnoreOutput && Builds[0].How != Builds[1].How)
    return fileError(Builds[1].Name,
                     Builds[1].How.text() + ", and " + Builds[0].Name +
                         " with " + Twine(Builds[0].How.Code) +
                         ": --ignore-output compares all the same" +
                         lastLines(Builds[1].Line.Errors));
  if (Error E = checkOutput(Builds[0], Builds[1], Builds[1].Said))
    return E;
  if (Error E = runPairs(Command.Pairs, &Comparison::measureTime))
    return E;
  if (Error E = runPairs(Command.MemoryPairs, &Comparison::measureMemory))
    return E;
  Shown.clear();
  if (Command.Verbose)
    errs() << "rm -r " << shellWord(Scratch->path()) << '\n';
  print();
  outs().flush();
  const std::vector<GateResult> Gates = whatHasGrown();
  for (const GateResult &Each : Gates)
    if (Each.HasFailed) {
      HasGrown = true;
      errs() << "thermocline: " << Each.Seen << '\n';
    }
  return Command.JUnitFile.empty()
             ? Error::success()
             : writeJUnit(Command.JUnitFile, "thermocline compare", Gates);
}

Error front::runCompare(const CompareCommand &Command, bool &HasGrown) {
  return Comparison(Command).run(HasGrown);
}
