//===- profile/lifecycle/Requests.cpp - What the service does -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work of the runtime's threads. The scanner ends windows. The server
// answers signals that ask for a profile, and keeps the continuous file up to
// date. It has file descriptors of its own, because the program may rely on the
// lowest free number, or close all.
//
//===----------------------------------------------------------------------===//

#include "Preload.h"
#include "Runtime.h"
#include "platform/Files.h"
#include "platform/System.h"
#include "platform/TestClock.h"
#include "platform/Thread.h"
#include "process/ThreadRights.h"

using namespace thermocline::runtime;

void Runtime::startToWatch() {
  if (!TheOptions.PageTouches || !TheOptions.TouchWindows)
    return;
  if (!thermocline_is_preloaded) {
    Message() << "page_touches=1 is for programs that are not instrumented "
                 "(libthermocline_preload.so); here accesses are counted\n";
    return;
  }
  if (!TheHeap.ownsRange()) {
    Message() << "the addresses that page_touches=1 needs are taken: the "
                 "profile does not say when memory is touched\n";
    return;
  }
  Watched.start(&TheHeap);
  Allocated.Use.limitCost(TheOptions.TouchCost);
  if (Watched.isOn())
    Allocated.watch(&Watched);
}

void Runtime::startWindows() {
  startToWatch();
  if (!TheOptions.TouchWindows || !mayHaveWindows())
    return;
  Windows.start(&Allocated, &TheContexts, &Order, TheOptions.TouchCost);
  startScanner();
}

bool Runtime::mayHaveWindows() const {
  return (!thermocline_is_preloaded || Allocated.watched()) &&
         !IsUncounted.load() && !shadow::IsHistogram && !IsPassedBy;
}

void Runtime::startScanner() {
  if (TheOptions.Standby) {
    startStandby();
    return;
  }
  auto Scan = [] {
    // A library may have brought code since that counts otherwise.
    if (!Instance.mayHaveWindows())
      Instance.Windows.turnOff();
    return Instance.Windows.run();
  };
  if (!Windows.isOn() || Scanner.start(Scan))
    return;
  Windows.turnOff();
  Message() << "cannot start a thread: the profile does not say when memory is "
               "touched\n";
}

void Runtime::setPhase(const char *Name) {
  if (Over)
    return Over->SetPhase(Name);
  InsideRuntime Inside;
  if (Windows.setPhase(Name))
    Scanner.workNow();
}

bool Runtime::passTime(uint64_t Microseconds) {
  if (Over)
    return Over->PassTime(Microseconds);
  if (!TestClock::isOn())
    return false;
  TestClock::pass(Microseconds);
  Scanner.takeTurn();
  Server.takeTurn();
  return true;
}

void Runtime::startServer() {
  bool IsNeeded = TheOptions.DumpSignal || TheOptions.ResetSignal;
  {
    Guard G(Dumping);
    IsNeeded |= IsContinuous;
  }
  if (!IsNeeded)
    return;
  HasServer = true;
  continueServer();
}

void Runtime::continueServer() {
  Requests.store(0);
  if (!HasServer || Server.start([] { return Instance.serve(); }))
    return;
  HasServer = false;
  Message() << "cannot start a thread: the profile is written at the end "
               "only\n";
}

void Runtime::request(int Signal) {
  uint32_t Wanted = 0;
  if (Signal == TheOptions.DumpSignal)
    Wanted |= DumpRequest;
  if (Signal == TheOptions.ResetSignal)
    Wanted |= ResetRequest;
  uint32_t Before = Requests.load();
  while (!Requests.compareExchange(Before, Before | Wanted)) {
  }
  Server.wake();
}

/// Prepares this thread for its first work. \returns why it cannot go on, or
/// null.
static const char *prepareServer(ThreadRights &Rights) {
  if (!thisThread().HasOwnDescriptors) {
    if (!sys::separateDescriptors())
      return "no thread can have file descriptors of its own";
    Rights.open();
  }
  return Rights.follow()
             ? nullptr
             : "the thread that writes profiles cannot tell, or not "
               "give up, the rights that the program gave up";
}

uint64_t Runtime::serve() {
  static constinit ThreadRights Rights;
  if (const char *Why = prepareServer(Rights)) {
    Message() << Why
              << ": from now on profiles are not written continuously, nor by "
                 "signals\n";
    return HiddenThread::NoMore;
  }
  const uint32_t Wanted = Requests.exchange(0);
  if (Wanted & DumpRequest)
    dump();
  if (Wanted & ResetRequest)
    reset();
  return syncInTurn();
}

uint64_t Runtime::syncInTurn() {
  constexpr uint64_t Never = 1000 * 1000;
  // Profiling may cost at most one part in this many of a CPU.
  constexpr uint64_t CostPart = 64;
  Guard G(Dumping);
  if (!IsContinuous)
    return Never;
  uint64_t Begin = sys::threadMicroseconds();
  if (!HasEnded && !HasMixedCounters.load() && !sync())
    IsContinuous = false;
  uint64_t Cost = (sys::threadMicroseconds() - Begin) * CostPart / 1000;
  uint64_t Result = SyncIntervalMs;
  SyncIntervalMs = SyncIntervalMs * 2 < TheOptions.SyncIntervalMs
                       ? SyncIntervalMs * 2
                       : TheOptions.SyncIntervalMs;
  return Result > Cost ? Result : Cost;
}
