//===- profile/Heap.h - Memory below the allocator ------------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of memory. Small ones come from one reserved address range per size
// class, which is filled from its beginning and reused through a free list, so
// that all blocks in it can be walked and a block found from any address in it.
// Large ones are mappings of their own in a list. Memory of small blocks is not
// given back before the program ends.
//
// Cost: a lock and a list operation a block; a system call a large one.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_H

#include "Base.h"
#include "SizeClasses.h"

namespace thermocline::runtime {

class Heap {
public:
  /// Reserves the address range. \returns false if there is no room for it.
  bool initialize();

  struct Block {
    /// A multiple of 64 for large blocks, of the class's blocks otherwise; null
    /// if there is no memory.
    void *Begin;
    /// Known to hold only zeros.
    bool Zeroed;
  };

  /// A block of at least \p Size bytes.
  Block allocate(size_t Size);
  /// Gives back \p Begin, which allocate() returned. For a small block, the
  /// first 64 bytes but its first 32 are overwritten.
  void release(void *Begin);

  /// Whether \p Address lies in the range of small blocks; if so, \p Begin is
  /// its block and \p Size that block's size.
  bool findSmall(uintptr_t Address, uintptr_t &Begin, size_t &Size) const;

  /// Calls \p Visit with the beginning of every block that was ever handed out
  /// and not unmapped since. Freed ones are among them: the visitor must tell
  /// by what it keeps in the block. Large blocks stay mapped during their
  /// visit. A lock that cannot be taken within a second is passed over if \p
  /// GiveUp.
  template <typename Visitor> void visitBlocks(Visitor Visit, bool GiveUp) {
    for (unsigned Class = 0; Class != sizeclass::Count; ++Class) {
      uintptr_t Begin = regionBegin(Class);
      uintptr_t End = Classes[Class].Top.load();
      for (; Begin < End; Begin += sizeclass::blockBytes(Class))
        Visit(reinterpret_cast<void *>(Begin));
    }
    bool Held = true;
    if (GiveUp)
      Held = LargeLock.lockOrGiveUp();
    else
      LargeLock.lock();
    for (LargeBlock *L = FirstLarge; L; L = L->Next)
      Visit(L + 1);
    if (Held)
      LargeLock.unlock();
  }

  /// All locks, around fork.
  void lockAll();
  void unlockAll();

private:
  /// What stands in front of a large block.
  struct alignas(64) LargeBlock {
    LargeBlock *Next;
    LargeBlock *Previous;
    size_t MappedBytes;
  };

  /// A small block on the free list; the link keeps clear of the header.
  struct FreeBlock {
    char Header[32];
    FreeBlock *Next;
  };

  struct alignas(64) SizeClass {
    Lock Mutex;
    FreeBlock *Free;
    /// Blocks from here on were never handed out.
    Atomic<uintptr_t> Top;
  };

  static constexpr unsigned RegionShift = 36;
  uintptr_t regionBegin(unsigned Class) const {
    return Base + (uintptr_t(Class) << RegionShift);
  }

  Block allocateLarge(size_t Size);

  uintptr_t Base = 0;
  SizeClass Classes[sizeclass::Count] = {};
  Lock LargeLock;
  LargeBlock *FirstLarge = nullptr;
};

} // namespace thermocline::runtime

#endif
