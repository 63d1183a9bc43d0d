//===- profile/heap/WindowScan.h - Scans at the end of windows --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ends windows (TouchWindows.h) when the program has used processor time
// enough, by going over all recorded allocations, and begins their bursts. It
// costs the program nothing else: what it writes to is a mark in each header.
// Threads that allocate go on meanwhile. What one of them begins or ends while
// it is scanned may be counted or not.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_WINDOWSCAN_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_WINDOWSCAN_H

#include "Allocations.h"
#include "OrderProbe.h"
#include "PageMarks.h"
#include "WatchedNeighbors.h"
#include "measure/PhaseNames.h"
#include "measure/TouchRegions.h"
#include "measure/WindowPlan.h"

namespace thermocline::runtime {

class WindowScan {
public:
  /// All live as long as the program. Windows begin now, and objects get places
  /// in \p S, if that can be. Looks at watched objects, with the faults that
  /// they cause, may take \p WatchedCost thousandths of the time.
  void start(Allocations *A, Contexts *C, OrderSpace *S, uint64_t WatchedCost);
  bool isOn() const { return IsOn.load(); }
  /// There are no windows from now on, and those before are forgotten.
  void turnOff() { IsOn.store(false); }

  /// Makes the scan that is due, if there is one. \returns the milliseconds
  /// after which to ask again, or HiddenThread::NoMore.
  uint64_t run();

  /// Ends the last window of all, unless it is shorter than half of what it was
  /// to be and there are others. Does nothing where objects are watched.
  void finish() THERMOCLINE_REQUIRES(Mutex);
  /// Asks for that where objects are watched, which only the thread that calls
  /// run() sees. \returns whether run() has to be called now.
  [[nodiscard]] bool askToFinish();

  /// Forgets all windows, and begins the first one soon.
  void restart() THERMOCLINE_REQUIRES(Mutex);
  /// Restarts in the child of a fork, whose time begins anew.
  void restartInChild() THERMOCLINE_REQUIRES(Mutex);
  /// Restarts after turnOff(), as if the program had begun now.
  void beginAnew() THERMOCLINE_REQUIRES(Mutex);

  /// The program is in the phase \p Name from now on; in none if it is null or
  /// empty. By any thread that is not in a signal handler. \returns whether
  /// run() has to be called now, by its thread, as objects are watched.
  [[nodiscard]] bool setPhase(const char *Name);

  const TouchWindows &windows() const THERMOCLINE_REQUIRES(Mutex) {
    return Plan.windows();
  }
  const PhaseNames &phases() const THERMOCLINE_REQUIRES(Mutex) { return Names; }
  const OrderProbe &probe() const THERMOCLINE_REQUIRES(Mutex) { return Probe; }

  /// Guards all of it, and the tables of all contexts.
  Lock Mutex;

private:
  static constexpr uint64_t SampledCostPart = 64;
  static constexpr uint64_t SampledAllowanceUs = 4000;
  /// For watched objects, whose faults count as well, for each thousandth that
  /// they may cost; and how much at most.
  static constexpr uint64_t WatchedAllowanceUs = 2000;
  static constexpr uint64_t MostWatchedAllowanceUs = 60000;
  static constexpr uint64_t AllowanceAtStartUs = 4000;
  static constexpr uint64_t AllowancePart = 24;

  /// \returns what it has cost.
  uint64_t scan(WindowPlan::Scan S, uint64_t Now) THERMOCLINE_REQUIRES(Mutex);
  void endProbe(uint64_t Now) THERMOCLINE_REQUIRES(Mutex);
  void visit(const LiveAllocation &A) THERMOCLINE_REQUIRES(Mutex);
  void visitWatched(const LiveAllocation &A) THERMOCLINE_REQUIRES(Mutex);
  TouchState visitUnit(TouchMark &Mark, TouchTable *&Table, uintptr_t Address,
                       size_t Size, uint32_t Weight)
      THERMOCLINE_REQUIRES(Mutex);
  void doWhatIsAsked(uint64_t Now) THERMOCLINE_REQUIRES(Mutex);
  void endRegions() THERMOCLINE_REQUIRES(Mutex);
  void noteNeighbor(const LiveAllocation &A, TouchTable &Table,
                    TouchState State) THERMOCLINE_REQUIRES(Mutex);
  void noteBirthPlace(const LiveAllocation &A, TouchState State)
      THERMOCLINE_REQUIRES(Mutex);
  TouchTable *makeTable() THERMOCLINE_REQUIRES(Mutex);
  /// \returns how much processor time the program has used.
  uint64_t clock() THERMOCLINE_REQUIRES(Mutex);
  template <typename Visitor>
  void visitTables(Visitor Visit) THERMOCLINE_REQUIRES(Mutex);

  Allocations *TheAllocations = nullptr;
  Contexts *TheContexts = nullptr;
  /// Null if counters say what is touched.
  WatchedPages *Watched = nullptr;
  Atomic<bool> IsOn;
  WindowPlan Plan THERMOCLINE_GUARDED_BY(Mutex);
  PhaseNames Names THERMOCLINE_GUARDED_BY(Mutex);
  bool HasReportedNames THERMOCLINE_GUARDED_BY(Mutex) = false;
  bool HasReportedFork THERMOCLINE_GUARDED_BY(Mutex) = false;
  /// What run() is asked for: to enter a phase, or to end the last window.
  unsigned AskedPhase THERMOCLINE_GUARDED_BY(Mutex) = PhaseNames::MaxPhases;
  bool IsAskedToFinish THERMOCLINE_GUARDED_BY(Mutex) = false;
  PageMarks Pages THERMOCLINE_GUARDED_BY(Mutex);
  /// Not isOn() where it is not known where small objects would lie in order.
  OrderProbe Probe THERMOCLINE_GUARDED_BY(Mutex);
  BlockSample Sample THERMOCLINE_GUARDED_BY(Mutex);
  TouchRegions Regions THERMOCLINE_GUARDED_BY(Mutex);
  WatchedNeighbors Neighbors THERMOCLINE_GUARDED_BY(Mutex);
  /// The size class of what was visited last.
  unsigned RegionClass THERMOCLINE_GUARDED_BY(Mutex) = 0;
  /// When the present window began, and its burst, in Allocations::elapsedMs().
  uint32_t WindowBeginMs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  uint32_t BurstBeginMs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  /// What all scans have cost, and those that threads of the program made.
  uint64_t ScansUs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  uint64_t ScansOfProgramUs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  /// clock(), and the clocks that it was made from, when it was last asked.
  uint64_t ClockUs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  uint64_t LastProcessUs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  uint64_t LastFirstUs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  /// The clocks when run() was last called.
  uint64_t LastClockUs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  uint64_t LastTimeUs THERMOCLINE_GUARDED_BY(Mutex) = 0;
  /// Memory for tables.
  char *Room THERMOCLINE_GUARDED_BY(Mutex) = nullptr;
  char *RoomEnd THERMOCLINE_GUARDED_BY(Mutex) = nullptr;
};

} // namespace thermocline::runtime

#endif
