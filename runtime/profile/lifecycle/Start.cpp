//===- profile/lifecycle/Start.cpp - How the runtime starts ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime starts in two steps. The first allocation, which may come before
// any constructor and before libc is ready, sets up memory and options. The
// first constructor of an instrumented module sets up what belongs to the
// process.
//
//===----------------------------------------------------------------------===//

#include "Preload.h"
#include "Runtime.h"
#include "Signals.h"
#include "arch/AddressSpace.h"
#include "heap/Hooks.h"
#include "measure/Shadow.h"
#include "output/DumpPages.h"
#include "output/FileName.h"
#include "platform/LibcFunctions.h"
#include "platform/System.h"
#include "platform/TestClock.h"
#include "platform/Thread.h"
#include "process/Environment.h"
#include "process/Fatal.h"
#include "process/OtherTools.h"
#include "process/ProgramSymbols.h"
#include "unwind/CallStack.h"
#include "unwind/ThreadStack.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/resource.h>

using namespace thermocline::runtime;

extern "C" {
__attribute__((weak)) extern const bool thermocline_is_preloaded = false;
int __cxa_atexit(void (*)(void *), void *, void *) noexcept;
}

//===-- Memory ------------------------------------------------------------===//

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
}

void Runtime::applyOptions() {
  TextWriter Errors(2);
  if (TheOptions.TestClock)
    TestClock::start();
  Allocated.startClock();
  Allocated.Use.CountLikeLlvm = TheOptions.CountLikeLlvm;
  CaptureSettings &Capture = Allocated.finding();
  Capture.Limit = TheOptions.MallocContextSize;
  Capture.FoldRecursion = TheOptions.FoldRecursion;
  Capture.Rules = TheOptions.UnwindTables ? &Rules : nullptr;
  Capture.KeepAll = thermocline_is_preloaded;
  if (TheOptions.Standby && !thermocline_is_preloaded) {
    Errors << "Thermocline: standby=1 is for programs that are not "
              "instrumented (libthermocline_preload.so), and ignored\n";
    TheOptions.Standby = false;
  }
  if (TheOptions.Standby)
    Allocated.Use.letChange();
  else if (TheHeap.ownsRange() && !shadow::IsHistogram)
    Allocated.Use.sample(static_cast<uint32_t>(TheOptions.SampleInterval));
  else if (TheOptions.SampleInterval != 1)
    Errors << (shadow::IsHistogram
                   ? "Thermocline: histograms cannot be sampled"
                   : "Thermocline: the addresses that sampling needs are taken")
           << "; all allocations are recorded\n";
  const bool IsWatched = TheOptions.PageTouches || TheOptions.Standby;
  TheTouchPageShift = static_cast<uint8_t>(__builtin_ctzll(
      TheOptions.PageKib && !IsWatched ? TheOptions.PageKib * 1024
                                       : pageBytes()));
  TheContexts.limit(static_cast<uint32_t>(TheOptions.MaxContexts),
                    TheOptions.MaxDepotMegabytes << 20);
}

/// Defined in OverflowContext.cpp, or by the program.
extern "C" __attribute__((visibility("default"))) void
thermocline_contexts_beyond_the_limit();

static Contexts::Capacity contextCapacity() {
  Contexts::Capacity Result;
  Result.Bytes = arch::Plan.tableBytes(Result.Bytes);
  // Within the function, as a return address minus 1 is.
  Result.OverflowCall =
      reinterpret_cast<uint64_t>(thermocline_contexts_beyond_the_limit) + 1;
  return Result;
}

/// Ends the program if there is a sanitizer. Otherwise the sanitizer would end
/// it, or would see nothing.
static void refuseSanitizers() {
  const char *Name = conflictingSanitizer();
  if (!Name)
    return;
  FixedString Text;
  Text << "a program cannot be profiled and have " << Name
       << ", as both replace malloc: build it without one of them";
  sys::fatal(Text.text());
}

/// Asks for the size of pages. Ends the program where they are larger than
/// those of any kernel that is known.
static void findPageSize() {
  const uint64_t Bytes = getauxval(AT_PAGESZ);
  if (Bytes <= MostPageBytes) {
    if (Bytes > LeastPageBytes)
      ThePageBytes = Bytes;
    return;
  }
  FixedString Text;
  Text << "programs can be profiled only where memory has pages of up to "
       << uint64_t(MostPageBytes / 1024) << " KiB: this kernel's have "
       << Bytes / 1024 << " KiB";
  sys::fatal(Text.text());
}

static uint64_t bytesToReserve() {
  return ((uint64_t(1) << arch::Plan.Bits) >> shadow::Scale) +
         (uint64_t(sizeclass::Count) << arch::Plan.RegionShift);
}

/// Says which limit it is that addresses cannot be reserved for.
static void describeLimit(FixedString &Reason) {
  const uint64_t GiB = bytesToReserve() >> 30;
  FixedString Needed;
  if (GiB < 1024)
    Needed << GiB << " GiB";
  else
    Needed << (GiB + 1023) / 1024 << " TiB";
  if (runsUnderValgrind()) {
    Reason << "a program that is profiled cannot run under Valgrind, which has "
              "no room for the "
           << Needed.text() << " of addresses that profiling needs";
    return;
  }
  Reason << "cannot reserve the addresses that profiling needs ("
         << Needed.text() << ", of which little is used): ";
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
}

/// Ends the program, and says which limit did it.
[[noreturn]] static void failToReserve() {
  FixedString Reason;
  describeLimit(Reason);
  sys::fatal(Reason.text());
}

//===-- Programs that are left alone --------------------------------------===//

/// Whether the program is to be profiled, and can be. Says what is in the way.
/// Code that counts accesses cannot do without the addresses, so this is asked
/// only of the library for programs that have none.
bool Runtime::mayReserve() {
  const char *Name = nameOfProgram();
  if (Name && !TheOptions.Programs.empty() &&
      !isListed(Name, TheOptions.Programs.text()))
    return false;
  // There is more to reserve, but this is nearly all.
  const size_t Bytes = bytesToReserve();
  if (void *Range = sys::mapPages(Bytes)) {
    sys::unmapPages(Range, Bytes);
    return true;
  }
  FixedString Reason;
  describeLimit(Reason);
  Message() << Reason.text() << ": nothing is recorded\n";
  return false;
}

void Runtime::giveWay() {
  if (!libc().resolveAllocatorOnly())
    sys::fatal("there is no malloc but that of the profiler");
  IsAbsent = IsPassedBy = true;
  Allocated.giveWay();
}

void Runtime::letCodeCount() {
  if (!IsAbsent || shadow::isInitialized())
    return;
  if (const Leader *Other = findLeader()) {
    shadow::setBase(Other->ShadowBase, Other->IsHistogram);
    shadow::SkipsUncounted = Other->SkipsUncounted;
  } else if (!shadow::initialize()) {
    failToReserve();
  }
}

//===-- The first step ----------------------------------------------------===//

void Runtime::setUpMemory() {
  Guard G(Starting);
  if (HasMemory.load())
    return;
  findPageSize();
  // The kernel puts the random bytes where the stack begins.
  if (const uint64_t StackBegin = getauxval(AT_RANDOM))
    arch::choosePlan(StackBegin);
  findProgramSymbols();
  const Leader *Other = findLeader();
  if (!Other) {
    readOptions();
    if (thermocline_is_preloaded && !mayReserve()) {
      giveWay();
      HasMemory.store(true);
      return;
    }
  }
  refuseSanitizers();
  if (Other) {
    follow(*Other);
    HasMemory.store(true);
    return;
  }
  if (!shadow::initialize() || !TheHeap.initialize() ||
      !TheContexts.initialize(contextCapacity()) ||
      !Caches.initialize(&TheHeap, &TheContexts))
    failToReserve();
  shadow::SkipsUncounted = TheHeap.usesRange();
  // Enough for a snapshot of as many contexts as there may be.
  dumppages::reserve(arch::Plan.tableBytes(size_t(1) << 37));
  initializeStacks();
  Allocated.initialize(&TheHeap, &TheContexts, &Caches, &Touched);
  if (hooks::areDefined())
    Allocated.callHooks();
  applyOptions();
  lead();
  HasMemory.store(true);
}

//===-- Process -----------------------------------------------------------===//

void Runtime::setUpProcess() {
  // There is no lock here, as a child could inherit it from a fork.
  if (HasProcess.exchange(true))
    return;
  InsideRuntime Inside;
  sys::useLibc();
  if (IsAbsent) {
    libc().resolveStrings();
    findSignalFunctions();
    return;
  }
  if (thermocline_is_preloaded)
    libc().letAllocatorJoin();
  libc().resolve();
  findSignalFunctions();
  if (Over) {
    // The leader may be in another namespace of the loader.
    Over->AddNamespaceOf(reinterpret_cast<uintptr_t>(&Instance));
    return;
  }
  checkAllocator();
  if (IsPassedBy)
    return;
  if (TheOptions.Standby)
    Allocated.delegateAll();
  // An allocator that has joined brings its own.
  if (!libc().Allocator.Joined)
    Allocated.addEarlierPlaceholders();
  Rules.enable();
  Caches.watchThreads([](void *Cache) {
    Instance.Caches.threadEnds(*static_cast<ThreadCache *>(Cache));
  });
  // This is read now, as in the child of a fork the environment may be half
  // changed.
  if (const char *Directory = secure_getenv("TMPDIR"))
    TemporaryDirectory << Directory;
  ProcessId = sys::processId();
  registerEnds();
  Code.update();
  {
    Guard G(Dumping);
    setLogPath();
  }
  if (TheOptions.Standby) {
    startStandby();
    return;
  }
  // Other programs write nothing, so they keep their signals and threads.
  if (!isListedProgram())
    return;
  installSignalHandlers(TheOptions);
  startServer();
  startWindows();
}

void Runtime::registerEnds() {
  // First, as a child would inherit a lock that the start has just taken.
  pthread_atfork([] { Instance.lockAll(); }, [] { Instance.unlockAll(); },
                 [] { Instance.continueInChild(); });
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
}
