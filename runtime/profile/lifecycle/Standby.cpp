//===- profile/lifecycle/Standby.cpp - Recordings of what runs ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With the option standby=1 nothing is recorded, and all memory is that of the
// allocator below, until somebody asks for a recording
// (Format/Live/StandbyProtocol.h). The thread that looks at watched objects
// also looks for requests, and does what they ask for. So the program gets no
// signal handler and no thread that libc knows, and writes no file.
//
// What needs rights or addresses is done at the start, as the program may give
// them up.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "output/RawProfile.h"
#include "platform/Files.h"
#include "platform/LibcFunctions.h"
#include "platform/System.h"
#include "platform/Text.h"

using namespace thermocline::runtime;

/// How often it is looked for requests.
static constexpr uint64_t LookMs = 250;

void Runtime::startStandby() {
  if (!isListedProgram())
    return;
  if (!Watched.isOn() && TheHeap.ownsRange()) {
    Watched.start(&TheHeap);
    Allocated.watch(&Watched);
  }
  if (Watched.isOn() && Scanner.start([] { return Instance.standBy(); })) {
    // Who knows that the program runs can ask at once.
    Scanner.workNow();
    return;
  }
  Message() << "what this process allocates cannot be recorded: there is no "
               "thread for it, or no way to see what is touched\n";
}

uint64_t Runtime::standBy() {
  // The message says why.
  if (!Watched.prepareLooks()) {
    endRecording(/*Writes=*/true);
    return HiddenThread::NoMore;
  }
  if (!Requester.isOpen())
    if (const long Error = Requester.open(ProcessId)) {
      Message() << "cannot wait for requests to record this process: "
                << sys::errorText(Error) << "\n";
      return HiddenThread::NoMore;
    }
  if (IsEnding.exchange(false)) {
    endRecording(/*Writes=*/true);
    return LookMs;
  }
  switch (Requester.poll()) {
  case StandbySocket::Event::None:
    break;
  case StandbySocket::Event::Begin:
    beginRecording();
    break;
  case StandbySocket::Event::End:
    endRecording(/*Writes=*/true);
    break;
  case StandbySocket::Event::Abort:
    endRecording(/*Writes=*/false);
    break;
  }
  if (!IsRecording.load())
    return LookMs;
  const uint64_t Next = Windows.run();
  return Next < LookMs ? Next : LookMs;
}

void Runtime::beginRecording() {
  {
    Guard G(Dumping);
    Caches.forgetMeasures();
    TheContexts.clearMeasures();
    RunBeginMs = Allocated.elapsedMs();
  }
  Allocated.Use.limitCost(Requester.touchCost());
  Allocated.Use.sample(Requester.sampleInterval());
  Windows.start(&Allocated, &TheContexts, &Order, Requester.touchCost());
  {
    Guard G(Windows.Mutex);
    Windows.beginAnew();
  }
  IsRecording.store(true);
  if (const auto *Joined = libc().Allocator.Joined)
    Joined->OfferAll(true);
  Requester.confirm();
}

void Runtime::endRecording(bool Writes) {
  if (!IsRecording.exchange(false))
    return;
  bool IsWritten = false;
  if (Writes) {
    if (Windows.askToFinish())
      Windows.run();
    IsWritten = writeRecording();
  }
  if (const auto *Joined = libc().Allocator.Joined)
    Joined->OfferAll(false);
  Allocated.delegateAll();
  Windows.turnOff();
  Requester.finish(IsWritten);
}

bool Runtime::writeRecording() {
  sys::QuietWrites Quiet;
  Guard G(Dumping);
  Code.update();
  Caches.flushMeasures(/*GiveUp=*/false);
  Snapshot S(TheContexts);
  collect(S, DumpAt::Any, /*GiveUp=*/false);
  if (!S.isValid()) {
    Message() << "no memory to write the profile\n";
    return false;
  }
  FileWriter Out(Requester.output());
  writeRawProfile(S, Code, Out);
  Out.flush();
  reportLimits();
  return !Out.error();
}
