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

#include "ContextFilter.h"
#include "ContextList.h"
#include "PageReasons.h"
#include "RawCalls.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/Program/NeededLibraries.h"
#include "thermocline/Profile/Raw/RawIndexer.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/NamedAllocator.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
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

/// The pages of a reason, in bytes, by the place of the allocation.
struct Cell {
  double Pages = 0;
  std::map<std::string, double> Places;

  void add(const std::string &Place, double Bytes) {
    Pages += Bytes;
    Places[Place] += Bytes;
  }
};

/// Bytes that were allocated where no call can be hinted.
struct LibraryShare {
  double All = 0;
  /// The part that would be hinted.
  double Cold = 0;
};

class Advice {
public:
  Advice(const AdviseCommand &Command, const ContextList &List,
         const FunctionNames &Names)
      : Command(Command), List(List), Names(Names) {}

  Error run(raw_ostream &OS);

private:
  Error measure();
  Error addLibraries();
  void addContext(const ListedContext &C, const ContextShare &Share, bool Cold);
  void printReasons(raw_ostream &OS) const;
  void printLibraries(raw_ostream &OS) const;
  std::string allocatingObject(const RawCalls &Calls,
                               ArrayRef<uint64_t> Addresses);
  void printPlaces(const std::map<std::string, double> &Places,
                   raw_ostream &OS) const;

  const AdviseCommand &Command;
  const ContextList &List;
  const FunctionNames &Names;
  Placement Placed;
  std::array<Cell, NumPageReasons> Cells;
  /// Contexts of which nothing lived at the end of a window, and their bytes.
  ContextCount Unseen;
  /// The contexts that hints are for.
  std::unordered_set<uint64_t> ColdIds;
  /// What was allocated inside each shared library, and by each function
  /// without debug information.
  std::map<std::string, LibraryShare> Libraries;
  /// Names of libraries by build id.
  std::map<std::string, std::string> Needed;
};

} // namespace

static std::string bytesText(double Value) {
  return formatBytes(Bytes(truncated(Value)));
}

void Advice::addContext(const ListedContext &C, const ContextShare &Share,
                        bool Cold) {
  const Frame &Leaf = C.Frames.front();
  const std::string Place = Names.display(Leaf.Function) + " " +
                            describePlace(Leaf.LineOffset, Leaf.Column);
  auto Add = [&](PageReason Why, double Pages) {
    if (Pages > 0)
      Cells[static_cast<size_t>(Why)].add(Place, Pages);
  };
  Add(reasonOfSmall(Share, Cold), Share.SmallPages);
  Add(reasonOfLarge(C), Share.LargePages);
}

Error Advice::measure() {
  Expected<TouchesById> Touches = List.touchesWithMeasures();
  if (!Touches)
    return Touches.takeError();
  PlacementOptions Placing = List.Profile->decidedFor();
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
  Expected<std::vector<ContextShare>> Shares =
      shareOut(Touches->Touches, Hinted, Placing);
  if (!Shares)
    return Shares.takeError();
  Expected<FunctionFilter> Filter = FunctionFilter::create(Command.Function);
  if (!Filter)
    return Filter.takeError();
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

/// What allocates, if it is not code of the program or of a library of its own
/// in which calls have frames; otherwise an empty string.
std::string Advice::allocatingObject(const RawCalls &Calls,
                                     ArrayRef<uint64_t> Addresses) {
  for (uint64_t Address : Addresses) {
    const RawCall Call = Calls.at(Address);
    if (Call.IsOwn) {
      const SymbolizedAddress &At = Calls.own()->symbolize(Address);
      if (At.Kind == AddressKind::Runtime)
        continue;
      if (At.Kind != AddressKind::NoDebugInfo)
        return "";
      return Call.File + ": " +
             (At.Symbol.empty() ? "code" : demangle(At.Symbol)) +
             ", which has no debug information";
    }
    if (!Call.File.empty())
      return Call.File;
    if (!Call.IsInObject)
      return "code of no known object";
    auto Known = Needed.find(Call.BuildId);
    return Known == Needed.end()
               ? "the object with the build id " + Call.BuildId
               : sys::path::filename(Known->second).str();
  }
  return "";
}

Error Advice::addLibraries() {
  if (!Command.Runs.empty())
    Needed = neededLibraries(BinaryFiles::expand(Command.Binaries.Binaries));
  for (const std::string &Run : Command.Runs) {
    Expected<RawProfile> Raw = RawProfile::read(Run);
    if (!Raw)
      return Raw.takeError();
    Expected<RawCalls> Calls =
        RawCalls::open(*Raw, Command.Binaries, Command.Libraries);
    if (!Calls)
      return Calls.takeError();
    for (const RawContext &C : Raw->contexts()) {
      ArrayRef<uint64_t> Addresses = Raw->addresses(C);
      const std::string Object = allocatingObject(*Calls, Addresses);
      if (Object.empty())
        continue;
      const auto Size = static_cast<double>(C.Info.TotalSize);
      LibraryShare &Share = Libraries[Object];
      Share.All += Size;
      if (!Calls->own())
        continue;
      const SymbolizedStack Stack = symbolizeStack(Addresses, *Calls->own());
      if (!Stack.Frames.empty() &&
          ColdIds.contains(computeFullStackId(Stack.Frames)))
        Share.Cold += Size;
    }
  }
  return Error::success();
}

void Advice::printPlaces(const std::map<std::string, double> &Places,
                         raw_ostream &OS) const {
  std::vector<std::pair<double, StringRef>> Sorted;
  for (const auto &[Place, Pages] : Places)
    Sorted.emplace_back(-Pages, Place);
  llvm::sort(Sorted);
  for (const auto &[Pages, Place] : ArrayRef(Sorted).take_front(
           std::min<size_t>(Command.Top, Sorted.size())))
    OS << "    " << right_justify(bytesText(-Pages), 10) << "  " << Place
       << '\n';
  if (Sorted.size() > Command.Top)
    OS << "    ... and " << formatCount(Sorted.size() - Command.Top)
       << " more places\n";
}

void Advice::printReasons(raw_ostream &OS) const {
  std::vector<std::pair<double, size_t>> Order;
  for (size_t I = 0; I != NumPageReasons; ++I)
    if (Cells[I].Pages >= 1)
      Order.emplace_back(-Cells[I].Pages, I);
  llvm::sort(Order);
  for (const auto &[Pages, I] : Order) {
    OS << '\n'
       << bytesText(-Pages) << " of "
       << bytesText(Placed.Predicted.atGoal().After) << ": "
       << explanationOf(static_cast<PageReason>(I)).What << ". "
       << explanationOf(static_cast<PageReason>(I)).Advice << '\n';
    printPlaces(Cells[I].Places, OS);
  }
}

void Advice::printLibraries(raw_ostream &OS) const {
  if (Command.Runs.empty()) {
    OS << "\nWhat shared libraries allocated is in the raw profiles only: give "
          "them, too.\n";
    return;
  }
  if (Libraries.empty())
    return;
  OS << "\nAllocated inside shared libraries, or code without debug "
        "information, where no call can be hinted. Build these with the "
        "profile "
        "as well; libraries.md says more:\n";
  std::vector<std::tuple<double, double, StringRef>> Sorted;
  for (const auto &[Name, Share] : Libraries)
    Sorted.emplace_back(-Share.Cold, -Share.All, Name);
  llvm::sort(Sorted);
  for (const auto &[Cold, All, Name] : ArrayRef(Sorted).take_front(
           std::min<size_t>(Command.Top, Sorted.size())))
    OS << "    " << right_justify(bytesText(-All), 10) << "  " << Name << ", "
       << bytesText(-Cold) << " of it cold\n";
  if (Sorted.size() > Command.Top)
    OS << "    ... and " << formatCount(Sorted.size() - Command.Top)
       << " more\n";
}

Error Advice::run(raw_ostream &OS) {
  if (Error E = measure())
    return E;
  if (Error E = addLibraries())
    return E;
  const WorkingSet &Set = Placed.Predicted.atGoal();
  OS << "Working set: " << placement::describe(Set) << "; "
     << bytesText(Placed.Predicted.LiveBytes) << " live\n";
  if (Set.After >= Set.Before)
    OS << "Hints gain nothing for this program. Build it without them.\n";
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

Error profdata::runAdvise(const AdviseCommand &Command) {
  Expected<ContextList> List =
      ContextList::load(Command.Input, Command.Thresholds);
  if (!List)
    return List.takeError();
  if (!List->Profile->predicted())
    return fileError(Command.Input,
                     "does not say when memory was touched, so nothing can be "
                     "predicted: profile with Thermocline's runtime, and merge "
                     "with thermo-profdata");
  Expected<FunctionNames> Names = loadNames(Command.Binaries);
  if (!Names)
    return Names.takeError();
  return writeFileAtomically(Command.Output, [&](raw_ostream &OS) {
    return Advice(Command, *List, *Names).run(OS);
  });
}
