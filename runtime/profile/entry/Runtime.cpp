//===- profile/entry/Runtime.cpp - The runtime's one state object ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the runtime starts and ends with the program.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "New.h"
#include "Preload.h"
#include "Signals.h"
#include "heap/Hooks.h"
#include "measure/Shadow.h"
#include "output/DumpPages.h"
#include "output/FileName.h"
#include "output/RawProfile.h"
#include "platform/Files.h"
#include "platform/LibcFunctions.h"
#include "platform/Lock.h"
#include "platform/System.h"
#include "platform/Thread.h"
#include "process/Environment.h"
#include "process/Fatal.h"
#include "process/OtherTools.h"
#include "process/ProgramSymbols.h"
#include "unwind/CallStack.h"
#include "unwind/ThreadStack.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <sys/utsname.h>
#include <unistd.h>

using namespace thermocline::runtime;

extern "C" {
__attribute__((weak)) extern const bool thermocline_is_preloaded = false;
int __cxa_atexit(void (*)(void *), void *, void *) noexcept;
}

constinit Runtime Runtime::Instance;
constinit FrameRules Runtime::Rules;
constinit Places Runtime::ThePlaces;

//===-- Start -------------------------------------------------------------===//

void Runtime::readOptions() {
  TextWriter Errors(2);
  const ProgramSymbols &Program = programSymbols();
  if (Program.CompiledInOptions)
    TheOptions.parse(Program.CompiledInOptions, "compiled-in options", Errors);
  if (Program.DefaultOptions)
    if (const char *Defaults = Program.DefaultOptions())
      TheOptions.parse(Defaults, "__memprof_default_options", Errors);
  constexpr char Variable[] = "MEMPROF_OPTIONS";
  if (const char *Value = environmentVariable(Variable)) {
    if (!hasMoreRights()) {
      TheOptions.parse(Value, Variable, Errors);
    } else {
      Errors << "Thermocline: " << Variable
             << ": ignored, as this program has more rights than who started "
                "it\n";
      removeEnvironmentVariable(Variable);
    }
  }
  if (TheOptions.Help)
    TheOptions.describe(Errors);
  Allocated.Use.CountLikeLlvm = TheOptions.CountLikeLlvm;
  CaptureSettings &Capture = Allocated.finding();
  Capture.Limit = TheOptions.MallocContextSize;
  Capture.FoldRecursion = TheOptions.FoldRecursion;
  Capture.Rules = TheOptions.UnwindTables ? &Rules : nullptr;
  Capture.KeepAll = thermocline_is_preloaded;
  if (TheHeap.ownsRange() && !shadow::IsHistogram)
    Allocated.Use.sample(static_cast<uint32_t>(TheOptions.SampleInterval));
  else if (TheOptions.SampleInterval != 1)
    Errors << (shadow::IsHistogram
                   ? "Thermocline: histograms cannot be sampled"
                   : "Thermocline: the addresses that sampling needs are taken")
           << "; all allocations are recorded\n";
  TheContexts.limit(static_cast<uint32_t>(TheOptions.MaxContexts),
                    TheOptions.MaxDepotMegabytes << 20);
}

/// In OverflowContext.cpp, or the program.
extern "C" __attribute__((visibility("default"))) void
thermocline_contexts_beyond_the_limit();

static Contexts::Capacity contextCapacity() {
  Contexts::Capacity Result;
  // Within the function, as a return address minus 1 is.
  Result.OverflowCall =
      reinterpret_cast<uint64_t>(thermocline_contexts_beyond_the_limit) + 1;
  return Result;
}

/// Ends the program if there is a sanitizer, which would end it otherwise, or
/// see nothing.
static void refuseSanitizers() {
  const char *Name = conflictingSanitizer();
  if (!Name)
    return;
  FixedString Text;
  Text << "a program cannot be profiled and have " << Name
       << ", as both replace malloc: build it without one of them";
  sys::fatal(Text.text());
}

/// Ends the program, and says which limit did it.
[[noreturn]] static void failToReserve() {
  if (runsUnderValgrind())
    sys::fatal(
        "a program that is profiled cannot run under Valgrind, which has "
        "no room for the 19 TiB of addresses that profiling needs");
  FixedString Reason;
  Reason << "cannot reserve the addresses that profiling needs (19 TiB, of "
            "which little is used): ";
  const size_t Begin = Reason.size();
  auto Name = [&](const char *Limit, uint64_t Bytes) {
    if (Bytes == UINT64_MAX)
      return;
    Reason << (Reason.size() == Begin ? "" : ", ") << Limit << " is "
           << Bytes / 1024 << " KiB";
  };
  Name("ulimit -v", sys::limitOf(RLIMIT_AS));
  Name("ulimit -d", sys::limitOf(RLIMIT_DATA));
  if (Reason.size() == Begin)
    Reason << "does vm.overcommit_memory=2 or another limit forbid it?";
  sys::fatal(Reason.text());
}

void Runtime::setUpMemory() {
  Guard G(Starting);
  if (HasMemory.load())
    return;
  findProgramSymbols();
  refuseSanitizers();
  if (const Leader *Other = findLeader()) {
    follow(*Other);
    HasMemory.store(true);
    return;
  }
  if (!shadow::initialize() || !TheHeap.initialize() ||
      !TheContexts.initialize(contextCapacity()) ||
      !Caches.initialize(&TheHeap, &TheContexts))
    failToReserve();
  shadow::SkipsUncounted = TheHeap.usesRange();
  dumppages::reserve();
  initializeStacks();
  Allocated.initialize(&TheHeap, &TheContexts, &Caches, &ThePlaces);
  if (hooks::areDefined())
    Allocated.callHooks();
  readOptions();
  lead();
  HasMemory.store(true);
}

void Runtime::noteCodeForSampling() {
  if (Over)
    return Over->NoteCodeForSampling();
  if (TheHeap.usesRange() || IsUncounted.exchange(true))
    return;
  Message() << "the addresses in which code for sampling counts are in use: "
               "accesses are not known\n";
}

int Runtime::stream() const {
  if (OwnStream)
    return OwnStream;
  const FixedString &Path = TheOptions.LogPath;
  if (textEquals(Path.text(), Path.size(), "stderr"))
    return 2;
  return textEquals(Path.text(), Path.size(), "stdout") ? 1 : 0;
}

void Runtime::setProfilePath(const char *Path, int Stream) {
  setUpProcess();
  Guard G(Dumping);
  OwnStream = Stream;
  TheOptions.LogPath.clear();
  TheOptions.LogPath << Path;
  setLogPath();
  HasDumped = false;
}

const char *Runtime::profilePath() {
  setUpProcess();
  switch (stream()) {
  case 0:
    return File.path().text();
  case 1:
    return "stdout";
  default:
    return "stderr";
  }
}

void Runtime::reportNameOnce(TextWriter &Error) {
  if (HasReportedName)
    Error.discard();
  HasReportedName = true;
}

/// Who starts a program chooses its working directory, and may have no right to
/// write there.
void Runtime::refuseOthersDirectory(const FixedString &Name) {
  HasPlace = !hasMoreRights() || *Name.text() == '/' || stream();
  if (HasPlace)
    return;
  Message Error;
  Error << "no profile is written: this program has more rights than who "
           "started it and chose the directory; compile it with an absolute "
           "name for the profile\n";
  reportNameOnce(Error);
}

void Runtime::setLogPath() {
  ProcessId = sys::processId();
  const char *Pattern = TheOptions.LogPath.text();
  if (TheOptions.LogPath.empty() && programSymbols().ProfileFileName)
    Pattern = programSymbols().ProfileFileName;
  if (!*Pattern)
    Pattern = format::DefaultProfileFileName;
  struct utsname Machine;
  NameParts Parts;
  Parts.ProcessId = static_cast<uint64_t>(ProcessId);
  if (uname(&Machine) == 0)
    Parts.HostName = Machine.nodename;
  Parts.TemporaryDirectory = TemporaryDirectory.text();
  if (Code.size()) {
    Parts.BuildId = Code[0].BuildId;
    Parts.BuildIdBytes = Code[0].BuildIdSize;
  }
  if (TheOptions.LogExeName)
    Parts.ProgramName = program_invocation_short_name;
  Parts.Suffix = TheOptions.LogSuffix.text();
  IsContinuous = TheOptions.Continuous;
  FixedString Name;
  {
    Message Error;
    Error << "the profile's name " << Pattern << " ";
    if (expandFileName(Pattern, Parts, Name, IsContinuous, Error)) {
      Error.discard();
    } else {
      Error << "; profiles go to " << format::DefaultProfileFileName
            << ".PID\n";
      reportNameOnce(Error);
      Name.clear();
      Name << format::DefaultProfileFileName << "." << Parts.ProcessId;
    }
  }
  refuseOthersDirectory(Name);
  File.setPath(Name.text());
  Continuous.abandon();
  SyncIntervalMs = 1;
  HasEnded = false;
  IsContinuous &= HasPlace;
  if (IsContinuous && (stream() || TheOptions.PrintText)) {
    IsContinuous = false;
    Message() << "only a raw profile in a file can be continuous; this one is "
                 "written at the end\n";
  }
}

void Runtime::startService() {
  if (!IsContinuous && !TheOptions.DumpSignal && !TheOptions.ResetSignal)
    return;
  if (!TheService.start(
          [](uint32_t Requests) { return Instance.serve(Requests); }))
    Message() << "cannot start a thread: the profile is written at the end "
                 "only\n";
}

void Runtime::setUpProcess() {
  // Without a lock, which a fork could leave to a child.
  if (HasProcess.exchange(true))
    return;
  InsideRuntime Inside;
  sys::useLibc();
  libc().resolve();
  findOperatorStubs();
  if (Over) {
    // The leader may be in another.
    Over->AddNamespaceOf(reinterpret_cast<uintptr_t>(&Instance));
    return;
  }
  checkAllocator();
  if (IsPassedBy)
    return;
  Allocated.standInForEarlier();
  Rules.enable();
  Caches.watchThreads([](void *Cache) {
    Instance.Caches.threadEnds(*static_cast<ThreadCache *>(Cache));
  });
  Code.update();
  // Now, as in the child of a fork the environment may be half changed.
  if (const char *Directory = secure_getenv("TMPDIR"))
    TemporaryDirectory << Directory;
  setLogPath();
  // The first exit handler to be registered is the last to run. It belongs to
  // no library: what does is run when the library's own destructors are.
  __cxa_atexit(
      [](void *) {
        if (Instance.TheOptions.StatisticsAtExit)
          Instance.printStatistics();
        Instance.dumpAtEnd();
      },
      nullptr, nullptr);
  at_quick_exit([] { Instance.dumpAtEnd(); });
  pthread_atfork([] { Instance.lockAll(); }, [] { Instance.unlockAll(); },
                 [] { Instance.continueInChild(); });
  installSignalHandlers(TheOptions);
  startService();
}

void Runtime::checkCounters(uint32_t Bytes) {
  if (Over)
    return Over->CheckCounters(Bytes);
  if ((Bytes == 1) == shadow::IsHistogram || HasMixedCounters.exchange(true))
    return;
  Message() << "some parts of this program were compiled for histograms "
               "(-thermocline-generate-histogram) and others were not; no "
               "profile will be written\n";
}

int Runtime::unloadLibrary(int (*Unload)(void *), void *Library) {
  if (Over)
    return Over->UnloadLibrary(Unload, Library);
  int Result = Code.unloadLibrary([&] { return Unload(Library); });
  Rules.clear();
  return Result;
}

//===-- Requests ----------------------------------------------------------===//

void Runtime::request(int Signal) {
  if (Signal == TheOptions.DumpSignal)
    TheService.request(Service::Dump);
  if (Signal == TheOptions.ResetSignal)
    TheService.request(Service::Reset);
}

uint64_t Runtime::serve(uint32_t Requests) {
  if (Requests & Service::Dump)
    dump();
  if (Requests & Service::Reset)
    reset();
  constexpr uint64_t Never = 1000 * 1000;
  if (!IsContinuous)
    return Never;
  // So that profiling costs at most this part of a CPU.
  constexpr uint64_t CostPart = 64;
  uint64_t Begin = sys::threadMicroseconds();
  {
    Guard G(Dumping);
    if (!HasEnded && !HasMixedCounters.load() && !sync())
      IsContinuous = false;
  }
  uint64_t Cost = (sys::threadMicroseconds() - Begin) * CostPart / 1000;
  uint64_t Result = SyncIntervalMs;
  SyncIntervalMs = SyncIntervalMs * 2 < TheOptions.SyncIntervalMs
                       ? SyncIntervalMs * 2
                       : TheOptions.SyncIntervalMs;
  return Result > Cost ? Result : Cost;
}

//===-- Fork --------------------------------------------------------------===//

/// Another dump waits for what a thread was interrupted with, but not long.
static constexpr unsigned MaxWaitForDumpSeconds = 20;

// Of libc: the lock of all its files, which it takes in fork() after it has
// called fork handlers. Static programs need not have it.
extern "C" {
__attribute__((weak)) void _IO_list_lock() noexcept;
__attribute__((weak)) void _IO_list_unlock() noexcept;
/// Makes it that of nobody.
__attribute__((weak)) void _IO_list_resetlock() noexcept;
}

void Runtime::lockAll() {
  // A signal handler that forks must not wait for what it interrupted; if there
  // are no other threads but the service's, it need not.
  ThreadState &Thread = thisThread();
  Thread.ForksInterrupted = Caches.isInterrupted();
  if (Thread.ForksInterrupted) {
    Thread.ForksUndumped = Dumping.lockOrGiveUp(MaxWaitForDumpSeconds);
    return;
  }
  // A thread that registers a handler allocates with a lock that fork() takes
  // next.
  beginFork();
  ForkHandlers.lock();
  // In the order in which they are taken elsewhere. A thread that flushes all
  // files may allocate with libc's lock, and would wait for this one, for which
  // this one would wait in fork() with ours.
  // Where there are no other threads, libc leaves it alone, too.
  Thread.HoldsFileList = _IO_list_lock && !__libc_single_threaded;
  if (Thread.HoldsFileList)
    _IO_list_lock();
  Dumping.lock();
  Code.lock();
  Caches.lockAll();
  TheContexts.lockAll();
  TheHeap.lockAll();
  // Fork handlers that the program registered before ours come after this one.
  Thread.HoldsAllLocks = true;
}

void Runtime::unlockInterrupted() {
  if (thisThread().ForksUndumped)
    Dumping.unlock();
}

void Runtime::unlockAll() {
  if (thisThread().ForksInterrupted) {
    unlockInterrupted();
    return;
  }
  thisThread().HoldsAllLocks = false;
  TheHeap.unlockAll();
  TheContexts.unlockAll();
  Caches.unlockAll();
  Code.unlock();
  Dumping.unlock();
  if (thisThread().HoldsFileList)
    _IO_list_unlock();
  ForkHandlers.unlock();
  endFork();
  Allocated.releaseDeferred(/*Counts=*/true);
}

void Runtime::continueInChild() {
  forgetForks();
  if (thisThread().ForksInterrupted) {
    Caches.abandonAll();
    unlockInterrupted();
  } else {
    thisThread().HoldsAllLocks = false;
    TheHeap.unlockAll();
    Caches.inheritAll();
    TheContexts.unlockAll();
    Caches.unlockAll();
    Code.unlock();
    Dumping.unlock();
    if (thisThread().HoldsFileList)
      _IO_list_resetlock();
    ForkHandlers.unlock();
    Allocated.releaseDeferred(/*Counts=*/false);
  }
  InsideRuntime Inside;
  // What ended before belongs to the parent's profile; what lives may be used
  // by either.
  TheContexts.clearMeasures();
  RunBeginMs = Allocated.elapsedMs();
  setLogPath();
  TheService.restartInChild();
}

//===-- Profile -----------------------------------------------------------===//

void Runtime::collect(Snapshot &S) {
  if (!S.isValid())
    return;
  Allocated.visitLive([&](const LiveAllocation &A) {
    S.add(A.Context, measuresOf(A.Life), A.Weight, A.Counters);
  });
  // The clocks of two threads may differ by a millisecond.
  uint64_t Now = Allocated.elapsedMs();
  S.Run.BeginMs = RunBeginMs;
  S.Run.EndMs = Now < RunBeginMs ? RunBeginMs : Now;
  if (Allocated.Use.SampleInterval != 1)
    S.limitDensities(Allocated.places(), Allocated.Use.SampleInterval);
  // Nothing counts accesses in a program that is not instrumented.
  if (thermocline_is_preloaded || IsUncounted.load())
    S.markAccessesUnknown();
}

/// Before the program itself has allocated, LLVM's tools find nothing in the
/// profile that they know and refuse it.
bool Runtime::isWorthAFile(const Snapshot &S) const {
  // A program all of whose allocations come from libraries has to be content
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
  // What it gives up is in the next one.
  Caches.flushMeasures(/*GiveUp=*/true);
  Snapshot S(TheContexts);
  collect(S);
  if (!S.isValid() || !Code.size())
    return true;
  if (!Continuous.isOpen() && !isWorthAFile(S))
    return true;
  return Continuous.sync(S, Code, File);
}

bool Runtime::writeProfile(const Snapshot &S) {
  long Error = 0;
  auto Write = [&](FileWriter &Out) {
    if (!TheOptions.PrintText) {
      writeRawProfile(S, Code, Out);
      return;
    }
    TextWriter Text(Out.descriptor());
    writeTextProfile(S, TheOptions.PrintTerse, Text);
    if (!Text.flush())
      Out.fail(-EIO);
  };
  if (int Stream = stream()) {
    int Fd = sys::borrowDescriptor(Stream);
    {
      FileWriter Out(Fd);
      Write(Out);
      Out.flush();
      Error = Out.error();
    }
    sys::returnDescriptor(Fd);
    if (Error)
      Message() << "cannot write the profile to " << profilePath() << ": "
                << sys::errorText(Error) << "\n";
    return !Error;
  }
  if (!File.replace(Write)) {
    // What was written continuously is still there: as good, but larger.
    return Continuous.isOpen() && Continuous.sync(S, Code, File);
  }
  Continuous.abandon();
  if (TheOptions.Verbosity)
    Message() << "profile written to " << File.writtenPath().text() << "\n";
  return true;
}

bool Runtime::dump(DumpAt At) {
  if (Over)
    return Over->Dump();
  const bool GiveUp = At == DumpAt::FatalSignal || Caches.isInterrupted();
  if (!HasProcess.load() || HasMixedCounters.load() || !HasPlace || IsPassedBy)
    return false;
  InsideRuntime Inside;
  sys::QuietWrites Quiet;
  GuardOrGiveUp G(Dumping, GiveUp, MaxWaitForDumpSeconds);
  // Interrupted in the midst of a dump: this one's file would be the same.
  if (!G.isHeld())
    return false;
  bool Done = false;
  // In a static program libc's exit() comes here by its last handler, and by
  // calling our _exit().
  if (At == DumpAt::End && HasEnded)
    return false;
  Code.update(GiveUp);
  if (!GiveUp)
    Allocated.releaseDeferred(/*Counts=*/true);
  Caches.flushMeasures(GiveUp);
  Snapshot S(TheContexts);
  collect(S);
  if (S.isValid())
    HasDumped |= Done = writeProfile(S);
  else
    Message() << "no memory to write the profile\n";
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
  HasEnded |= At == DumpAt::End;
  return Done;
}

void Runtime::dumpAtEnd() {
  if (Over)
    return Over->DumpAtEnd();
  if (TheOptions.DumpAtExit && sys::processId() == ProcessId)
    dump(DumpAt::End);
}

void Runtime::dumpInFatalSignal() {
  InsideRuntime::enter();
  if (sys::processId() == ProcessId)
    dump(DumpAt::FatalSignal);
}

void Runtime::goOn() {
  if (Over)
    return Over->GoOn();
  // A handler may have come upon a dump that this thread is in the midst of.
  if (sys::processId() != ProcessId)
    return;
  GuardOrGiveUp G(Dumping);
  if (G.isHeld())
    HasEnded = false;
}

void Runtime::printStatistics() {
  if (Over)
    return Over->PrintStatistics();
  InsideRuntime Inside;
  Caches.flushMeasures(/*GiveUp=*/true);
  uint64_t Ended = 0, EndedBytes = 0;
  for (uint32_t Number = 0, Count = TheContexts.size(); Number != Count;
       ++Number) {
    const MemInfoBlock Measures = TheContexts.view(Number).Measures;
    Ended += Measures.AllocCount;
    EndedBytes += Measures.TotalSize;
  }
  const Allocations::Amount InUse = Allocated.inUse();
  const Heap::Sizes Sizes = TheHeap.sizes();
  auto Mebibytes = [](uint64_t Bytes) { return Bytes >> 20; };
  TextWriter(2) << "Stats: " << Mebibytes(EndedBytes + InUse.Bytes)
                << "M malloced by " << Ended + InUse.Count << " calls\n"
                << "Stats: " << Mebibytes(EndedBytes) << "M freed by " << Ended
                << " calls\n"
                << "Stats: " << Mebibytes(InUse.Bytes) << "M in " << InUse.Count
                << " allocations in use, "
                << Mebibytes(Sizes.SmallBytes + Sizes.LargeBytes)
                << "M of addresses for blocks\n";
}

void Runtime::reset() {
  if (Over)
    return Over->Reset();
  Guard G(Dumping);
  Caches.forgetMeasures();
  TheContexts.clearMeasures();
  RunBeginMs = Allocated.elapsedMs();
  // A file that holds the round that was dumped stays as it is; one that was
  // only written from time to time goes on with the new round.
  if (HasDumped || !Continuous.isOpen()) {
    Continuous.abandon();
    File.startNew();
  }
  HasDumped = false;
}
