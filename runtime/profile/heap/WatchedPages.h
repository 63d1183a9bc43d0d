//===- profile/heap/WatchedPages.h - Objects on own pages -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells whether objects were touched where no code counts accesses: in programs
// that are not instrumented. Each watched object has a page of its own, in
// memory that is mapped as shared. To take such a page out of the page table
// does not lose what is in it: the next access, also one by the kernel, brings
// it back by a minor fault, which no signal handler sees. /proc/self/pagemap
// then says that it is there again.
//
// A look reads that for all watched pages, and takes those out that are there.
// So it knows which ones were touched since the look before.
//
// The kernel brings back up to 16 neighbours with a page that is read, if they
// are in memory, of 64 KiB in all. So only one page of each 64 KiB is used. An
// object begins somewhere in the first 4 KiB of its page, as objects at the
// beginning of pages would all compete for the same sets of a cache.
//
// There is room for few objects, which are chosen so that they can stand for
// all: WatchedSample.h.
//
// Core files leave this memory out, of which the kernel would make all pages
// for them. A signal that ends the program adds those of objects.
//
// A child of a fork would share the memory with its parent. It is to find there
// what its parent had at that moment, also what other threads have written
// while the fork was being prepared, and what handlers of the fork write before
// or behind the runtime's. Only the kernel can do that, with memory of the
// process's own. So the memory is a file without a name, which is mapped once
// more such that what is written does not reach the file. Before the fork this
// takes the place of the other: at once, so that no thread misses a moment.
// What becomes of it in the parent depends on whether there are other threads:
//
//   none    The parent copies what it has written meanwhile to the file, and
//           takes the first mapping back. It goes on as if nothing had been. So
//           that the child does not see what the parent writes from then on,
//           each object was written to before the fork, which copies its page.
//   some    They would write while that is copied. So the parent keeps the
//           memory as it is. Its objects are watched no more: windows begin
//           anew, with what is allocated from then on.
//
// In the child the objects are not watched. What is allocated later gets pages
// of another mapping, which the thread that looks makes, as it needs a file.
//
// Where there is no such file or no memory for this, the child gets a copy that
// is made before the fork, and moved to its place in the child's handler. It is
// read where the same memory is mapped for a second time, so that this touches
// nothing.
//
// A child that the program makes by a system call of its own has nothing at
// these addresses, and ends if it goes there.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_WATCHEDPAGES_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_WATCHEDPAGES_H

#include "Heap.h"
#include "WatchedSample.h"
#include "process/ThreadRights.h"

namespace thermocline::runtime {

class WatchedPages {
public:
  /// Finds out whether the kernel tells what is touched; if so, isOn(). \p H
  /// lives as long as the program, and ownsRange().
  void start(Heap *H);
  bool isOn() const { return IsOn.load(); }

  /// Room for \p Size bytes behind MinAlignment bytes, on a page that nothing
  /// else is on, for an object that stands for \p Weight. \returns 0 if it is
  /// not to be watched, or cannot be. By any thread.
  uintptr_t take(size_t Size, size_t Alignment, uint32_t Weight);
  /// \p Address came from take(), maybe long ago.
  void giveBack(uintptr_t Address);
  /// Whether \p Address came from take().
  bool contains(uintptr_t Address) const;

  /// Finds out which pages were touched since the last time. \returns false,
  /// with a message, if that is not known: then no look tells anything any
  /// more. Only by a thread that belongs to the runtime: it gets file
  /// descriptors of its own.
  bool look();
  /// \returns how long the page faults took, about, by which the pages came
  /// back that the last look has found touched.
  uint64_t faultsUs() const { return NumTouched * FaultNs / 1000; }
  /// Looks are too dear: half as many objects are watched at a time from now
  /// on.
  void watchFewer();
  /// To be called by that thread before the first look, as early as can be: the
  /// program may lose its way to /proc later. And from time to time, so that it
  /// loses the rights that the program loses, and makes room for more objects
  /// where a fork has left none. \returns the same as look().
  bool prepareLooks();
  /// Whether, since this was last asked, a fork has put an end to watching what
  /// was watched until then, by this process.
  bool hasLetGo() { return HasLetGo.exchange(false); }

  /// What looks have seen of the object at an address.
  struct Object {
    /// In how many looks it had been touched.
    uint32_t Touches = 0;
    /// How many objects it stands for; 0 if it is not watched, or no more.
    uint32_t Weight = 0;
  };
  Object find(uintptr_t Address) const;

  /// Lets a core file have all objects. By any thread, also in a handler of a
  /// signal: it only makes system calls.
  void showInCore() const;

  /// Around a fork, by the thread that forks: lets the child have all objects.
  /// \p IsInterrupted: another thread may look meanwhile. \returns whether
  /// there was anything to do; if not, the parent need not call
  /// continueInParent().
  bool prepareFork(bool IsInterrupted);
  /// \returns whether the thread that looks has something to do: hasLetGo().
  [[nodiscard]] bool continueInParent();
  void continueInChild(bool IsPrepared);

private:
  static constexpr unsigned NumPages = WatchedSample::MaxPages;
  static constexpr size_t Distance = size_t(64) << 10;
  static_assert(Distance % MostPageBytes == 0);
  static constexpr size_t MappedBytes = NumPages * Distance;
  /// What they may take.
  static constexpr size_t MostBytes = size_t(64) << 20;
  static_assert(MostBytes / MostPageBytes % 64 == 0);
  /// How many of the pages are used: fewer if the kernel's are large.
  static unsigned mostPages() {
    const size_t Room = MostBytes / pageBytes();
    return Room < NumPages ? static_cast<unsigned>(Room) : NumPages;
  }
  static constexpr unsigned WordBits = 64;
  static constexpr unsigned NumWords = NumPages / WordBits;
  /// The most mappings: those of the processes that this one descends from, and
  /// its own.
  static constexpr unsigned MaxMappings = 32;

  /// All zeros but for the addresses.
  struct Mapping {
    uintptr_t Base;
    /// Where the same memory is once more.
    uintptr_t Alias;
    /// As many addresses for the copy that a child may get. They are taken at
    /// once, as the program may limit its address space later.
    void *ForChild;
    /// Where the same memory is mapped so that what is written stays with the
    /// process; null if there is no such mapping. While it is at Base, nothing
    /// is here.
    void *Private;
    /// Addresses for what is at Base otherwise. Nothing is mapped there before.
    void *Aside;
    /// The next word of InUse to look for a free page in.
    Atomic<uint32_t> Turn;
    Atomic<uint32_t> NumUsed;
    Atomic<uint64_t> InUse[NumWords];
    /// Which objects are on the pages of a word, by when they are left out
    /// (WatchedSample), and 1; 0 if none were yet. So pages that need no look
    /// any more are mostly of the same words.
    Atomic<uint8_t> Classes[NumWords];
    Atomic<uint32_t> Touches[NumPages];
    WatchedSample Sample;
  };

  Mapping *makeMapping();
  void mapPrivately(Mapping &M, long File);
  void addMapping();
  static bool takePage(Mapping &M, unsigned Class, unsigned &Page);
  static bool takePageOf(Mapping &M, unsigned Word, unsigned &Page);
  const char *lookAt(Mapping &M, unsigned Word, long PageMap);
  const char *lookAtAll(Mapping &M);
  static bool isAnyWatched(const Mapping &M, unsigned Word);
  bool passesTest(Mapping &M);
  void turnOff(const char *Why);
  void stopLooks(const char *Why);
  template <typename Visitor>
  static void visitUsed(const Mapping &M, Visitor V);
  static bool setAside(Mapping &M);
  static void takeBack(Mapping &M);
  void copyForChild(const Mapping &M);
  void endFork();
  static unsigned pageOf(const Mapping &M, uintptr_t Address) {
    return static_cast<unsigned>((Address - M.Base) / Distance);
  }

  Heap *TheHeap = nullptr;
  Atomic<bool> IsOn;
  /// Null after a fork until one is wanted.
  Atomic<Mapping *> Present;
  Atomic<bool> IsWanted;
  Atomic<Mapping *> Mappings[MaxMappings];
  Atomic<uint32_t> NumMappings;
  Atomic<uint32_t> Draws;
  /// Whether a thread adds a mapping, or forks.
  Atomic<bool> IsAdding;
  Atomic<bool> IsForking;
  Atomic<bool> HasLetGo;
  /// How the child of the present fork gets its objects.
  enum class Way { Copied, SetAside, LetGo };
  Way TheWay = Way::Copied;
  /// What is forked.
  Mapping *Forked = nullptr;
  /// The copy for the child, if there is one, and the signals that the thread
  /// which forks had blocked.
  void *Copy = nullptr;
  uint64_t OldSignals = 0;
  /// While a look reads the page table and takes pages out of it. Nothing else
  /// waits for anything with this lock. A fork has it only if that interrupted
  /// the runtime; otherwise there are no looks meanwhile.
  Lock Looking;
  bool HoldsLooking = false;
  /// What the thread that looks has: the file that tells what was touched, and
  /// what it may do.
  long PageMap = -1;
  uint64_t NumTouched = 0;
  ThreadRights Rights;
  uint64_t FaultNs = 0;
};

} // namespace thermocline::runtime

#endif
