//===- profile/lifecycle/Dump.cpp - Writing the profile -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the profile: at the end, when it is asked for, and from time to time.
//
//===----------------------------------------------------------------------===//

#include "Preload.h"
#include "Runtime.h"
#include "Signals.h"
#include "output/RawProfile.h"
#include "platform/Files.h"
#include "platform/System.h"
#include "platform/Thread.h"
#include <errno.h>

using namespace thermocline::runtime;

void Runtime::collectWindows(Snapshot &S, DumpAt When, bool GiveUp) {
  if (!Windows.isOn())
    return;
  if (When == DumpAt::End && !GiveUp && Windows.askToFinish())
    Scanner.workNow();
  // What nobody looked at would look idle.
  if (Scanner.wasKilled()) {
    Windows.turnOff();
    Message() << "the thread that looks when memory is touched was killed, as "
                 "by a filter of system calls: the profile does not say when\n";
    return;
  }
  GuardOrGiveUp G(Windows.Mutex, GiveUp);
  if (!G.isHeld())
    return;
  if (When == DumpAt::End)
    Windows.finish();
  if (!Windows.isOn() || !Windows.windows().size())
    return;
  if (!S.addWindows(Windows.windows(), Windows.phases()))
    Message() << "no memory to write when memory is touched: the profile has "
                 "no windows\n";
  else if (Windows.probe().isOn() &&
           !S.addLayouts(Windows.probe(), Windows.windows().size()))
    Message() << "no memory to write how objects lie: the profile cannot tell "
                 "whether they should lie in order\n";
}

void Runtime::collect(Snapshot &S, DumpAt When, bool GiveUp) {
  if (!S.isValid())
    return;
  Allocated.visitLive([&](const LiveAllocation &A) {
    S.add(A.Context, measuresOf(A.Life), A.Weight, A.Counters);
  });
  collectWindows(S, When, GiveUp);
  // The clocks of two threads may differ by a millisecond.
  uint64_t Now = Allocated.elapsedMs();
  S.Run.BeginMs = RunBeginMs;
  S.Run.EndMs = Now < RunBeginMs ? RunBeginMs : Now;
  if (Allocated.Use.SampleInterval != 1)
    S.limitDensities(Allocated.touchedCalls(), Allocated.Use.SampleInterval);
  // No accesses are counted in a program that is not instrumented.
  if (thermocline_is_preloaded || IsUncounted.load())
    S.markAccessesUnknown(/*IsWatched=*/Allocated.watched());
}

/// Before the program itself has allocated, LLVM's tools find nothing in the
/// profile that they know, and refuse it.
bool Runtime::isWorthAFile(const Snapshot &S) const {
  // If all allocations of a program come from libraries, the profile has to do
  // with these.
  constexpr uint32_t PatienceMs = 100;
  bool HasAny = false, HasOwn = false;
  S.visit([&](uint64_t, const Contexts::View &V) {
    HasAny = true;
    for (size_t I = 0; I != V.NumCalls; ++I)
      HasOwn |= V.Calls[I] >= Code[0].Start && V.Calls[I] < Code[0].End;
  });
  return HasOwn || (HasAny && Allocated.now() > PatienceMs);
}

bool Runtime::sync() {
  Code.update();
  // What is given up here is in the next profile.
  Caches.flushMeasures(/*GiveUp=*/true);
  Snapshot S(TheContexts);
  collect(S, DumpAt::Any, /*GiveUp=*/true);
  if (!S.isValid() || !Code.size())
    return true;
  if (!Continuous.isOpen() && !isWorthAFile(S))
    return true;
  return Continuous.sync(S, Code, File);
}

void Runtime::writeTo(FileWriter &Out, const Snapshot &S) {
  if (!TheOptions.PrintText) {
    writeRawProfile(S, Code, Out);
    return;
  }
  TextWriter Text(Out.descriptor());
  writeTextProfile(S, TheOptions.PrintTerse, Text);
  if (!Text.flush())
    Out.fail(-EIO);
}

bool Runtime::writeToStream(int Stream, const Snapshot &S) {
  long Error = 0;
  int Fd = sys::borrowDescriptor(Stream);
  {
    FileWriter Out(Fd);
    writeTo(Out, S);
    Out.flush();
    Error = Out.error();
  }
  sys::returnDescriptor(Fd);
  if (Error)
    Message() << "cannot write the profile to " << pathText() << ": "
              << sys::errorText(Error) << "\n";
  return !Error;
}

bool Runtime::writeProfile(const Snapshot &S) {
  if (int Stream = stream())
    return writeToStream(Stream, S);
  if (!File.replace([&](FileWriter &Out) { writeTo(Out, S); })) {
    // What was written continuously is still there: as good, but larger.
    return Continuous.isOpen() && Continuous.sync(S, Code, File);
  }
  Continuous.abandon();
  if (TheOptions.Verbosity)
    Message() << "profile written to " << File.writtenPath().text() << "\n";
  return true;
}

bool Runtime::dump(DumpAt When) {
  if (Over)
    return Over->Dump();
  const bool GiveUp = When == DumpAt::FatalSignal || Caches.isInterrupted();
  if (!HasProcess.load() || HasMixedCounters.load() || IsPassedBy)
    return false;
  InsideRuntime Inside;
  sys::QuietWrites Quiet;
  GuardOrGiveUp G(Dumping, GiveUp, MaxWaitForDumpSeconds);
  // This handler interrupted a dump. Its file would be the same.
  if (!G.isHeld())
    return false;
  // In a static program libc's exit() comes here twice: by its last handler,
  // and by calling the runtime's _exit(). And a signal may have come while this
  // thread or another wrote the last profile.
  if (!HasDestination || (When != DumpAt::Any && HasEnded))
    return false;
  Code.update(GiveUp);
  // A thread that libc does not know has no cache.
  if (!GiveUp && !HiddenThread::isPresent())
    Allocated.releaseDeferred(/*Counts=*/true);
  Caches.flushMeasures(GiveUp);
  Snapshot S(TheContexts);
  collect(S, When, GiveUp);
  bool Done = S.isValid() && writeProfile(S);
  if (!S.isValid())
    Message() << "no memory to write the profile\n";
  reportLimits();
  if (When == DumpAt::End && Server.wasKilled())
    Message()
        << "the thread that writes profiles was killed, as by a filter of "
           "system calls: the profile is that of the end only\n";
  HasDumped |= Done;
  HasEnded |= When == DumpAt::End;
  return Done;
}

void Runtime::reportLimits() {
  if (uint64_t Count = TheContexts.overflows())
    Message() << "the table of contexts is full; " << Count
              << " allocations are in one record, "
                 "thermocline_contexts_beyond_the_limit\n";
  if (uint64_t Count = TheContexts.lostBesideForks())
    Message() << Count
              << " allocations are not in the profile, as their threads could "
                 "not wait for a fork\n";
  if (!TheContexts.hasAllHistograms())
    Message() << "no room for all histograms; some lack what is accessed far "
                 "from the beginning of allocations\n";
}

void Runtime::dumpAtEnd() {
  if (Over)
    return Over->DumpAtEnd();
  // A child of vfork() is none of ours.
  if (sys::processId() != ProcessId)
    return;
  if (IsRecording.load()) {
    IsEnding.store(true);
    Scanner.workNow();
  }
  if (TheOptions.DumpAtExit) {
    // The handler of a signal that ends the program cannot write what this
    // thread is writing, and would end it in the midst of that.
    DelayedEnds Delayed;
    dump(DumpAt::End);
  }
  Message::writeKept();
}

void Runtime::dumpInFatalSignal(bool LeavesCore) {
  InsideRuntime::enter();
  if (LeavesCore)
    Watched.showInCore();
  if (sys::processId() != ProcessId)
    return;
  dump(DumpAt::FatalSignal);
  Message::writeKept();
}

void Runtime::goOn() {
  if (Over)
    return Over->GoOn();
  // A handler may have interrupted a dump by this thread.
  if (sys::processId() != ProcessId)
    return;
  GuardOrGiveUp G(Dumping);
  if (G.isHeld())
    HasEnded = false;
}

void Runtime::reset() {
  if (Over)
    return Over->Reset();
  if (IsAbsent)
    return;
  Guard G(Dumping);
  Caches.forgetMeasures();
  TheContexts.clearMeasures();
  RunBeginMs = Allocated.elapsedMs();
  if (Windows.isOn()) {
    Guard Scanning(Windows.Mutex);
    Windows.restart();
  }
  // A file that holds the round that was dumped stays as it is; one that was
  // only written from time to time goes on with the new round.
  if (HasDumped || !Continuous.isOpen()) {
    Continuous.abandon();
    File.startNew();
  }
  HasDumped = false;
}
