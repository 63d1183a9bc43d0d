//===- profile/heap/Allocations.h - Profiled allocations --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layer between the malloc family and the heap. A header of 32 bytes in
// front of each allocation holds what its record needs when it ends.
//
//   block:  [header][user bytes ............]
//   with an alignment above 32:
//           [header][.. padding ..][forward][user bytes ...]
//
// Invariant: the 32 bytes in front of the user's bytes are a header, or a
// forward that says how far back the block begins. A block's header is always
// at its beginning, where a walk over all blocks finds it.
//
// With sampling, allocations that are not recorded are delegated: they come
// from the allocator below the program's, usually libc's, and nothing is kept
// of them. The address alone tells whose an allocation is. As long as no access
// is known to any allocation from the same call, they are shadow-tracked
// instead: they come from the runtime's heap, and their counters say at the end
// whether they were accessed (TouchedCalls.h).
//
// An allocation that is recorded or shadow-tracked has a placeholder block in
// the allocator below: as much memory, which nobody uses, allocated and freed
// together with it. So all other allocations are where they would be without
// profiling, and caches, prefetchers and the allocator's own lists treat them
// as usual. The forward points to the placeholder:
//
// Where objects are watched (WatchedPages.h), what is recorded may be on a page
// of its own. Its header is elsewhere, as only the program is to touch the
// page:
//
//   block:  [header][where the user's bytes are, and the placeholder]
//   page:           [........ forward][user bytes ...]
//
// Where the program has an allocator of its own, with two heaps, that has made
// each allocation already when it is offered here
// (Format/Live/ProfilerFunctions.h). If it is recorded, what the allocator made
// is the placeholder.
//
// Sometimes nothing is allocated here, and everything is delegated to libc: if
// this copy of the runtime follows another (Leader.h), or if the program's
// malloc is not this runtime's. Also, memory that was allocated elsewhere may
// be freed here, by way of a library whose malloc is libc's (RTLD_DEEPBIND). It
// goes to the allocator below.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_ALLOCATIONS_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_ALLOCATIONS_H

#include "Heap.h"
#include "Leader.h"
#include "ThreadCache.h"
#include "WatchedNeighbors.h"
#include "WatchedPages.h"
#include "measure/ContextFinder.h"
#include "measure/Contexts.h"
#include "measure/Shadow.h"
#include "measure/TouchWindows.h"
#include "measure/TouchedCalls.h"
#include "platform/LibcFunctions.h"
#include <stddef.h>

namespace thermocline::runtime {

constexpr size_t MinAlignment = 32;

/// A small object of which it is known where it would lie in order, as found on
/// a look at its block.
struct PlacedObject {
  OrderPlace Place;
  unsigned Granules;
  /// The context of the object, or of the last one if it has ended.
  ContextId Context;
  /// Tells it from others at the same place.
  uint16_t Sequence;
  bool IsLive;
};

/// An allocation as found on a walk.
struct LiveAllocation {
  ContextId Context;
  uint32_t Weight;
  uintptr_t Address;
  /// The mark in the header. It may be another allocation's by now.
  TouchMark *Mark;
  uint16_t Sequence;
  Lifetime Life;
  ByteCounters Counters;
};

class Allocations {
public:
  /// All live as long as the program.
  void initialize(Heap *H, Contexts *C, ThreadCaches *T, TouchedCalls *P);

  /// How allocations are recorded; from the runtime's options and the program.
  struct Settings {
    bool CountLikeLlvm = false;
    /// Whether none of the following is set.
    bool IsPlain = true;
    /// Whether the program wants to be told of each allocation, see Hooks.h.
    bool HasHooks = false;
    /// Record one of this many allocations. It differs from 1 only if the heap
    /// uses its range, or for DelegateAll.
    uint32_t SampleInterval = 1;
    /// What recordings may cost where objects are watched, in thousandths of
    /// the processor time.
    uint32_t MostCost = 0;
    /// Whether the interval changes: what was delegated meets one of 1.
    bool MayChange = false;

    /// Other threads may allocate meanwhile, if MayChange.
    void sample(uint32_t Interval) {
      __atomic_store_n(&SampleInterval, Interval, __ATOMIC_RELAXED);
      if (!MayChange)
        IsPlain = Interval == 1 && !HasHooks;
    }
    /// Other threads may allocate meanwhile.
    void limitCost(uint64_t Thousandths) {
      __atomic_store_n(&MostCost, static_cast<uint32_t>(Thousandths),
                       __ATOMIC_RELAXED);
    }
    StratifiedSampler::Allowance allowed() const {
      return StratifiedSampler::allowance(
          __atomic_load_n(&MostCost, __ATOMIC_RELAXED));
    }
    /// From now on the interval may change.
    void letChange() {
      MayChange = true;
      IsPlain = false;
    }
  } Use;

  /// The sample interval at which nothing is recorded.
  static constexpr uint32_t DelegateAll = 0;
  /// Passes everything on to \p L, which lives as long as the program.
  void follow(const Leader &L) {
    Over = &L;
    delegateAll();
  }
  /// Delegates everything to the allocator below.
  void delegateAll() { Use.sample(DelegateAll); }
  /// Delegates everything, and owns nothing: initialize() is not called.
  void giveWay() {
    OwnsNothing = true;
    delegateAll();
  }

  /// From now on objects are watched by \p W, which isOn() and lives as long as
  /// the program.
  void watch(WatchedPages *W);
  WatchedPages *watched() const { return Watched; }

  /// From now on small objects have places in \p S, which isOn() and lives as
  /// long as the program. Only if all allocations are recorded.
  void placeIn(OrderSpace *S) { Places = S; }
  OrderSpace *places() const { return Places; }
  /// \returns false if no object with a place was last in \p Block. By any
  /// thread at any time.
  bool readPlaced(const void *Block, PlacedObject &Result) const;
  /// Where the bytes of such an object begin.
  static uintptr_t userOf(const void *PlacedBlock) {
    return reinterpret_cast<uintptr_t>(PlacedBlock) + sizeof(Header);
  }
  Heap &heap() const { return *TheHeap; }
  static void fetch(uintptr_t Block) {
    __builtin_prefetch(reinterpret_cast<const void *>(Block));
    __builtin_prefetch(shadow::counter(Block + MinAlignment));
  }

  /// From now on all hooks are called.
  void callHooks();

  /// How contexts are found, as the options say.
  CaptureSettings &finding() { return Finder.Use; }

  /// \p Size bytes (1 if 0) aligned to \p Alignment, a power of two, for
  /// \p Site. \returns null if there is no memory. \p Zeroed, if given, tells
  /// whether they are known to be zero.
  void *allocate(size_t Size, size_t Alignment, Caller Site,
                 bool *Zeroed = nullptr);

  /// The allocator below has made \p Own, not null, for \p Site. \returns Own,
  /// or, if the allocation is recorded, the memory that the program is to get
  /// instead.
  void *offer(void *Own, size_t Size, size_t Alignment, Caller Site);
  /// The placeholder of \p Address, which is an allocation of this runtime.
  /// Null if there is none.
  static void *placeholderOf(const void *Address);

  /// Allocations that are larger are few and make up the most of many totals:
  /// they are always recorded.
  static constexpr size_t AlwaysRecorded = size_t(1) << 20;

  /// Allocates placeholder blocks for the first MiB of what was allocated
  /// before the allocator below was known. To be called once it is. These
  /// blocks are never freed, as what libraries allocate to set themselves up
  /// mostly stays.
  void addEarlierPlaceholders();

  /// Whether all goes to the allocator below, and what comes from there back.
  bool delegatesAll() const {
    return Use.SampleInterval == DelegateAll && !Over && !Use.HasHooks &&
           libc().Allocator.IsKnown.loadRelaxed();
  }

  /// Short cuts for functions that the program called: whether the allocator
  /// below is to do the allocation, and all of it. For allocate() without an
  /// alignment. The shortest, which tells only of those that are not looked at,
  /// and is to come first:
  [[gnu::always_inline]] static bool isPassedOver(size_t Size) {
    ThreadState &Thread = thisThread();
    return __builtin_expect(Thread.Sampled != nullptr, false) &&
           Size <= AlwaysRecorded && Thread.Sampled->passesThisOver();
  }
  static bool isForBelow(size_t Size, Caller Site) {
    ThreadState &Thread = thisThread();
    return __builtin_expect(Thread.Sampled != nullptr, false) &&
           Size <= AlwaysRecorded &&
           Thread.Sampled->delegate(seenOf(Thread, Site));
  }
  /// The short cut for release(): whether it is for the allocator below.
  static bool isFromBelow(void *Address) {
    return __builtin_expect(thisThread().Sampled != nullptr, false) &&
           !Heap::isInRange(reinterpret_cast<uintptr_t>(Address));
  }

  /// Ends an allocation. Null is ignored; what may be the allocator's below
  /// goes there. What is no allocation aborts the program with a message, as
  /// libc does. \p Function is what the program called.
  void release(void *Address, const char *Function);

  /// Frees what could not be freed while a fork lasted. \p Counts: measures are
  /// recorded as well.
  void releaseDeferred(bool Counts);

  /// Ends an allocation and begins a new one with its contents, in the same
  /// place if that suffices. \returns null, with the old one untouched, if
  /// there is no memory. \p Function as of release().
  void *reallocate(void *Address, size_t Size, Caller Site,
                   const char *Function);

  /// The size that was asked for.
  size_t sizeOf(const void *Address) const;

  using Extent = ::thermocline::runtime::Extent;
  using Amount = ::thermocline::runtime::Amount;
  /// The allocation that \p Address lies in, which may be any address; {null,
  /// 0} if it lies in none, or in one that was delegated.
  Extent find(const void *Address) const;

  /// Number and bytes of these allocations. Others may be made and end
  /// meanwhile.
  Amount inUse() const;

  /// Calls \p Visit(const LiveAllocation &) for each profiled allocation that
  /// lives, as if it ended now. By any thread at any time: others go on
  /// meanwhile, and what they do may be seen or not.
  ///
  /// A profile takes ThreadCaches::flushMeasures(), then Contexts::view() of
  /// each context, then this: in that order no allocation is counted twice, and
  /// only one that ends meanwhile can be missing.
  template <typename Visitor> void visitLive(Visitor Visit) {
    uint32_t Now = now();
    BlockSample All = BlockSample::whole();
    visitSample(All, [&](LiveAllocation &A) {
      if (A.Life.FreedAt < Now)
        A.Life.FreedAt = Now;
      A.Life.Accesses =
          shadow::count(A.Address, A.Life.SizeBytes, Use.CountLikeLlvm);
      A.Counters = shadow::histogram(A.Address, A.Life.SizeBytes);
      Visit(static_cast<const LiveAllocation &>(A));
    });
  }

  /// Visits the allocations that \p Sample has, without what counters say. The
  /// weight says how many allocations each stands for; it is 0 for one that
  /// joins. Of those for which isLarge() it says nothing of that.
  template <typename Visitor>
  void visitSample(BlockSample &Sample, Visitor Visit) {
    TheHeap->visitSample(
        Sample,
        [&](void *Block, SampleGroups Groups, bool IsCounted) {
          LiveAllocation A;
          if (!read(Block, A))
            return;
          if (!IsCounted)
            A.Weight = 0;
          else if (!isLarge(A))
            A.Weight <<= Groups.Counted;
          Visit(A);
        },
        fetch);
  }
  /// Whether the sample has some of the pages of \p A.
  bool isLarge(const LiveAllocation &A) const {
    return !TheHeap->isSmall(reinterpret_cast<const void *>(A.Address)) &&
           !isWatched(A.Address);
  }

  /// \returns where the watched object \p A would lie if it were not watched.
  static WatchedPlace placeOf(const LiveAllocation &A) {
    const uintptr_t Block =
        reinterpret_cast<uintptr_t>(A.Mark) - offsetof(Header, Mark);
    return reinterpret_cast<const Header *>(Block)->far().Place;
  }

  /// \returns the number of the size class of \p A, or how many there are if
  /// its block is large.
  unsigned sizeClass(const LiveAllocation &A) const {
    return isLarge(A) ? sizeclass::Count
                      : TheHeap->sizeClass(reinterpret_cast<void *>(A.Address));
  }

  /// Calls \p Visit(const LiveAllocation &) for each profiled allocation that
  /// lives and would share a page with \p A, which is one of less than a page,
  /// if nothing else were between them: itself, and others of its size class.
  template <typename Visitor>
  void visitBeside(const LiveAllocation &A, Visitor Visit) {
    // Allocators have no smaller objects, or hardly.
    constexpr uint64_t LeastBytes = 16;
    const uint64_t Bytes =
        A.Life.SizeBytes > LeastBytes ? A.Life.SizeBytes : LeastBytes;
    TheHeap->visitBeside(A.Address, touchPageBytes() / Bytes, [&](void *Block) {
      LiveAllocation Other;
      if (read(Block, Other))
        Visit(static_cast<const LiveAllocation &>(Other));
    });
  }

  /// Where allocations that were not recorded were accessed, as far as they
  /// ended or were visited.
  const TouchedCalls &touchedCalls() const { return *Touched; }

  void startClock() { Start = thisThread().Clock.milliseconds(); }
  /// Milliseconds since then.
  uint64_t elapsedMs() const {
    return thisThread().Clock.milliseconds() - Start;
  }
  /// The milliseconds in the type that records have.
  uint32_t now() const { return static_cast<uint32_t>(elapsedMs()); }

private:
  /// An allocation's stratum is told by its call and by the depth of the stack.
  static uint64_t seenOf(const ThreadState &Thread, Caller Site) {
    return StratifiedSampler::seen(Site.ReturnAddress,
                                   Thread.FirstFrame -
                                       reinterpret_cast<uintptr_t>(Site.Frame));
  }

  /// What becomes of an allocation.
  struct Recording {
    /// How many allocations it stands for; 0 if it is not recorded.
    uint32_t Weight = 1;
    /// Whether it is not shadow-tracked either.
    bool IsDelegated = false;
    /// Whether other allocations of its context are not recorded from now on.
    bool OpensGaps = false;
    CallId Call = 0;
    /// The stratum that it was drawn from; null if there was no draw, because
    /// all of its kind are recorded.
    Stratum *Drawn = nullptr;
    /// The placeholder, if it is there already.
    void *Own = nullptr;
  };

  /// What stands in front of the user's bytes where these do not follow the
  /// Header. The two are told apart by State, which both have at one place.
  struct ForwardHeader {
    /// The placeholder block; null if there is none.
    void *Placeholder;
    /// The distance from the Header to the user's bytes.
    uintptr_t Back;
    uint32_t Unused;
    Atomic<uint32_t> State;
  };

  /// What a block begins with.
  struct Header {
    /// Size in the lower SizeBits, Weight above. Or the OrderPlace of a small
    /// object with its size; it has the weight 1.
    uint64_t SizeAndWeight;
    /// The context; for a shadow-tracked allocation, the CallId.
    uint32_t Context;
    uint32_t AllocatedAt;
    uint16_t Cpu;
    /// The distance to the user's bytes in MinAlignment. If it is FarOffset,
    /// far() has the distance.
    uint16_t Offset;
    Atomic<uint32_t> State;
    union {
      /// Its Sequence is odd while the header is written: a reader without a
      /// lock tries twice.
      TouchMark Mark;
      /// The next block that waits to be freed. An address leaves Sequence 0.
      Header *NextDeferred;
    };

    static constexpr unsigned SizeBits = 48;
    static_assert(SizeBits == OrderPlace::SlotShift);
    static constexpr uint64_t SmallSize =
        (uint64_t(1) << OrderPlace::SizeBits) - 1;
    bool isPlaced() const { return SizeAndWeight & OrderPlace::IsPlaced; }
    uint64_t size() const {
      return SizeAndWeight &
             (isPlaced() ? SmallSize : (uint64_t(1) << SizeBits) - 1);
    }
    uint32_t weight() const {
      return isPlaced() ? 1 : static_cast<uint32_t>(SizeAndWeight >> SizeBits);
    }
    OrderPlace place() const {
      return {isPlaced() ? SizeAndWeight & ~SmallSize : 0};
    }
    void setSize(uint64_t Size, uint32_t Weight, OrderPlace Place) {
      SizeAndWeight =
          Size | (Place ? Place.Bits : uint64_t(Weight) << SizeBits);
    }

    static constexpr uint16_t FarOffset = UINT16_MAX;
    uintptr_t offset() const {
      if (__builtin_expect(Offset != FarOffset, true))
        return uintptr_t(Offset) * MinAlignment;
      return far().Offset;
    }
    void setOffset(uintptr_t Bytes) {
      uintptr_t Units = Bytes / MinAlignment;
      Offset = Units < FarOffset ? static_cast<uint16_t>(Units) : FarOffset;
      if (__builtin_expect(Offset == FarOffset, false))
        far().Offset = Bytes;
    }
    /// What follows the header if the user's bytes are elsewhere.
    struct FarPart {
      uintptr_t Offset;
      WatchedPlace Place;
    };
    FarPart &far() { return *reinterpret_cast<FarPart *>(this + 1); }
    const FarPart &far() const {
      return *reinterpret_cast<const FarPart *>(this + 1);
    }
    /// The user's bytes.
    uintptr_t user() const {
      return reinterpret_cast<uintptr_t>(this) + offset();
    }
  };
  static_assert(sizeof(Header) == MinAlignment);
  static_assert(offsetof(Header, State) == offsetof(ForwardHeader, State));
  static ForwardHeader *forwardOf(uintptr_t User) {
    return reinterpret_cast<ForwardHeader *>(User - sizeof(Header));
  }
  enum : uint32_t {
    Fresh = 0,
    Allocated = 0xA110CA7E,
    ShadowTracked = 0xA110CA7F,
    Forward = 0xF0274A2D,
    Freed = 0xF2EED000,
  };

  static Header *headerOf(const void *Address, uint32_t &State);
  /// Walks the stack of an allocation that is recorded. One that was drawn from
  /// \p Drawn, if not null, pays for that where objects are watched.
  ContextId contextOf(Caller Site, const Stratum *Drawn);
  Recording choose(Caller Site, size_t Size);
  void trackInShadow(Recording &R, Caller Site);
  void *allocateHere(size_t Size, size_t Alignment, Caller Site,
                     const Recording &R, bool *Zeroed);
  bool isWatched(uintptr_t Address) const {
    return __builtin_expect(Watched != nullptr, false) &&
           Watched->contains(Address);
  }
  void *allocateWatched(size_t Size, size_t Alignment, Caller Site,
                        const Recording &R);
  void *allocateChosen(size_t Size, size_t Alignment, Caller Site,
                       const Recording &R, bool *Zeroed);
  void *allocateElsewhere(size_t Size, size_t Alignment, Caller Site,
                          bool *Zeroed);
  static void *delegate(size_t Size, size_t Alignment, bool *Zeroed);
  static void *placeholderFor(size_t Size, size_t Alignment,
                              const Recording &R);
  /// Whether \p Address came from delegate().
  bool wasDelegated(const void *Address) const {
    return __builtin_expect(Use.SampleInterval != 1 || Use.MayChange, false) &&
           (Over || OwnsNothing ||
            !Heap::isInRange(reinterpret_cast<uintptr_t>(Address)));
  }
  static void refuseUnlessBelow(const void *Address, uint32_t State,
                                const char *Function);
  void releaseDelegated(void *Address, const char *Function) const;
  void *adopt(void *Address, size_t Size, Caller Site);
  void *reallocateDelegated(void *Address, size_t Size, Caller Site,
                            const char *Function);
  void *reallocateOffered(void *Address, size_t Size, Caller Site,
                          const char *Function);
  void *reallocateHere(void *Address, size_t Size, Caller Site,
                       const char *Function);
  void *reallocateAndTell(void *Address, size_t Size, Caller Site,
                          const char *Function);
  /// The rest of a realloc() that needs another block: copies into \p New, of
  /// \p Size bytes, what fits of the old one, and frees that. Null if \p New
  /// is.
  void *moveTo(void *New, size_t Size, void *Old, const char *Function);
  void releaseHere(void *Address, const char *Function);
  void *allocateBesideFork(size_t Size, size_t Alignment, void *Placeholder,
                           bool *Zeroed);
  void defer(Header *Block, bool IsRecorded, const Lifetime &Life);
  void releaseSpecially(void *Address, const char *Function);
  void *reallocateLarge(Header *Block, size_t Size, Caller Site,
                        const Recording &R);
  void end(Header *Block);
  void begin(Header *Block, uintptr_t User, size_t Size, ContextId Context,
             const Recording &R, void *Placeholder, OrderPlace Place = {},
             bool IsCounted = true);
  /// Whether an object has a place.
  bool isPlaced(size_t Size, size_t Alignment) const {
    return Places && Size <= format::MostOrderedBytes &&
           Alignment <= format::OrderGranuleBytes;
  }
  OrderPlace moveInOrder(const Header *Block, size_t Size, uint32_t Context);
  static bool isLive(uint32_t State) {
    return State == Allocated || State == ShadowTracked;
  }
  bool finish(Header *Block, uint32_t State, Lifetime &Life);
  void endTracking(CallId Call, uintptr_t User, size_t Size);
  void measure(const Header &Block, uintptr_t User, Lifetime &Life) const;
  bool read(void *Block, LiveAllocation &Result);

  Heap *TheHeap = nullptr;
  Contexts *TheContexts = nullptr;
  ContextFinder Finder;
  ThreadCaches *Caches = nullptr;
  uint64_t Start = 0;
  TouchedCalls *Touched = nullptr;
  /// Blocks that wait to be freed, the last one first. Behind the header they
  /// have their measures, if AllocatedAt is not 0.
  Atomic<Header *> Deferred;
  /// Null if objects are not watched.
  WatchedPages *Watched = nullptr;
  bool OwnsNothing = false;
  /// Null if objects have no places.
  OrderSpace *Places = nullptr;
  /// Null if this is the leader.
  const Leader *Over = nullptr;
};

inline bool Allocations::readPlaced(const void *Address,
                                    PlacedObject &Result) const {
  const auto *Block = static_cast<const Header *>(Address);
  for (int Try = 0; Try != 2; ++Try) {
    const uint16_t Sequence = Block->Mark.Sequence.load();
    const uint32_t State = Block->State.load();
    if (Sequence % 2)
      continue;
    Result.Place = Block->place();
    Result.Granules = format::orderGranules(Block->size());
    Result.Context = static_cast<ContextId>(Block->Context);
    Result.Sequence = Sequence;
    Result.IsLive = State == Allocated;
    if (Block->Mark.Sequence.load() == Sequence)
      return Result.Place && Result.Context != ContextId::None;
  }
  return false;
}

/// Here, so that a scan leaves out what it does not need.
inline bool Allocations::read(void *Address, LiveAllocation &Result) {
  auto *Block = static_cast<Header *>(Address);
  for (int Try = 0; Try != 2; ++Try) {
    uint16_t Sequence = Block->Mark.Sequence.load();
    uint32_t State = Block->State.load();
    if (!isLive(State))
      return false;
    if (Sequence % 2)
      continue;
    uint32_t Context = Block->Context;
    Result.Weight = Block->weight();
    Result.Life.SizeBytes = Block->size();
    // A thread that allocates while the walk is on may be ahead of it.
    Result.Life.AllocatedAt = Result.Life.FreedAt = Block->AllocatedAt;
    Result.Life.AllocatedOnCpu = Result.Life.FreedOnCpu = Block->Cpu;
    Result.Address = Block->user();
    Result.Mark = &Block->Mark;
    Result.Sequence = Sequence;
    if (Block->Mark.Sequence.load() != Sequence || Block->State.load() != State)
      continue;
    if (State == ShadowTracked) {
      endTracking(static_cast<CallId>(Context), Result.Address,
                  Result.Life.SizeBytes);
      return false;
    }
    Result.Context = static_cast<ContextId>(Context);
    return Result.Context != ContextId::None;
  }
  return false;
}

} // namespace thermocline::runtime

#endif
