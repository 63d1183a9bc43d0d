//===- thermo-profdata/Advise.cpp - What can be gained, and why not more --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says what the program touches even with all hints, by the reason why hints do
// not help there, and what would.
//
//===----------------------------------------------------------------------===//

#include "Askers.h"
#include "ContextFilter.h"
#include "ContextList.h"
#include "DamagedInputs.h"
#include "PageReasons.h"
#include "PredictionLines.h"
#include "RawCalls.h"
#include "thermocline/Format/Symbols.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/Indexed/MergeInput.h"
#include "thermocline/Profile/Program/NeededLibraries.h"
#include "thermocline/Profile/Raw/RawIndexer.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/NamedAllocator.h"
#include "thermocline/Support/OutputFile.h"
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profdata;
using namespace thermocline::profile;

namespace {

/// The pages of a reason, in bytes, by the place of the allocation; and if that
/// is a funnel, those by who asks it.
struct PagesByPlace {
  double Pages = 0;
  std::map<std::string, PagesByPlace> Places = {};

  PagesByPlace &of(const std::string &Place, double Bytes) {
    PagesByPlace &Part = Places[Place];
    Part.Pages += Bytes;
    return Part;
  }
};

/// Bytes that were allocated where no call can be hinted.
struct OtherShare {
  double All = 0;
  /// The part that would be hinted.
  double Cold = 0;

  void add(double Size, bool IsCold) {
    All += Size;
    Cold += IsCold ? Size : 0;
  }
};
using OtherShares = std::map<std::string, OtherShare>;

/// Where something was allocated that is not instrumented code of the program
/// or of a library of its own.
struct OtherPlace {
  /// Empty if it is such code.
  std::string Object;
  /// The function of a shared library through which it was called from
  /// elsewhere; empty for other objects.
  std::string Function;
};

/// Bytes that were allocated, the part by code that was instrumented, and what
/// of that hints would be for.
struct Coverage {
  double All = 0;
  double Instrumented = 0;
  double InstrumentedCold = 0;
};

/// If less than this part is instrumented, nothing follows for the rest.
constexpr double LeastInstrumentedPart = 0.5;
/// More than this part is as good as all.
constexpr double NearlyAllPart = 0.9;
/// And so is all but this: what libraries take when a program starts, such as
/// libstdc++'s 71 KiB for exceptions and the buffers of standard streams, in
/// each run. It can be more than half of what a small program takes.
constexpr double FewBytes = 128 * 1024;

class Advice {
public:
  Advice(const AdviseCommand &Command, const ContextList &List,
         const FunctionNames &Names, const Askers &Who)
      : Command(Command), List(List), Names(Names), Who(Who) {}

  Error run(raw_ostream &OS);
  Verdict verdict() const;
  /// The advice for programs, as tables.
  std::vector<Table> tables() const;

private:
  Error measure();
  Error coverByProfile();
  void coverByRuns();
  /// Whether hints are predicted to make the working set smaller.
  bool isSmaller() const;
  bool runsAreLongEnough() const {
    return List.Profile->touchGrid().isLongEnough();
  }
  double instrumentedPart() const;
  double seenPart() const;
  void printCoverage(raw_ostream &OS) const;
  void printVerdict(raw_ostream &OS) const;
  Error addLibraries();
  void addContext(const ListedContext &C, const ContextShare &Share, bool Cold);
  void printReasons(raw_ostream &OS) const;
  void printLibraries(raw_ostream &OS) const;
  std::vector<size_t> reasonsBySize() const;
  /// Where pages of these reasons are allocated.
  Table placesOf(ArrayRef<size_t> Wanted) const;
  void addOthers(const OtherShares &Shares, StringRef Object,
                 Table &Rows) const;
  /// What was allocated where no call can be hinted.
  Table others() const;
  /// The libraries that the binaries need and that are not given.
  std::vector<std::string> findNeeded() const;
  void addRun(const RawProfile &Raw, const RawCalls &Calls);
  OtherPlace allocatingPlace(const RawCalls &Calls,
                             RawAddresses Addresses) const;
  /// Adds the places of \p Whole, most pages first. \p Funnel is what they ask,
  /// or empty.
  void addPlaces(const PagesByPlace &Whole, const PageExplanation &Why,
                 StringRef Funnel, Table &Rows) const;

  const AdviseCommand &Command;
  const ContextList &List;
  const FunctionNames &Names;
  const Askers &Who;
  PlacementOptions Placing;
  Placement Placed;
  OrderVerdict Order;
  /// Nothing if it is not known which code was instrumented.
  std::optional<Coverage> Covered;
  std::array<PagesByPlace, NumPageReasons> Reasons;
  /// Contexts of which nothing lived at the end of a window, and their bytes.
  ContextCount Unseen;
  /// All of them, and those that are not cold as sampling told too little.
  ContextCount All, TooFew;
  /// The contexts that hints are for.
  std::unordered_set<uint64_t> ColdIds;
  /// The functions of the program and its libraries that were instrumented, and
  /// the files from which they are known.
  CallTable Instrumented;
  StringSet<> TablesOf;
  /// What was allocated inside each shared library, and by each other function
  /// that was not instrumented.
  OtherShares Libraries;
  /// What was allocated inside each shared library, by its functions.
  std::map<std::string, OtherShares> LibraryFunctions;
};

} // namespace

static constexpr StringLiteral NothingCounted =
    "Nobody counted what its code accesses, so that nothing is known to be "
    "cold. Build it by thermocline-generate.cfg, and record that.\n";

static std::string bytesText(double Value) {
  return formatBytes(Bytes(truncated(Value)));
}

void Advice::addContext(const ListedContext &C, const ContextShare &Share,
                        bool Cold) {
  const Askers::Asker Is = Who.of(C);
  auto Add = [&](PageReason Why, double Pages) {
    if (Pages <= 0)
      return;
    PagesByPlace &Sum = Reasons[static_cast<size_t>(Why)];
    Sum.Pages += Pages;
    PagesByPlace &Place = Sum.of(Who.describe(*Is.First), Pages);
    if (Is.For)
      Place.of(Who.describe(*Is.For), Pages);
  };
  Add(reasonOfSmall(Share, Cold), Share.SmallPages);
  Add(reasonOfLarge(C), Share.LargePages);
}

Error Advice::measure() {
  Expected<TouchesById> Touches = List.touchesWithMeasures();
  if (!Touches)
    return Touches.takeError();
  Placing = List.Profile->decidedFor();
  Placing.Goal = Command.Goal.value_or(Placing.Goal);
  Placing.Phase = Command.Phase.value_or(Placing.Phase);
  Expected<Placement> Best = place(Touches->Touches, Placing);
  if (!Best)
    return inFile(Command.Input, Best.takeError());
  Placed = std::move(*Best);
  BitVector Hinted(Touches->Ids.size());
  std::unordered_map<uint64_t, size_t> Index;
  for (auto [I, Id] : enumerate(Touches->Ids)) {
    Index[Id] = I;
    if (Placed.Contexts[I].Cold) {
      Hinted.set(I);
      ColdIds.insert(Id);
    }
  }
  Expected<std::vector<BurstLayout>> Bursts = List.Profile->layouts();
  if (!Bursts)
    return Bursts.takeError();
  OrderCountsByPhase Counts =
      countBursts(*Bursts, [&](uint64_t Id) { return ColdIds.contains(Id); });
  countReplacement(
      Touches->Touches, [&](size_t I) { return Hinted[I]; }, Counts);
  Order = chooseOrder(Counts, Placing.Phase, !ColdIds.empty());
  Expected<std::vector<ContextShare>> Shares =
      shareOut(Touches->Touches, Hinted, Placing);
  if (!Shares)
    return Shares.takeError();
  Expected<FunctionFilter> Filter = FunctionFilter::create(Command.Function);
  if (!Filter)
    return Filter.takeError();
  for (const ListedContext &C : List.Contexts) {
    All.add(C.size());
    if (auto Known = Index.find(C.Id);
        Known != Index.end() && Placed.Contexts[Known->second].TooFew)
      TooFew.add(C.size());
  }
  for (const ListedContext &C : List.Contexts)
    if ((Command.ColdOnly && !ColdIds.contains(C.Id)) ||
        !Filter->matches(C, Names))
      continue;
    else if (auto Known = Index.find(C.Id); Known != Index.end())
      addContext(C, (*Shares)[Known->second], Hinted[Known->second]);
    else
      Unseen.add(C.size());
  return Error::success();
}

/// Without raw profiles, what the profile holds has to do: the calls of the
/// binaries it was merged with.
Error Advice::coverByProfile() {
  Expected<CallTable> Calls = List.Profile->calls();
  if (!Calls)
    return Calls.takeError();
  if (Calls->empty())
    return Error::success();
  Covered.emplace();
  for (const ListedContext &C : List.Contexts) {
    const auto Size = static_cast<double>(C.size().count());
    const bool IsInstrumented = Calls->hadFunction(C.Frames.front().Function);
    Covered->All += Size;
    Covered->Instrumented += IsInstrumented ? Size : 0;
    Covered->InstrumentedCold +=
        IsInstrumented && ColdIds.contains(C.Id) ? Size : 0;
  }
  return Error::success();
}

/// With them, all that is cold and not among the others is of instrumented
/// code.
void Advice::coverByRuns() {
  for (const ListedContext &C : List.Contexts)
    if (ColdIds.contains(C.Id))
      Covered->InstrumentedCold += static_cast<double>(C.size().count());
  for (const auto &[Object, Share] : Libraries) {
    Covered->Instrumented -= Share.All;
    Covered->InstrumentedCold -= Share.Cold;
  }
}

/// The part of the bytes that instrumented code allocated; all if it is not
/// known.
double Advice::instrumentedPart() const {
  return Covered && Covered->All > 0 ? Covered->Instrumented / Covered->All : 1;
}

/// What verdicts can stand on of the bytes that matter.
double Advice::seenPart() const {
  uint64_t Runs = Command.Runs.size();
  if (const std::optional<RunInfo> &Merged = List.Profile->runInfo();
      Merged && (!Runs || Command.Binaries.Binaries.empty()))
    Runs = Merged->Runs;
  const double Few = FewBytes * std::max<uint64_t>(Runs, 1);
  return Covered && Covered->All - Covered->Instrumented < Few
             ? 1
             : instrumentedPart();
}

bool Advice::isSmaller() const {
  const WorkingSet &Set = Placed.Predicted.atGoal();
  return Set.After < Set.Before;
}

Verdict Advice::verdict() const {
  // Totals decide then, and what is predicted is not what becomes of it. More
  // code that is built for profiles would not change that.
  if (!runsAreLongEnough())
    return Verdict::TooShort;
  const bool HintsGain =
      isSmaller() && (!Covered || Covered->InstrumentedCold > 0);
  if (!HintsGain && (isSmaller() || seenPart() < LeastInstrumentedPart))
    return Verdict::TooLittleInstrumented;
  if (!HintsGain &&
      !List.Profile->touchGrid().isLongEnoughForNoGain(Placing.Phase))
    return Verdict::TooShort;
  if (HintsGain && Placed.Predicted.atGoal().maySaveNothing())
    return Verdict::Uncertain;
  return HintsGain ? Verdict::Gain : Verdict::NoGain;
}

/// Whether the program has the runtime, and no code that was instrumented, by
/// Thermocline or by clang.
static bool countsNothing(const CallTable &Calls, const FunctionNames &Names) {
  return Calls.empty() && Names.size() &&
         Names.lookup(getGUID(format::symbol::ModuleConstructor)).empty();
}

std::vector<std::string> Advice::findNeeded() const {
  std::vector<std::string> Given =
      BinaryFiles::expand(Command.Binaries.Binaries);
  ProgramReader Reader;
  std::vector<std::string> Result;
  const std::map<std::string, std::string> Needed =
      neededLibraries(Given, Reader);
  append_range(Given, Command.Libraries);
  for (const auto &[Id, Path] : Needed)
    // The runtime is in every process, and not in its contexts.
    if (!sys::path::filename(Path).starts_with("libthermocline_") &&
        !is_contained(Given, Path))
      Result.push_back(Path);
  return Result;
}

OtherPlace Advice::allocatingPlace(const RawCalls &Calls,
                                   RawAddresses Addresses) const {
  OtherPlace Result;
  for (uint64_t Address : Addresses) {
    const RawCall Call = Calls.at(Address);
    // What an allocation function of the program calls is not the place.
    if (Call.IsOwn && isInAllocator(Calls.own()->symbolize(Address).Kind)) {
      Result = {};
      continue;
    }
    if (!Result.Object.empty()) {
      // What the library calls of its own tells users less than what they call.
      if (Call.IsOwn || Call.File != Result.Object)
        break;
    } else if (Call.IsOwn) {
      const SymbolizedAddress &Symbolized = Calls.own()->symbolize(Address);
      if (Symbolized.Kind == AddressKind::NoDebugInfo)
        Result.Object =
            Call.File + ": " +
            (Symbolized.Symbol.empty() ? "code"
                                       : demangled(Symbolized.Symbol)) +
            ", which has no debug information";
      else if (!Instrumented.empty() &&
               none_of(Symbolized.Frames, [&](const Frame &F) {
                 return Instrumented.hadFunction(F.Function);
               }))
        Result.Object = Call.File + ": " +
                        Names.display(Symbolized.Frames.back().Function) +
                        ", which was not instrumented";
      break;
    } else if (Call.File.empty()) {
      Result.Object = Call.IsInObject
                          ? "the object with the build id " + Call.BuildId
                          : "code of no known object";
      break;
    } else {
      Result.Object = Call.File;
    }
    Result.Function = Call.Lines.empty()
                          ? "code without a symbol"
                          : demangled(Call.Lines.back().Function);
  }
  return Result;
}

Error Advice::addLibraries() {
  if (Command.Runs.empty() || Command.Binaries.Binaries.empty())
    if (Error E = coverByProfile())
      return E;
  if (Command.Runs.empty())
    return Error::success();
  Expected<RawCalls> Calls =
      RawCalls::open(Command.Binaries, Command.Libraries,
                     /*OfSeveral=*/Command.Runs.size() != 1, findNeeded());
  if (!Calls)
    return Calls.takeError();
  DamagedInputs Damaged(Command.Runs.size());
  for (const std::string &Run : Command.Runs) {
    Expected<MergeInput> Input = MergeInput::openRaw(Run);
    if (!Input) {
      if (Error E = Damaged.keep(Input.takeError()))
        return E;
      continue;
    }
    const RawProfile &Raw = *Input->Raw;
    if (Error E = Calls->locate(Raw))
      return E;
    Calls->prepareAll();
    if (Calls->own())
      for (ProfiledBinary *Binary : Calls->own()->all())
        if (TablesOf.insert(Binary->path()).second)
          if (Error Damage = Binary->addCalls(Instrumented))
            warnOfDebugFiles(toString(std::move(Damage)));
    addRun(Raw, *Calls);
  }
  if (Error E = Damaged.noneLeft())
    return E;
  if (Command.WarnsOfDamaged)
    Damaged.warn();
  if (Covered && Calls->own())
    coverByRuns();
  return Calls->finish();
}

void Advice::addRun(const RawProfile &Raw, const RawCalls &Calls) {
  if (Calls.own() && !Covered)
    Covered.emplace();
  for (const RawContext &C : Raw.contexts()) {
    const RawAddresses Addresses = C.Calls;
    const OtherPlace Place = allocatingPlace(Calls, Addresses);
    const auto Size = static_cast<double>(C.Info.TotalSize);
    if (Calls.own()) {
      Covered->All += Size;
      Covered->Instrumented += Size;
    }
    if (Place.Object.empty())
      continue;
    bool Cold = false;
    if (Calls.own()) {
      const SymbolizedStack Stack = symbolizeStack(Addresses, *Calls.own());
      Cold = !Stack.Frames.empty() &&
             ColdIds.contains(computeFullStackId(Stack.Frames));
    }
    Libraries[Place.Object].add(Size, Cold);
    if (!Place.Function.empty())
      LibraryFunctions[Place.Object][Place.Function].add(Size, Cold);
  }
}

std::vector<size_t> Advice::reasonsBySize() const {
  std::vector<size_t> Result;
  for (size_t I = 0; I != NumPageReasons; ++I)
    if (Reasons[I].Pages >= 1)
      Result.push_back(I);
  llvm::sort(Result, [&](size_t A, size_t B) {
    return std::pair(-Reasons[A].Pages, A) < std::pair(-Reasons[B].Pages, B);
  });
  return Result;
}

void Advice::addPlaces(const PagesByPlace &Whole, const PageExplanation &Why,
                       StringRef Funnel, Table &Rows) const {
  std::vector<std::pair<double, StringRef>> Sorted;
  for (const auto &[Place, Part] : Whole.Places)
    Sorted.emplace_back(-Part.Pages, Place);
  llvm::sort(Sorted);
  const size_t Shown =
      std::min<size_t>(Command.Top.value_or(Sorted.size()), Sorted.size());
  for (const auto &[Pages, Place] : ArrayRef(Sorted).take_front(Shown)) {
    Rows.add({Why.What, Why.Advice, truncated(-Pages),
              Funnel.empty() ? Place.str() : "  for " + Place.str(),
              Funnel.empty() ? Place : Funnel,
              Funnel.empty() ? Cell() : Cell(Place)});
    addPlaces(Whole.Places.at(Place.str()), Why, Place, Rows);
  }
  const size_t Rest = Sorted.size() - Shown;
  if (!Rest)
    return;
  if (Funnel.empty())
    Rows.Note = "... and " + formatCount(Rest, "more place");
  else if (Command.Format == TableFormat::Text)
    Rows.add({"", "", "", "  and for " + formatCount(Rest) + " more", "", ""});
}

Table Advice::placesOf(ArrayRef<size_t> Wanted) const {
  Table Result = {
      .Key = "places",
      .Columns = {{"", "reason", ColumnKind::Text, Audience::Programs},
                  {"", "advice", ColumnKind::Text, Audience::Programs},
                  {"", "bytes", ColumnKind::Bytes},
                  {"", "", ColumnKind::Text, Audience::People},
                  {"", "place", ColumnKind::Text, Audience::Programs},
                  {"", "for", ColumnKind::Text, Audience::Programs}}};
  for (size_t I : Wanted)
    addPlaces(Reasons[I], explanationOf(static_cast<PageReason>(I)), "",
              Result);
  return Result;
}

void Advice::printReasons(raw_ostream &OS) const {
  for (size_t I : reasonsBySize()) {
    OS << '\n'
       << bytesText(Reasons[I].Pages) << " of "
       << bytesText(Placed.Predicted.atGoal().After) << ": "
       << explanationOf(static_cast<PageReason>(I)).What << ". "
       << explanationOf(static_cast<PageReason>(I)).Advice << '\n';
    placesOf(I).writeText(OS, {.Indent = 4});
  }
}

/// Adds what \p Shares has, cold bytes descending. \p Object is that of which
/// they are the functions, or empty.
void Advice::addOthers(const OtherShares &Shares, StringRef Object,
                       Table &Rows) const {
  std::vector<std::tuple<double, double, StringRef>> Sorted;
  for (const auto &[Name, Share] : Shares)
    Sorted.emplace_back(-Share.Cold, -Share.All, Name);
  llvm::sort(Sorted);
  const std::string Indent = Object.empty() ? "" : "  ";
  const bool IsText = Command.Format == TableFormat::Text;
  const size_t Shown =
      std::min<size_t>(Command.Top.value_or(Sorted.size()), Sorted.size());
  for (const auto &[Cold, All, Name] : ArrayRef(Sorted).take_front(Shown)) {
    Rows.add({truncated(-All), truncated(-Cold), Indent + shortenName(Name),
              Object.empty() ? Name : Object,
              Object.empty() ? Cell() : Cell(Name)});
    if (auto Functions = LibraryFunctions.find(Name.str());
        Object.empty() && Functions != LibraryFunctions.end())
      addOthers(Functions->second, Name, Rows);
  }
  if (const size_t Rest = Sorted.size() - Shown; Rest && IsText)
    Rows.add({"", "",
              Indent + "... and " +
                  formatCount(Rest,
                              Object.empty() ? "more object" : "more function"),
              "", ""});
}

Table Advice::others() const {
  Table Result = {
      .Key = "notInstrumented",
      .Columns = {{"bytes", "bytes", ColumnKind::Bytes},
                  {"cold", "coldBytes", ColumnKind::Bytes},
                  {"allocated in", "", ColumnKind::Text, Audience::People},
                  {"", "object", ColumnKind::Text, Audience::Programs},
                  {"", "function", ColumnKind::Text, Audience::Programs}}};
  addOthers(Libraries, "", Result);
  return Result;
}

std::vector<Table> Advice::tables() const {
  const placement::WorkingSet &Set = Placed.Predicted.atGoal();
  const placement::WorkingSet &Other = Placed.Predicted.atOther();
  const bool KnowsOther = List.Profile->touchGrid().hasBursts();
  auto Ratio = [](double Value) { return Value > 0 ? Cell(Value) : Cell(); };
  std::vector<std::pair<std::string, Cell>> Known = {
      {"version", 1},
      {"profile", Command.Input},
      {"verdict", keyOf(verdict())},
      {"workingSetBefore", truncated(Set.Before)},
      {"workingSetAfter", truncated(Set.After)},
      {"goal", nameOf(Placed.Predicted.Goal)},
      {"otherHorizonBefore",
       KnowsOther ? Cell(truncated(Other.Before)) : Cell()},
      {"otherHorizonAfter", KnowsOther ? Cell(truncated(Other.After)) : Cell()},
      {"liveBytes", truncated(Placed.Predicted.LiveBytes)},
      {"smallObjects", placement::nameOf(Order.Choice)},
      {"orderPagesRatio", Ratio(Order.Pages)},
      {"orderPairsRatio", Ratio(Order.Pairs)},
      {"orderReplacedShare", Order.Pages > 0 ? Cell(Order.Replaced) : Cell()},
      {"instrumented", Covered ? Cell(instrumentedPart()) : Cell()}};
  addIntervals(Set, Known);
  if (!Set.isExact())
    Known.push_back({"tooFewSamplesBytes", TooFew.Size});
  return {facts(std::move(Known)), others(), placesOf(reasonsBySize())};
}

void Advice::printLibraries(raw_ostream &OS) const {
  if (Command.Runs.empty()) {
    OS << "\nWhat shared libraries allocated is in the raw profiles only: give "
          "them, too.\n";
    return;
  }
  if (Libraries.empty())
    return;
  OS << "\nAllocated inside shared libraries, or code that was not "
        "instrumented, where no call can be hinted. Build these by the config "
        "files as well; libraries.md says more:\n";
  others().writeText(OS, {.Indent = 4});
}

void Advice::printCoverage(raw_ostream &OS) const {
  if (!runsAreLongEnough() || seenPart() >= NearlyAllPart)
    return;
  OS << formatPercent(truncated(Covered->Instrumented), truncated(Covered->All))
     << " of the program's bytes were allocated by instrumented code. Hints "
        "can "
        "be for these alone: build the rest for profiles, too, and static "
        "libraries as well as shared ones.\n";
}

void Advice::printVerdict(raw_ostream &OS) const {
  switch (verdict()) {
  case Verdict::Gain:
    break;
  case Verdict::Uncertain:
    OS << "It is not certain that hints gain anything: too few objects were "
          "sampled. Record for longer, more runs, or a greater part of the "
          "allocations (--sample=).\n";
    break;
  case Verdict::NoGain:
    OS << (seenPart() < NearlyAllPart
               ? "Hints gain nothing in that part.\n"
               : "Hints gain nothing for this program. Build it without "
                 "them.\n");
    break;
  case Verdict::TooShort:
    OS << "The runs are too short to say what hints gain. Record one of half a "
          "second of processor time or more.\n";
    break;
  case Verdict::TooLittleInstrumented:
    OS << (isSmaller()
               ? "What hints would be for was allocated by other code: build "
                 "that for profiles, too.\n"
               : "What hints gain cannot be said from so small a part.\n");
    break;
  case Verdict::NothingInstrumented:
    llvm_unreachable("said before anything was predicted");
  }
}

Error Advice::run(raw_ostream &OS) {
  if (Error E = measure())
    return E;
  if (Error E = addLibraries())
    return E;
  printCoverage(OS);
  const WorkingSet &Set = Placed.Predicted.atGoal();
  // Too short runs are no reason to say what is to be gained, or is not.
  const bool IsTooShort = verdict() == Verdict::TooShort;
  OS << "Working set: "
     << (IsTooShort ? bytesText(Set.Before) : placement::describe(Set)) << "; "
     << bytesText(Placed.Predicted.LiveBytes) << " live\n";
  if (IsTooShort) {
    printVerdict(OS);
    return Error::success();
  }
  if (const std::string Other = otherHorizonText(
          Placed.Predicted, List.Profile->touchGrid(), Placing.Phase);
      !Other.empty())
    OS << "Within " << Other << '\n';
  if (!Placed.Predicted.atGoal().isExact())
    OS << IntervalsText << '\n';
  printVerdict(OS);
  if (const std::string Text = tooFewText(TooFew, All.Size); !Text.empty())
    OS << Text << ".\n";
  if (Order.Choice != OrderChoice::CannotTell && !Order.LacksHints)
    OS << "Small objects: " << placement::describe(Order) << '\n';
  printReasons(OS);
  if (Unseen.Contexts)
    OS << '\n'
       << formatCount(Unseen.Contexts, "context") << " with "
       << formatBytes(Unseen.Size)
       << " had nothing in memory at the end of any window: too short-lived, "
          "or "
          "too rare to know.\n";
  printLibraries(OS);
  return Error::success();
}

StringRef profdata::keyOf(Verdict Says) {
  switch (Says) {
  case Verdict::Gain:
    return "gain";
  case Verdict::Uncertain:
    return "uncertain";
  case Verdict::NoGain:
    return "noGain";
  case Verdict::TooShort:
    return "tooShort";
  case Verdict::TooLittleInstrumented:
    return "tooLittleInstrumented";
  case Verdict::NothingInstrumented:
    return "nothingInstrumented";
  }
  llvm_unreachable("no verdict");
}

void profdata::addIntervals(const WorkingSet &Set,
                            std::vector<std::pair<std::string, Cell>> &Cells) {
  if (Set.isExact())
    return;
  for (auto [Key, Error] : {std::pair("Before", Set.Errors.Before),
                            {"After", Set.Errors.After},
                            {"Saved", Set.Errors.Saved}})
    Cells.push_back({std::string("workingSet") + Key + "Interval",
                     truncated(StandardErrors95 * Error)});
}

Expected<AdviceGiven> profdata::advise(const AdviseCommand &Command) {
  Expected<ContextList> List =
      ContextList::load(Command.Input, Command.Thresholds);
  if (!List)
    return List.takeError();
  Expected<FunctionNames> Names = loadNames(Command.Binaries);
  if (!Names)
    return Names.takeError();
  Expected<CallTable> Calls = List->Profile->calls();
  if (!Calls)
    return Calls.takeError();
  if (List->Accesses == AccessKind::Unknown ||
      (List->Accesses == AccessKind::Counted && countsNothing(*Calls, *Names)))
    return AdviceGiven{
        Verdict::NothingInstrumented,
        NothingCounted.str(),
        {facts({{"version", 1},
                {"profile", Command.Input},
                {"verdict", keyOf(Verdict::NothingInstrumented)}})}};
  if (!List->Profile->predicted())
    return fileError(Command.Input,
                     "does not say when memory was touched, so nothing can be "
                     "predicted: profile with Thermocline's runtime, and merge "
                     "with thermo-profdata");
  AdviceGiven Result;
  raw_string_ostream OS(Result.Text);
  Expected<Askers> Who = Askers::of(*List, *Names);
  if (!Who)
    return Who.takeError();
  Advice A(Command, *List, *Names, *Who);
  if (Error E = A.run(OS))
    return std::move(E);
  Result.Says = A.verdict();
  Result.Tables = A.tables();
  return Result;
}

Error profdata::runAdvise(const AdviseCommand &Command) {
  Expected<AdviceGiven> Given = advise(Command);
  if (!Given)
    return Given.takeError();
  return writeFileAtomically(Command.Output, [&](raw_ostream &OS) {
    if (Command.Format == TableFormat::Text)
      OS << Given->Text;
    else
      writeFor(Command.Format, Given->Tables, OS);
    return Error::success();
  });
}
