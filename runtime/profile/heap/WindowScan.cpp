//===- profile/heap/WindowScan.cpp - Scans at the end of windows ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowScan.h"
#include "measure/Shadow.h"
#include "platform/System.h"
#include "platform/Text.h"

using namespace thermocline;
using namespace thermocline::runtime;

void WindowScan::start(Allocations *A, Contexts *C) {
  Guard G(Mutex);
  TheAllocations = A;
  TheContexts = C;
  IsOn.store(true);
}

uint64_t WindowScan::clock() const {
  return sys::processMicroseconds() - AllCostUs;
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
  Windows.restart();
  IsInBurst = false;
  visitTables([](TouchTable &T) { T = {}; });
}

void WindowScan::restartInChild() {
  restart();
  AllCostUs = BeginUs = LastClockUs = 0;
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

static UnitCounters readCounters(uintptr_t Address, size_t Size) {
  UnitCounters Result;
  const uint64_t *Last = shadow::counter(Address + Size - 1);
  for (const uint64_t *C = shadow::counter(Address); C <= Last; ++C) {
    uint64_t Count = *C;
    Result.Sum += Count;
    ++Result.Granules;
    Result.TouchedGranules += Count != 0;
  }
  return Result;
}

void WindowScan::visitUnit(TouchMark &Mark, TouchTable *&Table,
                           uintptr_t Address, size_t Size, uint32_t Weight) {
  if (Windows.counts() && !Table && !(Table = makeTable())) {
    turnOff();
    return;
  }
  Windows.visit(Mark, Table, readCounters(Address, Size), Size, Weight);
}

void WindowScan::visit(LiveAllocation &A) {
  if (!isOn())
    return;
  constexpr size_t Piece = format::TouchPageBytes;
  Contexts::TouchTables &Tables = TheContexts->touchesOf(A.Context);
  const size_t Size = A.Life.SizeBytes;
  if (Size < Piece) {
    visitUnit(*A.Mark, Tables.Objects, A.Address, Size, A.Weight);
    return;
  }
  for (size_t At = 0; At < Size; At += Piece) {
    TouchMark *Mark = Pages.get(A.Address + At, A.Sequence);
    if (!Mark) {
      turnOff();
      return;
    }
    visitUnit(*Mark, Tables.Pages, A.Address + At,
              Size - At < Piece ? Size - At : Piece, A.Weight);
  }
}

void WindowScan::scanAll() {
  const uint64_t Begin = sys::threadMicroseconds();
  Pages.beginScan();
  TheAllocations->visitUncounted([&](LiveAllocation &A)
                                     THERMOCLINE_UNCHECKED { visit(A); });
  Windows.endScan();
  if (Windows.isPaired())
    visitTables([](TouchTable &T) { TouchWindows::pair(T); });
  CostUs = sys::threadMicroseconds() - Begin;
  AllCostUs += CostUs;
  if (!isOn())
    Message() << "no memory to note when memory is touched: the profile has no "
                 "windows\n";
}

void WindowScan::beginBurst(uint64_t Now) {
  Windows.beginBurst();
  scanAll();
  BurstBeginUs = Now;
  BurstCostUs = CostUs;
  IsInBurst = true;
}

void WindowScan::endWindow(uint64_t Now, uint64_t ScansUs) {
  TouchWindows::Window Ended = {Now - BeginUs, 0};
  if (IsInBurst)
    Ended.BurstUs = Now - BurstBeginUs;
  else if (isOwnBurst() || Ended.LengthUs <= 2 * TouchWindows::BurstTargetUs)
    Ended.BurstUs = Ended.LengthUs;
  // It was cut off.
  if (IsInBurst && Ended.BurstUs < TouchWindows::BurstTargetUs / 2)
    Ended.BurstUs = 0;
  Windows.endWindow(Ended, ScansUs);
  scanAll();
  BeginUs = Now;
  BurstCostUs = 0;
  IsInBurst = false;
}

bool WindowScan::isOwnBurst() const {
  uint64_t Least = TouchWindows::BurstTargetUs;
  if (Least < CostUs)
    Least = CostUs;
  return 2 * Least > Windows.targetUs();
}

uint64_t WindowScan::dueUs() const {
  if (IsInBurst)
    return BurstBeginUs + TouchWindows::BurstTargetUs;
  uint64_t End = BeginUs + Windows.targetUs();
  return isOwnBurst() ? End : End - TouchWindows::BurstTargetUs;
}

void WindowScan::scanIfDue(uint64_t Now) {
  if (Windows.needsBaseline()) {
    Windows.beginBaseline();
    scanAll();
    BeginUs = Now;
  } else if (Now < dueUs()) {
    return;
  } else if (IsInBurst || isOwnBurst()) {
    endWindow(Now, BurstCostUs + CostUs);
  } else {
    beginBurst(Now);
  }
}

uint64_t WindowScan::run() {
  if (!isOn())
    return Never;
  Guard G(Mutex);
  scanIfDue(clock());
  if (!isOn())
    return Never;
  // The program will use as much in a millisecond as it did lately.
  const uint64_t Now = clock(), Time = sys::nanoseconds() / 1000;
  const uint64_t Used = Now - LastClockUs, Passed = Time - LastTimeUs;
  LastClockUs = Now;
  LastTimeUs = Time;
  const uint64_t Due = dueUs(), Left = Due > Now ? Due - Now : 0;
  constexpr uint64_t Longest = 50;
  if (Used * Longest * 1000 <= Left * Passed)
    return Longest;
  return Left * Passed / (Used * 1000) + 1;
}

void WindowScan::finish() {
  if (!isOn() || Windows.needsBaseline())
    return;
  uint64_t Now = clock();
  uint64_t Length = Now - BeginUs;
  // No window comes after this one, so none needs to be longer.
  if (Length >= Windows.targetUs() / 2 || (!Windows.size() && Length))
    endWindow(Now, /*ScansUs=*/0);
}
