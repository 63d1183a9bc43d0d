//===- profile/heap/Heap.h - Memory below the allocator ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of memory. Small blocks come from one reserved address range per size
// class. It is filled from its beginning and reused through free lists, so that
// all blocks in it can be walked, and a block found from any address in it.
// Large blocks are mappings of their own, in a list. Some of the released ones
// are kept for the next, because fresh pages cost more than their use. Memory
// of small blocks is not given back before the program ends. Memory of large
// blocks is given back, together with that of their counters. A large block
// that grows is moved to other addresses and not copied.
//
// All blocks are in one range of addresses that nothing else of a program on
// Linux uses, and in which code for sampling counts (see Shadow.h). So the
// address alone tells whose a block is.
//
// Each thread keeps some blocks of each class for itself, in a HeapCache: up to
// two batches of free ones, and a part of the address range that nobody used
// yet. Whole batches go to and come from the lists that all share.
//
// Cost: a list operation for each block, a lock for each batch or large block,
// and a system call if no mapping was kept.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_HEAP_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_HEAP_H

#include "BlockSample.h"
#include "SizeClasses.h"
#include "arch/AddressSpace.h"
#include "platform/Base.h"
#include "platform/Lock.h"

namespace thermocline::runtime {

/// A free small block. The links leave out the place of the header, which stays
/// as the owner left it.
struct FreeBlock {
  char Header[32];
  /// The next block of the same batch.
  FreeBlock *Next;
  /// In the first block of a batch on the shared list: the next batch.
  FreeBlock *NextBatch;
  uint32_t BatchSize;
};

/// Blocks that a thread keeps for itself. All zeros is empty. The caller sees
/// to it that no two threads use it at once.
class HeapCache {
  friend class Heap;
  struct List {
    FreeBlock *First;
    uint32_t Size;
  };
  struct SizeClass {
    /// The list that blocks are put into and taken from.
    List Present;
    /// Either empty or a full batch.
    List Spare;
    /// Blocks of [Unused, UnusedEnd) were never handed out.
    uintptr_t Unused;
    uintptr_t UnusedEnd;
  };
  SizeClass Classes[sizeclass::NumCached];
};

class Heap {
  /// What stands in front of a large block.
  struct alignas(64) LargeBlock {
    LargeBlock *Next;
    LargeBlock *Previous;
    size_t MappedBytes;
  };

public:
  /// Reserves the address range. \returns false if there is no room for it.
  bool initialize();

  /// The beginning of the range that addresses come from, unless it is taken.
  static uintptr_t rangeBegin() { return arch::Plan.HeapBegin; }
  static uintptr_t rangeEnd() { return arch::Plan.HeapEnd; }
  static bool isInRange(uintptr_t Address) {
    return Address - rangeBegin() < rangeEnd() - rangeBegin();
  }
  /// Whether all blocks lie in the range.
  bool usesRange() const { return Base == rangeBegin(); }
  /// Whether nothing else lies in the range. With the layout of addresses that
  /// programs have without a limit for the stack, libraries are in it, too.
  bool ownsRange() const { return OwnsRange; }

  struct Block {
    /// A multiple of 64 for large blocks, of the class's blocks otherwise; null
    /// if there is no memory.
    void *Begin;
    /// Whether the block is known to hold only zeros.
    bool Zeroed;
  };

  /// A block of at least \p Size bytes, and 64.
  Block allocate(size_t Size, HeapCache &Cache) {
    if (Size < sizeof(FreeBlock))
      Size = sizeof(FreeBlock);
    if (__builtin_expect(Size > sizeclass::MaxCached, false))
      return allocateShared(Size);
    unsigned Number = sizeclass::classOf(Size);
    HeapCache::SizeClass &Class = Cache.Classes[Number];
    FreeBlock *Free = Class.Present.First;
    if (__builtin_expect(!Free, false))
      return refill(Number, Class);
    Class.Present = {Free->Next, Class.Present.Size - 1};
    // The next one is soon wanted, and may have been freed long ago.
    __builtin_prefetch(Free->Next, /*rw=*/1);
    return {Free, false};
  }
  /// Gives back \p Begin, which allocate() returned to any thread. For a small
  /// block, the first 64 bytes but its first 32 are overwritten.
  void release(void *Begin, HeapCache &Cache) {
    auto Number = static_cast<unsigned>(
        (reinterpret_cast<uintptr_t>(Begin) - Base) >> regionShift());
    if (__builtin_expect(Number >= sizeclass::NumCached, false))
      return releaseShared(Begin);
    HeapCache::SizeClass &Class = Cache.Classes[Number];
    if (__builtin_expect(Class.Present.Size >= batchBlocks(Number), false))
      makeRoom(Number, Class);
    auto *Free = static_cast<FreeBlock *>(Begin);
    Free->Next = Class.Present.First;
    Class.Present = {Free, Class.Present.Size + 1};
  }

  /// Gives the free blocks of a thread that ends to all. Unused parts of the
  /// address range stay with \p Cache, for the thread that takes it over.
  void empty(HeapCache &Cache);

  /// Whether the large block \p Begin has room for \p Size bytes, and not much
  /// more.
  static bool fitsLarge(const void *Begin, size_t Size) {
    size_t Bytes = (static_cast<const LargeBlock *>(Begin) - 1)->MappedBytes -
                   sizeof(LargeBlock);
    return Size <= Bytes && Size >= Bytes / 2;
  }
  /// From now on as much memory of released large blocks is kept as glibc keeps
  /// for a program that allocates some again and again (M_MMAP_THRESHOLD).
  void keepLikeGlibc() {
    Guard G(LargeLock);
    LeastKeptLimit = size_t(32) << 20;
  }
  /// A large block of at least \p Size bytes, for moveLarge() and nothing else.
  /// \returns null if there is no memory.
  void *prepareLarge(size_t Size);
  /// Moves the pages of the large block \p From to \p To, which prepareLarge()
  /// returned, as far as there is room, and releases \p From. \returns false if
  /// the kernel cannot; then \p From stays, and \p To is gone.
  bool moveLarge(void *From, void *To);

  /// Addresses for \p Size bytes in the range that blocks come from. They stay
  /// the caller's. \returns null if there are none.
  void *reserveRange(size_t Size) {
    Guard G(LargeLock);
    return mapLarge(Size);
  }

  /// Whether \p Address lies in the range of small blocks; if so, \p Begin is
  /// its block and \p Size that block's size.
  bool findSmall(uintptr_t Address, uintptr_t &Begin, size_t &Size) const;

  /// The block that \p Address lies in, free or not; null if it is in none.
  void *findBlock(uintptr_t Address);

  /// Bytes of addresses that blocks were taken from and not given back, for
  /// small blocks and for large ones. Large ones that are kept for the next are
  /// included.
  struct Sizes {
    size_t SmallBytes;
    size_t LargeBytes;
  };
  Sizes sizes();

  /// Calls \p Visit with the beginning of every block that was ever handed out
  /// and not unmapped since. Freed ones are among them, and small ones of zeros
  /// that a thread holds ready: the visitor must tell by what it keeps in the
  /// block. Large blocks stay mapped during their
  /// visit. A lock that cannot be taken within a second is passed over.
  template <typename Visitor> void visitBlocks(Visitor Visit) {
    BlockSample All = BlockSample::whole();
    visitSample(
        All, [&](void *Block, SampleGroups, bool) { Visit(Block); },
        [](uintptr_t) {});
  }
  /// Calls \p Visit(void *, SampleGroups, bool) for the small blocks that
  /// \p Sample has, with the groups of their class, and whether they are
  /// counted, and for all large blocks, of which only some pages may be.
  /// Before, it calls \p Fetch(uintptr_t) for each small block that will be
  /// visited.
  template <typename Visitor, typename Fetcher>
  void visitSample(BlockSample &Sample, Visitor Visit, Fetcher Fetch) {
    for (unsigned Class = 0; Class != sizeclass::Count; ++Class)
      visitSampleOf(Class, Sample, Visit, Fetch);
    GuardOrGiveUp G(LargeLock);
    const SampleGroups Groups = Sample.ofPages(LargeBytes >> touchPageShift());
    for (LargeBlock *L = FirstLarge; L; L = L->Next)
      Visit(L + 1, Groups, true);
  }

  /// Calls \p Visit(void *) for the small block that \p Address lies in, and
  /// for those beside it: of each \p Blocks side by side, the ones that are
  /// with it. Nothing is beside what lies elsewhere, such as an object of few
  /// bytes with a large alignment.
  template <typename Visitor>
  void visitBeside(uintptr_t Address, uint64_t Blocks, Visitor Visit) {
    if (!isSmall(reinterpret_cast<const void *>(Address)))
      return;
    const unsigned Class = sizeClass(reinterpret_cast<const void *>(Address));
    const uintptr_t Begin = regionBegin(Class);
    const uintptr_t Stride = sizeclass::blockBytes(Class);
    const uintptr_t Top = Classes[Class].Top.load();
    uintptr_t Block =
        Begin + (Address - Begin) / Stride / Blocks * Blocks * Stride;
    for (; Blocks && Block < Top; --Blocks, Block += Stride)
      Visit(reinterpret_cast<void *>(Block));
  }

  /// \returns how many blocks of \p Class were ever handed out, or are held
  /// ready for that.
  uint64_t numBlocks(unsigned Class) const {
    const uintptr_t Top = Classes[Class].Top.load();
    return Top ? (Top - regionBegin(Class)) / sizeclass::blockBytes(Class) : 0;
  }
  /// Block number \p Number of them.
  void *block(unsigned Class, uint64_t Number) const {
    return reinterpret_cast<void *>(regionBegin(Class) +
                                    Number * sizeclass::blockBytes(Class));
  }

  /// Whether \p Address lies in the range of small blocks.
  bool isSmall(const void *Address) const {
    return reinterpret_cast<uintptr_t>(Address) - Base <
           uintptr_t(sizeclass::Count) << regionShift();
  }

  /// \returns the number of the size class of \p Address, which isSmall().
  unsigned sizeClass(const void *Address) const {
    return static_cast<unsigned>(
        (reinterpret_cast<uintptr_t>(Address) - Base) >> regionShift());
  }

  /// Takes all locks, around a fork. They are many, and not checked by the
  /// compiler.
  void lockAll() THERMOCLINE_UNCHECKED;
  void unlockAll() THERMOCLINE_UNCHECKED;

private:
  struct alignas(64) SizeClass {
    Lock Mutex;
    FreeBlock *Batches THERMOCLINE_GUARDED_BY(Mutex);
    /// Blocks from here on were never given out.
    Atomic<uintptr_t> Top;
  };

  Lock LargeLock;

  static unsigned regionShift() { return arch::Plan.RegionShift; }
  uintptr_t regionBegin(unsigned Class) const {
    return Base + (uintptr_t(Class) << regionShift());
  }

  /// The number of blocks of a batch, for each size class: as many as make 8
  /// KiB, but few enough that a list of them is soon used.
  struct BatchTable {
    uint8_t Blocks[sizeclass::NumCached] = {};
    constexpr BatchTable() {
      for (unsigned Class = 0; Class != sizeclass::NumCached; ++Class) {
        size_t Fit = 8192 / sizeclass::blockBytes(Class);
        Blocks[Class] = static_cast<uint8_t>(Fit > 32 ? 32 : Fit < 1 ? 1 : Fit);
      }
    }
  };
  static const BatchTable Batches;
  static uint32_t batchBlocks(unsigned Class) { return Batches.Blocks[Class]; }

  template <typename Visitor, typename Fetcher>
  void visitSampleOf(unsigned Class, BlockSample &Sample, Visitor Visit,
                     Fetcher Fetch) {
    const uintptr_t Begin = regionBegin(Class);
    const uintptr_t Stride = sizeclass::blockBytes(Class);
    const uintptr_t Top = Classes[Class].Top.load();
    const uint64_t Blocks = Top ? (Top - Begin) / Stride : 0;
    const SampleGroups Groups = Sample.ofClass(Class, Blocks);
    // They are not side by side, so some are fetched at a time.
    constexpr unsigned Most = 16;
    uint64_t Numbers[Most];
    for (uint64_t Group = 0; Group << Groups.Visited < Blocks;) {
      unsigned Size = 0;
      for (; Size != Most && Group << Groups.Visited < Blocks; ++Group) {
        const uint64_t Number = Groups.visited(Group);
        // The last group may not have this block yet.
        if (Number >= Blocks)
          continue;
        Fetch(Begin + Number * Stride);
        Numbers[Size++] = Number;
      }
      for (unsigned I = 0; I != Size; ++I)
        Visit(reinterpret_cast<void *>(Begin + Numbers[I] * Stride), Groups,
              Groups.isCounted(Numbers[I]));
    }
  }

  Block refill(unsigned Number, HeapCache::SizeClass &Class);
  void makeRoom(unsigned Number, HeapCache::SizeClass &Class);
  void pushBatch(unsigned Number, FreeBlock *First, uint32_t Size);
  Block allocateShared(size_t Size);
  void releaseShared(void *Begin);
  static size_t mappedBytesFor(size_t Size);
  Block allocateLarge(size_t Size);
  LargeBlock *mapLarge(size_t Size) THERMOCLINE_REQUIRES(LargeLock);
  LargeBlock *takeKept(size_t MappedBytes) THERMOCLINE_REQUIRES(LargeLock);
  void link(LargeBlock *Large) THERMOCLINE_REQUIRES(LargeLock);
  void unlink(LargeBlock *Large) THERMOCLINE_REQUIRES(LargeLock);
  void discardCounters(const LargeBlock *Large) const;
  void unmapLarge(LargeBlock *Large) const;

  uintptr_t Base = 0;
  bool OwnsRange = false;
  SizeClass Classes[sizeclass::Count] = {};
  LargeBlock *FirstLarge THERMOCLINE_GUARDED_BY(LargeLock) = nullptr;
  /// Mappings in use.
  size_t LargeBytes THERMOCLINE_GUARDED_BY(LargeLock) = 0;
  /// The address from which on the range may be free.
  uintptr_t NextLarge THERMOCLINE_GUARDED_BY(LargeLock) = 0;
  /// Mappings whose block was released, the oldest first.
  static constexpr unsigned MaxKept = 16;
  size_t LeastKeptLimit THERMOCLINE_GUARDED_BY(LargeLock) = size_t(4) << 20;
  LargeBlock *Kept[MaxKept] THERMOCLINE_GUARDED_BY(LargeLock) = {};
  unsigned NumKept THERMOCLINE_GUARDED_BY(LargeLock) = 0;
  size_t KeptBytes THERMOCLINE_GUARDED_BY(LargeLock) = 0;
};

} // namespace thermocline::runtime

#endif
