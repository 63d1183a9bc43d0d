//===- lifecycle/Runtime.h - The runtime's one state object -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_RUNTIME_H
#define THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_RUNTIME_H

#include "Options.h"
#include "heap/Allocations.h"
#include "heap/Heap.h"
#include "heap/ThreadCache.h"
#include "heap/WatchedPages.h"
#include "heap/WindowScan.h"
#include "measure/Contexts.h"
#include "output/ContinuousFile.h"
#include "output/ProfileFile.h"
#include "output/Segments.h"
#include "platform/HiddenThread.h"
#include "platform/Lock.h"
#include "process/StandbySocket.h"
#include <signal.h>

namespace thermocline::runtime {

/// The state of the runtime, except for each thread's own. All zeros is a valid
/// state: the first allocation may come before any constructor.
class Runtime {
public:
  /// The only object of this class.
  static Runtime &get() {
    if (__builtin_expect(!Instance.HasMemory.load(), false))
      Instance.setUpMemory();
    return Instance;
  }

  /// The second half of the set-up, for which libc must be ready: called by
  /// the constructors of instrumented modules. Only the first call counts.
  void setUpProcess();

  /// Notes that there is code that was instrumented for sampling.
  void noteCodeForSampling();

  Allocations &allocations() { return Allocated; }
  Heap &heap() { return TheHeap; }
  /// Prints on standard error how much was allocated since the program started,
  /// forked or began a new round, and how much is in use.
  void printStatistics();
  /// Calls \p Unload with \p Library. This may unload libraries.
  int unloadLibrary(int (*Unload)(void *), void *Library);
  const Options &options() const { return TheOptions; }
  /// Whether the option "programs" has the name of this one, or there is none.
  bool isListedProgram() const;
  /// Whether the runtime is as good as not there: the preloaded library in a
  /// program that is not to be profiled, or that has no addresses for it. Then
  /// it reserves nothing, and all memory is that of the allocator below.
  bool isAbsent() const { return IsAbsent; }
  /// There is code that counts accesses, so there must be counters, even if
  /// nobody reads them.
  void letCodeCount();
  /// Whether the program's own allocator may serve it, and offer its objects.
  bool maySample() const;
  /// The allocator is to do so, by \p Functions, which live as long as the
  /// process. \returns false if another is in its place already.
  bool join(const format::AllocatorFunctions &Functions);
  /// The lock to be held while a handler for fork() is registered, outside of
  /// all other locks.
  Lock &forkHandlers() { return ForkHandlers; }

  /// From now on profiles go to the file \p Path, as the option log_path says,
  /// or, if \p Stream is not 0, to that descriptor.
  void setProfilePath(const char *Path, int Stream = 0);
  /// The path of the next profile, or "stdout", "stderr".
  const char *profilePath();

  enum class DumpAt {
    Any,
    /// At the end of the program. This happens once. Nothing is written after
    /// it, unless the program does not end then: see goOn().
    End,
    /// In the handler of a fatal signal. It may have interrupted the runtime,
    /// so the dump goes on without a lock that it cannot get.
    FatalSignal,
  };
  /// Writes the profile of everything up to now to its file. \returns whether a
  /// profile was written.
  bool dump(DumpAt When = DumpAt::Any);

  /// Calls dump() if the options want a profile at the end of the program, and
  /// if this is not a child that still shares its parent's memory. Nothing is
  /// written after it, unless the program does not end then: see goOn().
  void dumpAtEnd();
  /// Does what dumpAtEnd() does, in a handler of a signal that ends the
  /// program, and may leave a core file.
  void dumpInFatalSignal(bool LeavesCore);

  /// Called if the program goes on after dumpAtEnd(), because an exec has
  /// failed.
  void goOn();

  /// Forgets the allocations that have ended, and keeps those that live. The
  /// next dump() writes another file.
  void reset();

  /// The program is in the phase \p Name from now on; in none if it is null or
  /// empty.
  void setPhase(const char *Name);

  /// With the option test_clock: so much time passes, all at once. Returns when
  /// the runtime's threads have done what is due by then, and what signals have
  /// asked for. Not in a signal handler. \returns false, and does nothing,
  /// without the option.
  bool passTime(uint64_t Microseconds);

  /// Notes that a module of the program has counters of \p Bytes bytes. If
  /// other modules have others, the counts mean nothing.
  void checkCounters(uint32_t Bytes);

  /// Asks for what the options say of \p Signal; it is done soon. Called by the
  /// signal's handler.
  void request(int Signal);

  /// What sigaction() does, but the program sees the default action where a
  /// handler of the runtime's is set, which stays when the program sets that.
  int changeAction(int Signal, const struct sigaction *New,
                   struct sigaction *Old);
  /// The same for sigaltstack(). \returns 0 or -errno.
  long changeSignalStack(const stack_t *New, stack_t *Old);

private:
  void setUpMemory();
  void follow(const Leader &L);
  void lead();
  void checkAllocator();
  void readOptions();
  void applyOptions();
  bool mayReserve();
  void giveWay();
  /// Lets forks wait for the runtime from now on, and exits write the profile.
  void registerEnds();
  /// Sets the file's name, and decides whether the file is written
  /// continuously.
  void setLogPath() THERMOCLINE_REQUIRES(Dumping);
  /// The file's name, from the pattern that options or program give.
  void expandLogPath(FixedString &Name) THERMOCLINE_REQUIRES(Dumping);
  /// The descriptor that profiles go to if it is not a file's name; else 0.
  int stream() const THERMOCLINE_REQUIRES(Dumping);
  const char *pathText() const THERMOCLINE_REQUIRES(Dumping);
  /// Drops \p Error, about the profile's name, if such an error was reported
  /// before, so that not each child reports it again.
  void reportNameOnce(TextWriter &Error) THERMOCLINE_REQUIRES(Dumping);
  void refuseOthersDirectory(const FixedString &Name)
      THERMOCLINE_REQUIRES(Dumping);
  /// What signals ask for, as bits.
  enum Request : uint32_t { DumpRequest = 1, ResetRequest = 2 };
  /// Starts the thread that does it, and keeps the continuous file up to date,
  /// if the program asks for either.
  void startServer();
  void continueServer();
  /// What that thread does. \returns as HiddenThread's worker.
  uint64_t serve();
  void startWindows();
  /// Watches objects, if the options say so and it can be done.
  void startToWatch();
  /// The thread that ends windows.
  void startScanner();
  /// Prepares for recordings, which others ask for.
  void startStandby();
  /// What that thread does then. \returns as HiddenThread's worker.
  uint64_t standBy();
  void beginRecording();
  /// Ends the recording, if there is one, and writes the profile where it is to
  /// go if \p Writes.
  void endRecording(bool Writes);
  bool writeRecording();
  /// There are counters that go on to count, so that windows mean something.
  bool mayHaveWindows() const;
  /// Brings the continuous file up to date, if there is one. \returns when to
  /// do it again, in ms.
  uint64_t syncInTurn();
  bool sync() THERMOCLINE_REQUIRES(Dumping);
  /// Whether the profile says something about the program already.
  bool isWorthAFile(const Snapshot &S) const;
  /// Adds to \p S the allocations that live, and what holds for the whole
  /// profile. \p When says whether the last window ends, too. If \p GiveUp,
  /// there are no windows unless their lock can soon be taken.
  void collect(Snapshot &S, DumpAt When, bool GiveUp)
      THERMOCLINE_REQUIRES(Dumping);
  void collectWindows(Snapshot &S, DumpAt When, bool GiveUp);
  void writeTo(FileWriter &Out, const Snapshot &S);
  bool writeToStream(int Stream, const Snapshot &S)
      THERMOCLINE_REQUIRES(Dumping);
  bool writeProfile(const Snapshot &S) THERMOCLINE_REQUIRES(Dumping);
  /// Reports which tables were full.
  void reportLimits();
  // No scope holds the locks around a fork: one handler takes them, and another
  // releases them. So these are not checked.
  void lockAll() THERMOCLINE_UNCHECKED;
  void unlockAll() THERMOCLINE_UNCHECKED;
  void unlockInterrupted() THERMOCLINE_UNCHECKED;
  void continueInChild() THERMOCLINE_UNCHECKED;

  static Runtime Instance;
  /// These tables are all zeros. They are apart from the one object, because in
  /// it they would take room in the program's file and be read with it.
  static UnwindRules Rules;
  static TouchedCalls Touched;

  Lock Starting;
  Lock ForkHandlers;
  Atomic<bool> HasMemory;
  Atomic<bool> HasProcess;
  /// The copy of the runtime that does everything, if it is another.
  const Leader *Over = nullptr;
  /// Whether the program's malloc is not the runtime's.
  bool IsPassedBy = false;
  bool IsAbsent = false;
  Heap TheHeap;
  Contexts TheContexts;
  /// Whether the heap is at addresses where code for sampling does not count.
  Atomic<bool> IsUncounted;
  ThreadCaches Caches;
  Allocations Allocated;
  WatchedPages Watched;
  OrderSpace Order;
  WindowScan Windows;
  HiddenThread Scanner;
  /// These belong to the scanner's thread, but for IsRecording.
  StandbySocket Requester;
  Atomic<bool> IsRecording;
  /// Whether the program ends, and the recording with it.
  Atomic<bool> IsEnding;
  Segments Code;
  Options TheOptions;
  /// The value of $TMPDIR at the start.
  FixedString TemporaryDirectory;
  HiddenThread Server;
  bool HasServer = false;
  /// Bits of Request.
  Atomic<uint32_t> Requests;
  /// Whether some modules have counters for histograms and others do not.
  Atomic<bool> HasMixedCounters;
  /// Guarded by no lock: it changes only where the process has one thread that
  /// could ask, at the start and in a child after its fork.
  int ProcessId = 0;

  /// How long a dump waits for another one that its own thread was interrupted
  /// in.
  static constexpr unsigned MaxWaitForDumpSeconds = 20;
  /// Guards the dump as a whole, the members that follow, and
  /// TheOptions.LogPath. The other options stay as they were read at the start.
  Lock Dumping;
  ProfileFile File THERMOCLINE_GUARDED_BY(Dumping);
  ContinuousFile Continuous THERMOCLINE_GUARDED_BY(Dumping);
  bool IsContinuous THERMOCLINE_GUARDED_BY(Dumping) = false;
  /// Whether there was a dump since the last reset().
  bool HasDumped THERMOCLINE_GUARDED_BY(Dumping) = false;
  /// When the run that the profile is about began; see format::RunRecord.
  uint64_t RunBeginMs THERMOCLINE_GUARDED_BY(Dumping) = 0;
  /// Whether it was reported that the name stands for none, or must not be
  /// written.
  bool HasReportedName THERMOCLINE_GUARDED_BY(Dumping) = false;
  /// The stream that setProfilePath() was given.
  int OwnStream THERMOCLINE_GUARDED_BY(Dumping) = 0;
  /// Whether there is somewhere to write the profile.
  bool HasDestination THERMOCLINE_GUARDED_BY(Dumping) = false;
  /// Whether dumpAtEnd() was called, after which the file is final.
  bool HasEnded THERMOCLINE_GUARDED_BY(Dumping) = false;
  /// Milliseconds to the next sync; grows from 1 to the option's.
  uint64_t SyncIntervalMs THERMOCLINE_GUARDED_BY(Dumping) = 1;
};

} // namespace thermocline::runtime

#endif
