//===- Metadata/PackedContexts.h - Many contexts in few bytes ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's metadata has a node for each context, with one operand for each of its
// frames. An allocation with thousands of contexts takes a hundred bytes of
// bitcode for each of them, and more in memory, although nearly every context
// repeats most of the one before it.
//
// When packed, all such contexts of a module are one string of bytes. Those of
// an allocation are sorted by their stacks, leaf first. Each context tells how
// many frames of the one before it are dropped, and which frames it has
// instead. Frames above the same frame call the same function, so frames are
// put into groups by what they call, and a frame is told by its place in the
// group that calls the function of the frame below it: mostly a number below
// ten. Numbers of different kinds go to different streams, and each stream is
// compressed by zstd. Nothing that decides anything is dropped: stacks, bytes
// and temperatures come out as they went in. Only LLVM's ids of whole contexts
// are left out, eight bytes each that cannot be compressed. A profile has them,
// and contextKey finds them there. How the string travels in bitcode is told in
// PackedCarrier.h.
//
//   string      for each stream the number of its bytes, the number of bytes
//               packed (both ULEB128; 0: not packed), and these bytes
//   Heads       number of allocations, then for each: number of contexts,
//               number of covered frames, their stack ids (u64 each), the group
//               of the frames above them plus 1, and the bytes of its share of
//               each of the streams from Dropped on
//   GroupSizes  for each group: number of frames
//   Links       for each frame, by groups: 0 if nothing is above it, 1 if the
//               next group that is in no link so far, 2 if another group
//   LinksLow    for each of those others: the lowest byte of its number
//   LinksHigh   and the number without that byte
//   Ids         for each frame: its stack id (u64)
//   Dropped     for each context: frames of the one before that it has not
//   Added       for each context: frames that it has instead
//   Steps       for each of those: its place in the group
//   Sizes       for each context: bytes allocated in it
//   Cold        for each context: a bit, lowest first; each allocation begins a
//               byte
//   Weights     for each cold context: its CoarseWeight, one byte
//
// All other numbers are ULEB128. Covered frames are the frames of the
// allocation's own !callsite.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_PACKEDCONTEXTS_H
#define THERMOCLINE_ANNOTATE_METADATA_PACKEDCONTEXTS_H

#include "thermocline/Annotate/Metadata/ProfiledContext.h"
#include "thermocline/Support/SequenceHash.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thermocline::annotate {

/// Packs the contexts of the allocations of a module.
class ContextPacker {
public:
  /// Adds the contexts of an allocation, which are sorted by stack and start
  /// with \p NumCovered frames that all of them share. Returns the number under
  /// which they are found.
  uint32_t add(llvm::ArrayRef<ProfiledContext> Contexts, size_t NumCovered);

  bool empty() const { return Allocations.empty(); }

  /// The string of all that was added.
  std::string pack() const;

private:
  struct Allocation {
    llvm::SmallVector<uint64_t, 2> Covered;
    /// For each context, how many frames it drops and how many it adds.
    std::vector<std::pair<uint32_t, uint32_t>> Shapes;
    /// The frames that contexts add, by number.
    std::vector<uint32_t> Frames;
    llvm::SmallVector<uint8_t, 0> Sizes, Cold, Weights;
  };
  /// Calls \p Visit with each frame that is added and the frame below it. Below
  /// the first frames of allocation i is number (frames) + i.
  void forEachStep(llvm::function_ref<void(uint32_t, uint32_t)> Visit) const;

  std::vector<Allocation> Allocations;
  // Ids come from files, so no DenseMap: it reserves keys.
  std::unordered_map<uint64_t, uint32_t> Numbers;
  std::vector<uint64_t> Ids;
};

/// One unpacked context. Valid only during the callback that receives it.
struct UnpackedContext {
  bool IsCold;
  Bytes Size;
  /// The weight of a cold context, if it is known.
  CoarseWeight Weight;
  /// contextKey of all its frames, covered ones too.
  uint64_t Key;
  /// Leaf first, without the covered frames, by number.
  llvm::ArrayRef<uint32_t> Callers;
  /// How many of them, from the leaf on, are shared with the context before.
  size_t NumShared;
};

/// What ContextPacker packed.
class PackedContexts {
public:
  /// Reads the string \p Packed, which need not outlive the result. Returns an
  /// error for bytes that ContextPacker has not written.
  static llvm::Expected<PackedContexts> read(llvm::StringRef Packed);

  size_t numAllocations() const { return Allocations.size(); }
  size_t numFrames() const { return Links.size(); }
  uint64_t stackId(uint32_t Frame) const;

  /// Calls \p Visit for each context of allocation \p Number, in the order of
  /// their stacks. Returns an error if there is no such allocation, or for what
  /// ContextPacker has not written.
  llvm::Error
  unpack(uint32_t Number,
         llvm::function_ref<void(const UnpackedContext &)> Visit) const;

  /// How many streams there are.
  static constexpr unsigned NumStreams = 12;

private:
  /// Frames with consecutive numbers.
  struct Group {
    uint32_t First = 0;
    uint32_t Size = 0;
  };
  struct Allocation {
    uint64_t NumContexts = 0;
    llvm::SmallVector<uint64_t, 2> Covered;
    Group Above;
    std::array<llvm::ArrayRef<uint8_t>, NumStreams> Streams;
  };
  llvm::Expected<std::vector<Group>> readGroups();
  /// Returns how many groups allocations lead to: the first ones.
  llvm::Expected<size_t> readAllocations(llvm::ArrayRef<Group> Groups);
  llvm::Error readLinks(llvm::ArrayRef<Group> Groups, size_t NumReached);

  std::array<llvm::SmallVector<uint8_t, 0>, NumStreams> Streams;
  /// For each frame, the group of the frames above it.
  std::vector<Group> Links;
  std::vector<Allocation> Allocations;
};

/// Identifies a packed context: a hash of its stack ids, leaf first, however
/// many of them the allocation covers. Never 0.
class ContextKey {
public:
  void add(uint64_t StackId) { Hash.add(StackId); }
  uint64_t get() const { return Hash.value() ? Hash.value() : 1; }

private:
  SequenceHash Hash;
};

} // namespace thermocline::annotate

#endif
