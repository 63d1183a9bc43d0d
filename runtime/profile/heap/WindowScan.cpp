//===- profile/heap/WindowScan.cpp - Scans at the end of windows ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowScan.h"
#include "measure/Shadow.h"
#include "platform/HiddenThread.h"
#include "platform/System.h"
#include "platform/Text.h"
#include <algorithm>
#include <sys/single_threaded.h>

using namespace thermocline;
using namespace thermocline::runtime;

void WindowScan::start(Allocations *A, Contexts *C, OrderSpace *S,
                       uint64_t WatchedCost) {
  Guard G(Mutex);
  TheAllocations = A;
  TheContexts = C;
  Watched = A->watched();
  if (Watched) {
    // Few of the blocks are those of watched objects, each of which tells of
    // many. The others have no counters that would have to be read.
    Sample = BlockSample::withLimit(16 * BlockSample::LeastLimit);
    Plan.limitCost(
        WindowPlan::partOfThousandths(WatchedCost),
        std::min(WatchedAllowanceUs * WatchedCost, MostWatchedAllowanceUs));
    Plan.growAllowance(AllowanceAtStartUs, AllowancePart);
  } else if (A->Use.SampleInterval != 1) {
    // A sampled run is to cost little, and has few objects to scan.
    Plan.limitCost(SampledCostPart, SampledAllowanceUs);
  } else if (S->start() && Probe.start(A, C)) {
    A->placeIn(S);
  }
  IsOn.store(true);
}

/// The kernel adds what a thread uses to the time of the process at its ticks,
/// some milliseconds after another, which is as long as a burst. So as long as
/// the program has one thread, it is that thread's time which goes on.
uint64_t WindowScan::clock() {
  const uint64_t Process = sys::processMicroseconds() - ScansUs;
  const uint64_t FirstAndScans = sys::firstThreadMicroseconds();
  const uint64_t First = FirstAndScans - ScansOfProgramUs;
  const bool IsAlone = __libc_single_threaded && FirstAndScans;
  const uint64_t Before = IsAlone ? LastFirstUs : LastProcessUs;
  const uint64_t Now = IsAlone ? First : Process;
  // Rounding may make it go back by a microsecond.
  if (static_cast<int64_t>(Now - Before) > 0)
    ClockUs += Now - Before;
  LastProcessUs = Process;
  LastFirstUs = First;
  return ClockUs;
}

template <typename Visitor> void WindowScan::visitTables(Visitor Visit) {
  for (uint32_t Number = 0, End = TheContexts->size(); Number != End;
       ++Number) {
    Contexts::TouchTables &T = TheContexts->touchesOf(Number);
    if (T.Objects)
      Visit(*T.Objects);
    if (T.Pages)
      Visit(*T.Pages);
  }
}

void WindowScan::restart() {
  if (!IsOn.load())
    return;
  Plan.restart();
  if (Probe.isOn())
    Probe.forgetAll();
  visitTables([](TouchTable &T) { T = {}; });
}

void WindowScan::restartInChild() {
  restart();
  Plan.restartClock();
  ClockUs = ScansUs = ScansOfProgramUs = LastClockUs = 0;
  LastProcessUs = LastFirstUs = 0;
}

void WindowScan::beginAnew() {
  IsOn.store(true);
  restart();
  Plan.restartClock();
  clock();
  ClockUs = LastClockUs = LastTimeUs = 0;
}

TouchTable *WindowScan::makeTable() {
  constexpr size_t RoomBytes = 256 * 1024;
  if (static_cast<size_t>(RoomEnd - Room) < sizeof(TouchTable)) {
    Room = static_cast<char *>(sys::mapPages(RoomBytes));
    RoomEnd = Room ? Room + RoomBytes : nullptr;
    if (!Room)
      return nullptr;
  }
  char *Result = Room;
  Room += sizeof(TouchTable);
  return reinterpret_cast<TouchTable *>(Result);
}

// Most units have one counter or two.
static uint64_t sumCounters(uintptr_t Address, size_t Size) {
  uint64_t Result = 0;
  const uint64_t *Last = shadow::counter(Address + Size - 1);
#pragma clang loop vectorize(disable)
  for (const uint64_t *C = shadow::counter(Address); C <= Last; ++C)
    Result += *C;
  return Result;
}

static UnitCounters readCounters(uintptr_t Address, size_t Size) {
  UnitCounters Result;
  const uint64_t *Last = shadow::counter(Address + Size - 1);
#pragma clang loop vectorize(disable)
  for (const uint64_t *C = shadow::counter(Address); C <= Last; ++C) {
    uint64_t Count = *C;
    Result.Sum += Count;
    ++Result.Granules;
    Result.TouchedGranules += Count != 0;
  }
  return Result;
}

TouchState WindowScan::visitUnit(TouchMark &Mark, TouchTable *&Table,
                                 uintptr_t Address, size_t Size,
                                 uint32_t Weight) {
  if (!Weight) {
    Plan.windows().join(Mark, sumCounters(Address, Size));
    return {};
  }
  if (!Plan.windows().counts()) {
    Plan.windows().note(Mark, sumCounters(Address, Size));
    return {};
  }
  if (!Table && !(Table = makeTable())) {
    turnOff();
    return {};
  }
  return Plan.windows().count(Mark, *Table, readCounters(Address, Size), Size,
                              Weight);
}

void WindowScan::endRegions() {
  Regions.end(Plan.windows().present(), Plan.windows().hasBurst());
}

void WindowScan::noteNeighbor(const LiveAllocation &A, TouchTable &Table,
                              TouchState State) {
  const unsigned Class = TheAllocations->sizeClass(A);
  if (Class != RegionClass)
    endRegions();
  RegionClass = Class;
  if (State.BornInWindow)
    noteBirthPlace(A, State);
  Regions.add(Table, State, A.Weight, A.Address, A.Life.SizeBytes);
}

void WindowScan::noteBirthPlace(const LiveAllocation &A, TouchState State) {
  const double InWindow = Regions.asksAboutWindow(A.Weight);
  const double InBurst =
      State.BornInBurst ? Regions.asksAboutBurst(A.Weight) : 0;
  if (InWindow == 0 && InBurst == 0)
    return;
  // Scans do not visit most of them, so that the time has to tell.
  auto IsBorn = [&](const LiveAllocation &Other, uint32_t SinceMs) {
    return Other.Address == A.Address || Other.Life.AllocatedAt >= SinceMs;
  };
  unsigned Born = 0, BornInBurst = 0;
  TheAllocations->visitBeside(
      A, [&](const LiveAllocation &Other) THERMOCLINE_UNCHECKED {
        Born += IsBorn(Other, WindowBeginMs);
        BornInBurst += IsBorn(Other, BurstBeginMs);
      });
  // It may have ended meanwhile, and so may others below.
  TheAllocations->visitBeside(
      A, [&](const LiveAllocation &Other) THERMOCLINE_UNCHECKED {
        TouchTable *Table = TheContexts->touchesOf(Other.Context).Objects;
        if (!Table)
          return;
        if (InWindow != 0 && Born && !IsBorn(Other, WindowBeginMs))
          Regions.addAmongInWindow(*Table, InWindow / Born);
        if (InBurst != 0 && BornInBurst && !IsBorn(Other, BurstBeginMs))
          Regions.addAmongInBurst(*Table, InBurst / BornInBurst);
      });
}

void WindowScan::visitWatched(const LiveAllocation &A) {
  const WatchedPages::Object Seen = Watched->find(A.Address);
  if (!Seen.Weight)
    return;
  const TouchWindows &Windows = Plan.windows();
  if (!A.Weight)
    return Windows.join(*A.Mark, Seen.Touches);
  if (!Windows.counts())
    return Windows.note(*A.Mark, Seen.Touches);
  TouchTable *&Table = TheContexts->touchesOf(A.Context).Objects;
  if (!Table && !(Table = makeTable()))
    return turnOff();
  // Which part of the object was touched is not known. What tells of that
  // elsewhere tells how many objects were looked at.
  const UnitCounters Counters = {Seen.Touches, /*Granules=*/1, 0};
  const TouchState State =
      Windows.count(*A.Mark, *Table, Counters, A.Life.SizeBytes, Seen.Weight);
  if (const WatchedPlace Place = TheAllocations->placeOf(A); Place.Address)
    Neighbors.add(*Table, State, Seen.Weight, Place, A.Life.SizeBytes);
  ++Table->TouchedGranules;
  Table->Variance += uint64_t(Seen.Weight) * (Seen.Weight - 1);
}

void WindowScan::visit(const LiveAllocation &A) {
  if (!isOn())
    return;
  if (Watched)
    return visitWatched(A);
  const size_t Piece = touchPageBytes();
  Contexts::TouchTables &Tables = TheContexts->touchesOf(A.Context);
  const size_t Size = A.Life.SizeBytes;
  if (Size < Piece) {
    const TouchState State =
        visitUnit(*A.Mark, Tables.Objects, A.Address, Size, A.Weight);
    if (A.Weight && Plan.windows().counts() && isOn())
      noteNeighbor(A, *Tables.Objects, State);
    return;
  }
  auto VisitPage = [&](size_t Offset, uint32_t Weight) THERMOCLINE_UNCHECKED {
    TouchMark *Mark = Pages.get(A.Address + Offset, A.Sequence);
    if (!Mark) {
      turnOff();
      return;
    }
    visitUnit(*Mark, Tables.Pages, A.Address + Offset,
              Size - Offset < Piece ? Size - Offset : Piece, Weight);
  };
  if (!TheAllocations->isLarge(A)) {
    for (size_t Offset = 0; Offset < Size && isOn(); Offset += Piece)
      VisitPage(Offset, A.Weight);
    return;
  }
  const SampleGroups Groups = Sample.ofPages();
  const unsigned Shift = touchPageShift();
  const uint64_t First = A.Address >> Shift,
                 End = First + ((Size - 1) >> Shift) + 1;
  uint64_t Group = First >> Groups.Visited;
  for (; Group << Groups.Visited < End && isOn(); ++Group) {
    const uint64_t Number = Groups.visited(Group);
    if (Number >= First && Number < End)
      VisitPage((Number - First) * Piece,
                Groups.isCounted(Number) ? A.Weight << Groups.Counted : 0);
  }
}

uint64_t WindowScan::scan(WindowPlan::Scan S, uint64_t Now) {
  if (S == WindowPlan::Scan::None)
    return 0;
  const uint64_t Begin = sys::threadMicroseconds();
  // What is not seen any more would look idle, also in what windows there are.
  if (Watched && !Watched->look()) {
    turnOff();
    return 0;
  }
  const TouchWindows &Windows = Plan.windows();
  Plan.beginScan(S, Now);
  if (Windows.counts() && Windows.isContinued())
    visitTables([&](TouchTable &T) { Windows.forget(T); });
  // Before the scan itself, which takes as long as a short burst.
  if (Probe.isOn()) {
    if (Windows.counts())
      Probe.endWindow(Windows.present(), Now);
    Probe.begin(Now);
  }
  Pages.beginScan();
  // Groups of windows that have ended miss what joins now. After a pairing it
  // is long before such groups become windows.
  Sample.beginScan(Windows.counts() && Windows.isPaired() &&
                   Plan.mayCostMore(Now));
  TheAllocations->visitSample(Sample, [&](const LiveAllocation &A)
                                          THERMOCLINE_UNCHECKED { visit(A); });
  endRegions();
  if (Watched && Windows.counts())
    Neighbors.end(Regions, Windows.present(), Windows.hasBurst());
  BurstBeginMs = TheAllocations->now();
  if (S != WindowPlan::Scan::BurstBegin)
    WindowBeginMs = BurstBeginMs;
  const uint64_t CostUs = sys::threadMicroseconds() - Begin;
  ScansUs += CostUs;
  Plan.endScan(CostUs + (Watched ? Watched->faultsUs() : 0));
  // Or else windows would become too long.
  if (Watched && Plan.costsTooMuch(Now))
    Watched->watchFewer();
  if (Windows.counts() && Windows.isPaired())
    visitTables([&](TouchTable &T) { Windows.pair(T); });
  if (Probe.isOn() && Windows.counts() && Windows.isPaired())
    Probe.pair(Windows);
  if (!isOn())
    Message() << "no memory to note when memory is touched: the profile has no "
                 "windows\n";
  return CostUs;
}

void WindowScan::endProbe(uint64_t Now) {
  const uint64_t Begin = sys::threadMicroseconds();
  if (Probe.endIfDue(Now))
    ScansUs += sys::threadMicroseconds() - Begin;
}

uint64_t WindowScan::run() {
  if (!isOn())
    return HiddenThread::NoMore;
  Guard G(Mutex);
  if (Watched && !Watched->prepareLooks()) {
    turnOff();
    return HiddenThread::NoMore;
  }
  if (Watched && Watched->hasLetGo()) {
    // What is not seen any more would look idle.
    restart();
    if (!HasReportedFork)
      Message() << "the program forked beside its other threads: what it "
                   "allocated before that is not watched any more, and the "
                   "profile says of the rest when it is touched\n";
    HasReportedFork = true;
  }
  const uint64_t Before = clock();
  doWhatIsAsked(Before);
  endProbe(Before);
  scan(Plan.due(Before), Before);
  if (!isOn())
    return HiddenThread::NoMore;
  // The program will use as much in a millisecond as it did lately.
  const uint64_t Now = clock(), Time = sys::nanoseconds() / 1000;
  endProbe(Now);
  const uint64_t Used = Now - LastClockUs;
  // At first it is taken to be busy.
  const uint64_t Passed = LastTimeUs ? Time - LastTimeUs : Used;
  LastClockUs = Now;
  LastTimeUs = Time;
  uint64_t Left = Plan.leftUs(Now);
  if (const uint64_t OfProbe = Probe.leftUs(Now); OfProbe < Left)
    Left = OfProbe;
  constexpr uint64_t Longest = 50;
  if (Used * Longest * 1000 <= Left * Passed)
    return Longest;
  return Left * Passed / (Used * 1000) + 1;
}

bool WindowScan::setPhase(const char *Name) {
  if (!isOn())
    return false;
  Guard G(Mutex);
  unsigned New = Names.find(Name);
  if (New == PhaseNames::MaxPhases) {
    New = 0;
    if (!HasReportedNames)
      Message() << "a phase has a name of more than "
                << uint64_t(format::MaxPhaseNameBytes)
                << " bytes, or there are more than "
                << uint64_t(PhaseNames::MaxPhases - 1)
                << " phases: the profile does not tell them apart\n";
    HasReportedNames = true;
  }
  if (Watched) {
    AskedPhase = New;
    return true;
  }
  const uint64_t Now = clock();
  ScansOfProgramUs += scan(Plan.leavePhase(New, Now), Now);
  Plan.enterPhase(New);
  return false;
}

bool WindowScan::askToFinish() {
  if (!isOn() || !Watched)
    return false;
  Guard G(Mutex);
  // It may not have looked at all, and need not begin now.
  IsAskedToFinish = !Plan.windows().needsBaseline();
  return IsAskedToFinish;
}

void WindowScan::doWhatIsAsked(uint64_t Now) {
  if (AskedPhase != PhaseNames::MaxPhases) {
    scan(Plan.leavePhase(AskedPhase, Now), Now);
    Plan.enterPhase(AskedPhase);
    AskedPhase = PhaseNames::MaxPhases;
  }
  if (IsAskedToFinish)
    scan(Plan.finish(Now), Now);
  IsAskedToFinish = false;
}

void WindowScan::finish() {
  if (!isOn() || Watched)
    return;
  const uint64_t Now = clock();
  ScansOfProgramUs += scan(Plan.finish(Now), Now);
}
