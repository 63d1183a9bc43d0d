//===- profile/heap/Allocations.cpp - Profiled allocations ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"
#include "Hooks.h"
#include "platform/LibcFunctions.h"
#include "platform/Thread.h"

using namespace thermocline::runtime;

void Allocations::initialize(Heap *H, Contexts *C, ThreadCaches *T,
                             TouchedCalls *P) {
  TheHeap = H;
  TheContexts = C;
  Caches = T;
  Touched = P;
  Finder.initialize(C);
}

/// \returns the header of \p Address if that is an allocation of this runtime.
/// \p State says whether it is.
inline Allocations::Header *Allocations::headerOf(const void *Address,
                                                  uint32_t &State) {
  auto User = reinterpret_cast<uintptr_t>(Address);
  auto *Block = reinterpret_cast<Header *>(User - sizeof(Header));
  if (__builtin_expect(User % MinAlignment != 0, false)) {
    State = Fresh;
    return Block;
  }
  State = Block->State.load();
  if (State != Forward)
    return Block;
  Block = reinterpret_cast<Header *>(User - forwardOf(User)->Back);
  State = Block->State.load();
  return Block;
}

void *Allocations::placeholderOf(const void *Address) {
  uint32_t State;
  const Header *Block = headerOf(Address, State);
  const ForwardHeader *InFront =
      forwardOf(reinterpret_cast<uintptr_t>(Address));
  const bool Forwards = static_cast<const void *>(Block) != InFront;
  return isLive(State) && Forwards ? InFront->Placeholder : nullptr;
}

void Allocations::callHooks() {
  Use.HasHooks = true;
  Use.IsPlain = false;
  thisThread().Sampled = nullptr;
}

ContextId Allocations::contextOf(Caller Site, const Stratum *Drawn) {
  if (thisThread().Inside)
    return ContextId::None;
  ThreadCache &Cache = Caches->ofThisThread();
  const ContextId Found = Finder.find(Site, Cache.Guesses);
  if (Drawn && Watched && Found != ContextId::None &&
      libc().Allocator.IsKnown.load()) {
    Cache.Sampled.pace(now(),
                       static_cast<uint32_t>(TheContexts->callsOf(Found).Size),
                       Use.allowed());
    if (Cache.Sampled.passesOver())
      TheContexts->markAllGaps();
  }
  return Found;
}

/// An eighth of the address space. Nobody has as much memory, and sums of such
/// sizes do not overflow.
static constexpr size_t LargestRequest = size_t(PTRDIFF_MAX) / 4;

__attribute__((always_inline)) inline void
Allocations::begin(Header *Block, uintptr_t User, size_t Size,
                   ContextId Context, const Recording &R, void *Placeholder,
                   OrderPlace Place, bool IsCounted) {
  // Only this thread writes, so that no other can come between.
  uint16_t Sequence = Block->Mark.Sequence.loadRelaxed();
  Block->Mark.Sequence.storeRelaxed(Sequence + 1);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  Block->setSize(Size, R.Weight, Place);
  Block->Context = R.Weight ? static_cast<uint32_t>(Context) : R.Call;
  Block->AllocatedAt = R.Weight ? now() : 0;
  Block->Cpu = R.Weight ? static_cast<uint16_t>(currentCpu()) : 0;
  Block->Mark.clear();
  uintptr_t Offset = User - reinterpret_cast<uintptr_t>(Block);
  Block->setOffset(Offset);
  if (Offset != sizeof(Header)) {
    ForwardHeader *InFront = forwardOf(User);
    InFront->Placeholder = Placeholder;
    InFront->Back = Offset;
    InFront->State.store(Forward);
  }
  if (IsCounted && !Watched)
    shadow::clear(User, Size, Use.CountLikeLlvm);
  Block->State.store(R.Weight ? Allocated : ShadowTracked);
  Block->Mark.Sequence.store(Sequence + 2);
}

void *Allocations::allocate(size_t Size, size_t Alignment, Caller Site,
                            bool *Zeroed) {
  if (__builtin_expect(Use.IsPlain, true))
    return allocateHere(Size, Alignment, Site, Recording(), Zeroed);
  void *Result;
  if (Use.SampleInterval == DelegateAll) {
    Result = allocateElsewhere(Size, Alignment, Site, Zeroed);
  } else {
    Recording R = choose(Site, Size);
    Result = R.IsDelegated ? delegate(Size, Alignment, Zeroed)
                           : allocateChosen(Size, Alignment, Site, R, Zeroed);
  }
  if (Result && Use.HasHooks)
    hooks::allocated(Result, Size ? Size : 1);
  return Result;
}

void Allocations::watch(WatchedPages *W) {
  Watched = W;
  Use.IsPlain = false;
  TheHeap->keepLikeGlibc();
}

/// Allocates on a page that is watched. Null if this object gets none.
void *Allocations::allocateWatched(size_t Size, size_t Alignment, Caller Site,
                                   const Recording &R) {
  if (Size == 0)
    Size = 1;
  const size_t AlignmentBelow = Alignment;
  if (Alignment < MinAlignment)
    Alignment = MinAlignment;
  const uintptr_t User = Watched->take(Size, Alignment, R.Weight);
  if (!User)
    return nullptr;
  const ContextId Context = contextOf(Site, R.Drawn);
  Heap::Block Block = {};
  if (CacheUse Cache(*Caches, libc().Allocator.IsKnown.loadRelaxed()); Cache)
    Block = TheHeap->allocate(2 * sizeof(Header), Cache->Blocks);
  if (!Block.Begin) {
    Watched->giveBack(User);
    return nullptr;
  }
  if (R.OpensGaps)
    TheContexts->markGaps(Context);
  auto *New = static_cast<Header *>(Block.Begin);
  void *Placeholder = placeholderFor(Size, AlignmentBelow, R);
  const auto *Joined = libc().Allocator.Joined;
  New->far().Place = {reinterpret_cast<uintptr_t>(Placeholder),
                      Joined && Placeholder && Joined->IsCold(Placeholder)};
  begin(New, User, Size, Context, R, Placeholder, /*Place=*/{},
        /*IsCounted=*/false);
  return reinterpret_cast<void *>(User);
}

__attribute__((noinline)) void *
Allocations::allocateChosen(size_t Size, size_t Alignment, Caller Site,
                            const Recording &R, bool *Zeroed) {
  if (Watched && R.Weight)
    if (void *Result = allocateWatched(Size, Alignment, Site, R)) {
      if (Zeroed)
        *Zeroed = false;
      return Result;
    }
  return allocateHere(Size, Alignment, Site, R, Zeroed);
}

/// Inlined, because nearly always nothing is drawn and \p R is the same.
__attribute__((always_inline)) inline void *
Allocations::allocateHere(size_t Size, size_t Alignment, Caller Site,
                          const Recording &R, bool *Zeroed) {
  if (Size == 0)
    Size = 1;
  size_t AlignmentBelow = Alignment;
  if (Alignment < MinAlignment)
    Alignment = MinAlignment;
  if (Size > LargestRequest || Alignment > LargestRequest)
    return nullptr;
  size_t Needed = roundUp(Size, Alignment);
  if (Alignment > MinAlignment)
    Needed += Alignment;
  void *Placeholder = placeholderFor(Size, AlignmentBelow, R);
  size_t InFront = Placeholder ? 2 * sizeof(Header) : sizeof(Header);
  Needed += InFront;
  ContextId Context = R.Weight ? contextOf(Site, R.Drawn) : ContextId::None;
  if (R.OpensGaps)
    TheContexts->markGaps(Context);
  Heap::Block Block;
  OrderPlace Place;
  if (CacheUse Cache(*Caches, libc().Allocator.IsKnown.loadRelaxed()); Cache) {
    Block = TheHeap->allocate(Needed, Cache->Blocks);
    if (isPlaced(Size, AlignmentBelow) && Block.Begin)
      Place = Places->take(Cache->Order, format::orderGranules(Size));
  } else
    return allocateBesideFork(Size, AlignmentBelow, Placeholder, Zeroed);
  if (!Block.Begin) {
    if (Placeholder && !R.Own)
      libc().Allocator.Free(Placeholder);
    return nullptr;
  }
  uintptr_t User =
      roundUp(reinterpret_cast<uintptr_t>(Block.Begin) + InFront, Alignment);
  if (Zeroed)
    *Zeroed = Block.Zeroed;
  auto *New = static_cast<Header *>(Block.Begin);
  begin(New, User, Size, Context, R, Placeholder, Place);
  if (Place)
    Places->note(Place, New, static_cast<uint32_t>(Context),
                 format::orderGranules(Size));
  // Only memory that is never unmapped.
  uintptr_t Small;
  size_t SmallSize;
  if (R.Drawn && TheHeap->findSmall(User, Small, SmallSize)) {
    R.Drawn->LastTracked = New;
    R.Drawn->LastSequence = New->Mark.Sequence.loadRelaxed();
  }
  return reinterpret_cast<void *>(User);
}

inline void Allocations::measure(const Header &Block, uintptr_t User,
                                 Lifetime &Life) const {
  Life.SizeBytes = Block.size();
  // Where objects are watched nobody counts, and counters are not even there.
  Life.Accesses =
      Watched ? 0 : shadow::count(User, Life.SizeBytes, Use.CountLikeLlvm);
  Life.AllocatedAt = Block.AllocatedAt;
  // The clocks of two threads may differ by a millisecond.
  uint32_t Now = now();
  Life.FreedAt = Now < Block.AllocatedAt ? Block.AllocatedAt : Now;
  Life.AllocatedOnCpu = Block.Cpu;
  Life.FreedOnCpu = currentCpu();
}

/// Takes the allocation out of the walk, whose state is \p State. \returns
/// whether it is to be recorded, as \p Life. With a histogram it is, here.
///
/// Two threads that free the same allocation at the same time are not told
/// apart.
inline bool Allocations::finish(Header *Block, uint32_t State, Lifetime &Life) {
  Block->State.store(Freed);
  uintptr_t User = Block->user();
  if (__builtin_expect(State == ShadowTracked, false)) {
    endTracking(static_cast<CallId>(Block->Context), User, Block->size());
    return false;
  }
  if (Block->Context == static_cast<uint32_t>(ContextId::None))
    return false;
  measure(*Block, User, Life);
  ByteCounters Counters = shadow::histogram(User, Block->size());
  if (__builtin_expect(Counters.Size == 0, true))
    return true;
  TheContexts->add(static_cast<ContextId>(Block->Context), measuresOf(Life),
                   Counters);
  return false;
}

void Allocations::release(void *Address, const char *Function) {
  if (!Address)
    return;
  if (__builtin_expect(!Use.IsPlain, false))
    releaseSpecially(Address, Function);
  else
    releaseHere(Address, Function);
}

__attribute__((noinline)) void
Allocations::releaseSpecially(void *Address, const char *Function) {
  if (Use.HasHooks && !hooks::mayFree(Address))
    return;
  if (!wasDelegated(Address))
    return releaseHere(Address, Function);
  releaseDelegated(Address, Function);
}

__attribute__((always_inline)) inline void
Allocations::releaseHere(void *Address, const char *Function) {
  uint32_t State;
  Header *Block = headerOf(Address, State);
  if (__builtin_expect(!isLive(State), false)) {
    refuseUnlessBelow(Address, State, Function);
    return libc().Allocator.Free(Address);
  }
  bool IsForwarded = reinterpret_cast<uintptr_t>(Block) + sizeof(Header) !=
                     reinterpret_cast<uintptr_t>(Address);
  Lifetime Life;
  bool IsRecorded = finish(Block, State, Life);
  if (IsForwarded) {
    ForwardHeader *InFront = forwardOf(reinterpret_cast<uintptr_t>(Address));
    InFront->State.store(Freed);
    if (InFront->Placeholder)
      libc().Allocator.Free(InFront->Placeholder);
    if (Watched)
      Watched->giveBack(reinterpret_cast<uintptr_t>(Address));
  }
  CacheUse Cache(*Caches);
  if (!Cache)
    return defer(Block, IsRecorded, Life);
  if (IsRecorded)
    Cache->Measures.add(*TheContexts, static_cast<ContextId>(Block->Context),
                        Life, Block->weight());
  if (const OrderPlace Place = Block->place())
    Places->giveBack(Cache->Order, Place, format::orderGranules(Block->size()));
  TheHeap->release(Block, Cache->Blocks);
}

/// Ends an allocation whose block stays in use.
void Allocations::end(Header *Block) {
  Lifetime Life;
  if (!finish(Block, Block->State.load(), Life))
    return;
  if (CacheUse Cache(*Caches); Cache)
    Cache->Measures.add(*TheContexts, static_cast<ContextId>(Block->Context),
                        Life, Block->weight());
  else
    TheContexts->loseBesideFork();
}

/// \returns the place of what has its block, which ended, and \p Size bytes
/// now.
OrderPlace Allocations::moveInOrder(const Header *Block, size_t Size,
                                    uint32_t Context) {
  OrderPlace Place = Block->place();
  if (!Place)
    return {};
  const unsigned Old = format::orderGranules(Block->size());
  const bool Fits = isPlaced(Size, /*Alignment=*/1);
  const unsigned New = Fits ? format::orderGranules(Size) : 0;
  if (Old != New) {
    CacheUse Cache(*Caches);
    if (!Cache)
      return {};
    Places->giveBack(Cache->Order, Place, Old);
    if (!Fits)
      return {};
    Place = Places->take(Cache->Order, New);
  }
  Places->note(Place, Block, Context, New);
  return Place;
}

//===-- Beside a fork -----------------------------------------------------===//

// A thread that forks has all locks of the runtime when fork() takes those of
// libc's. Another thread may have one of libc's locks, and allocate. It would
// wait for the runtime's locks, and fork() would wait for it. So it takes
// memory from the allocator below, whose locks fork() takes last, and puts off
// what it frees.

__attribute__((noinline)) void *
Allocations::allocateBesideFork(size_t Size, size_t Alignment,
                                void *Placeholder, bool *Zeroed) {
  TheContexts->loseBesideFork();
  return Placeholder ? Placeholder : delegate(Size, Alignment, Zeroed);
}

__attribute__((noinline)) void
Allocations::defer(Header *Block, bool IsRecorded, const Lifetime &Life) {
  static_assert(sizeof(Lifetime) <= MinAlignment);
  Block->AllocatedAt = IsRecorded;
  if (IsRecorded)
    *reinterpret_cast<Lifetime *>(Block + 1) = Life;
  Block->NextDeferred = Deferred.load();
  while (!Deferred.compareExchange(Block->NextDeferred, Block)) {
  }
}

void Allocations::releaseDeferred(bool Counts) {
  if (!Deferred.load())
    return;
  Header *Block = Deferred.exchange(nullptr);
  while (Block) {
    Header *Next = Block->NextDeferred;
    CacheUse Cache(*Caches, /*MayGiveUp=*/false);
    if (Counts && Block->AllocatedAt)
      Cache->Measures.add(*TheContexts, static_cast<ContextId>(Block->Context),
                          *reinterpret_cast<Lifetime *>(Block + 1),
                          Block->weight());
    TheHeap->release(Block, Cache->Blocks);
    Block = Next;
  }
}

/// Moves from one large block to another, without a copy. The old block's
/// addresses can be another's once it has moved, so its accesses are summed up
/// before.
void *Allocations::reallocateLarge(Header *Block, size_t Size, Caller Site,
                                   const Recording &R) {
  size_t Needed = roundUp(Size, MinAlignment) + sizeof(Header);
  bool Stays = Heap::fitsLarge(Block, Needed);
  void *To = Stays ? Block : TheHeap->prepareLarge(Needed);
  if (!To)
    return nullptr;
  ContextId Context = R.Weight ? contextOf(Site, R.Drawn) : ContextId::None;
  if (R.OpensGaps)
    TheContexts->markGaps(Context);
  size_t OldSize = Block->size();
  end(Block);
  bool Moved = Stays || TheHeap->moveLarge(Block, To);
  auto *New = Moved ? static_cast<Header *>(To) : Block;
  auto User = reinterpret_cast<uintptr_t>(New + 1);
  begin(New, User, Moved ? Size : OldSize, Context, R, nullptr);
  return Moved ? reinterpret_cast<void *>(User) : nullptr;
}

/// The hooks see a new allocation, and then the end of the old one.
void *Allocations::reallocateAndTell(void *Address, size_t Size, Caller Site,
                                     const char *Function) {
  uint32_t State;
  if (!wasDelegated(Address)) {
    headerOf(Address, State);
    if (!isLive(State))
      refuseUnlessBelow(Address, State, Function);
  }
  return moveTo(allocate(Size, 1, Site), Size, Address, Function);
}

void *Allocations::moveTo(void *New, size_t Size, void *Old,
                          const char *Function) {
  if (!New)
    return nullptr;
  const size_t OldSize = sizeOf(Old);
  libc().Memcpy(New, Old, OldSize < Size ? OldSize : Size);
  release(Old, Function);
  return New;
}

void *Allocations::reallocate(void *Address, size_t Size, Caller Site,
                              const char *Function) {
  if (Size == 0)
    Size = 1;
  if (Use.HasHooks)
    return reallocateAndTell(Address, Size, Site, Function);
  return libc().Allocator.Joined
             ? reallocateOffered(Address, Size, Site, Function)
             : reallocateHere(Address, Size, Site, Function);
}

void *Allocations::reallocateHere(void *Address, size_t Size, Caller Site,
                                  const char *Function) {
  if (wasDelegated(Address))
    return reallocateDelegated(Address, Size, Site, Function);
  uint32_t State;
  Header *Block = headerOf(Address, State);
  if (!isLive(State)) {
    refuseUnlessBelow(Address, State, Function);
    return adopt(Address, Size, Site);
  }
  Recording R = choose(Site, Size);
  auto User = reinterpret_cast<uintptr_t>(Address);
  uintptr_t BlockBegin;
  size_t BlockBytes;
  bool MayStay = !R.IsDelegated && Block->offset() == sizeof(Header);
  bool BecomesLarge = Size > sizeclass::Max - sizeof(Header);
  bool IsSmall = TheHeap->findSmall(User, BlockBegin, BlockBytes);
  if (MayStay && BecomesLarge && !IsSmall && Size <= LargestRequest)
    return reallocateLarge(Block, Size, Site, R);
  // Stay if a new block would have the same size; it may even be this one.
  // Where objects are watched, each new one has the same chance of a page.
  if (MayStay && !(Watched && R.Weight) && !BecomesLarge && IsSmall &&
      sizeclass::blockBytes(sizeclass::classOf(roundUp(Size, MinAlignment) +
                                               sizeof(Header))) == BlockBytes) {
    ContextId New = R.Weight ? contextOf(Site, R.Drawn) : ContextId::None;
    if (R.OpensGaps)
      TheContexts->markGaps(New);
    end(Block);
    begin(Block, User, Size, New, R, nullptr,
          moveInOrder(Block, Size, static_cast<uint32_t>(New)));
    return Address;
  }
  void *New = R.IsDelegated
                  ? delegate(Size, MinAlignment, nullptr)
                  : allocateChosen(Size, MinAlignment, Site, R, nullptr);
  return moveTo(New, Size, Address, Function);
}

size_t Allocations::sizeOf(const void *Address) const {
  if (Over)
    return Over->SizeOf(Address);
  if (!wasDelegated(Address)) {
    uint32_t State;
    const Header *Block = headerOf(Address, State);
    if (isLive(State))
      return Block->size();
    if (State == Freed || Heap::isInRange(reinterpret_cast<uintptr_t>(Address)))
      return 0;
  }
  return libc().Allocator.IsKnown.load()
             ? libc().Allocator.UsableSize(const_cast<void *>(Address))
             : 0;
}
