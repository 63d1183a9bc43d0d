//===- profile/heap/OrderProbe.h - How small objects would lie --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether small objects should lie in order of allocation or by size class
// depends on how many pages, and pairs of cache lines, a burst touches either
// way. Only a merge knows which contexts are cold, and such objects lie
// elsewhere in any case. So for each window some stretches of both kinds are
// recorded object by object: whole chunks of OrderSpace, and blocks of a size
// class side by side. Stretches are chosen in turn, each time others, when a
// burst of the probe's own begins, which is after a scan. It takes about
// BurstUs: in 5 ms a program of 40 MiB may touch all that it has, and then it
// makes no difference how that lies. What is born in the burst is not recorded.
//
// Cost: two looks at up to MostStretches stretches of each kind after each
// scan, some thousand objects, and up to 64 KiB for each window.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_ORDERPROBE_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_ORDERPROBE_H

#include "Allocations.h"
#include "measure/LayoutRecord.h"
#include "measure/TouchWindows.h"

namespace thermocline::runtime {

/// For one thread at a time.
class OrderProbe {
public:
  /// Both live as long as the program. \returns false if there is no memory.
  bool start(Allocations *A, Contexts *C);
  bool isOn() const { return Memory != nullptr; }

  static constexpr uint64_t LeastBurstUs = 250;
  static constexpr uint64_t MostBurstUs = 8000;
  static constexpr uint64_t LeastOf = 16;
  static constexpr uint64_t MostOf = 4;

  // Times are those of WindowPlan.

  /// Begins a burst: chooses stretches, and notes the counters of their
  /// objects. To be called at the end of each scan.
  void begin(uint64_t Now);
  /// Ends the burst if it is long enough. \returns whether it was.
  bool endIfDue(uint64_t Now);
  /// How long it is until then; a long time if there is none.
  uint64_t leftUs(uint64_t Now) const;
  /// The window number \p Window ends. The last burst is its own, in place of
  /// what was known of it. A burst that is not over ends if it is not short.
  void endWindow(unsigned Window, uint64_t Now);
  void forgetAll();
  /// Keeps what pair() keeps of bursts.
  void pair(const TouchWindows &Windows);

  const LayoutRecord &recordOf(unsigned Window) const {
    return Memory->Records[Window];
  }

private:
  static constexpr unsigned MostStretches = 12;
  static constexpr unsigned MostObjects = format::OrderChunkGranules;

  /// An object as it was at the beginning, or a hole.
  struct Object {
    void *Block;
    uint32_t Context;
    uint16_t Sequence;
    uint8_t Granules;
    bool IsLive;
  };
  struct Stretch {
    bool IsByClass;
    unsigned NumObjects;
    Object Objects[MostObjects];
    /// The digests of the counters of the objects that live, one behind the
    /// other: none has more counters than granules.
    uint16_t Digests[MostObjects];
  };
  struct AllMemory {
    LayoutRecord Records[TouchWindows::MaxWindows];
    /// The record of the last burst of the present window.
    LayoutRecord Last;
    Stretch Stretches[2 * MostStretches];
  };

  void chooseInOrder();
  void chooseByClass();
  void readChunk(const TrackedChunk &Chunk, unsigned Slot);
  void readClass(unsigned Class, uint64_t First);
  void noteCounters(Stretch &S);
  bool recordStretch(const Stretch &S);
  bool isStill(const Object &O) const;
  void adapt();
  void end();

  Allocations *TheAllocations = nullptr;
  Contexts *TheContexts = nullptr;
  AllMemory *Memory = nullptr;
  unsigned NumStretches = 0;
  bool IsInBurst = false;
  /// How long a burst is to take.
  uint64_t BurstUs = 1000;
  /// The pages of 4 KiB of the last burst's stretches, as they lie, and how
  /// many of them were touched. Stretches are smaller than larger pages.
  uint64_t Pages = 0;
  uint64_t TouchedPages = 0;
  uint64_t BurstBeginUs = 0;
  /// Where the next choice goes on.
  unsigned NextTracked = 0;
  uint64_t Turn = 0;
};

} // namespace thermocline::runtime

#endif
