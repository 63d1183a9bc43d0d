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
// When packed, the contexts of an allocation are one string of bytes. They are
// sorted by their stacks, leaf first. Each context tells how many frames of the
// one before it are dropped, and which frames it has instead. A new frame is
// given by its position among the callers that were seen above the frame below
// it. Numbers of different kinds go to different streams, and all streams are
// compressed by zstd. Nothing that decides anything is dropped: stacks, bytes
// and temperatures come out as they went in. Only LLVM's ids of whole contexts
// are left out, eight bytes each that cannot be compressed. A profile has them,
// and contextKey finds them there.
//
// The bytes travel in a place that LLVM's readers and writers pass on without
// knowing it: as ids of full contexts of 0 bytes in the first MIB of the
// allocation, seven bytes of the string in each. Every MIB ends with a
// ContextMark. Stock tools add 0 bytes for all of these. The MIBs themselves
// mean something to stock linkers: they are a few contexts in which every frame
// occurs. Packed contexts refer to frames by their order there, so that all
// allocations of a module share LLVM's table of stack ids.
//
//   string      format (u8, 1), checksum (u64) of what follows and of the stack
//               ids of the frames, number of bytes unpacked, number of bytes
//               packed (both ULEB128), the bytes packed by zstd
//   unpacked    number of contexts, number of covered frames (ULEB128), their
//               stack ids (u64 each), number of frames (ULEB128), then streams,
//               each after its length (ULEB128):
//   Dropped     for each context: frames of the one before that it has not
//   Added       for each context: frames that it has instead
//   Steps       for each of those: its place in the list of what was seen
//               above the frame before, or the length of that list
//   Fresh       for each that was not in the list: the number of the frame
//   Sizes       for each context: bytes allocated in it
//   Cold        for each context: a bit, lowest first
//   Weights     for each cold context: its CoarseWeight, one byte. Not there
//               in bitcode from before there were any
//
// All numbers in streams are ULEB128. Covered frames are the frames of the
// allocation's own !callsite.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_PACKEDCONTEXTS_H
#define THERMOCLINE_ANNOTATE_METADATA_PACKEDCONTEXTS_H

#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Annotate/Metadata/ProfiledContext.h"
#include "thermocline/Support/Ids.h"
#include "thermocline/Support/SequenceHash.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/Support/Error.h"
#include <unordered_set>
#include <vector>

namespace thermocline::annotate {

/// The stack ids of the MIBs of an allocation, each once, in the order in which
/// they first occur, without those that the allocation's own !callsite covers.
class FrameList {
public:
  void add(uint64_t StackId) {
    if (Known.insert(StackId).second)
      Ids.push_back(StackId);
  }
  llvm::ArrayRef<uint64_t> ids() const { return Ids; }

private:
  // Ids come from files, so no DenseSet: it reserves keys.
  std::unordered_set<uint64_t> Known;
  std::vector<uint64_t> Ids;
};

/// A MIB that is written beside packed contexts, for stock linkers.
struct ListedContext {
  /// A prefix of the stack of some context. Owned by the profile.
  llvm::ArrayRef<uint64_t> Stack;
  /// The temperature; it is not cold unless all contexts with that prefix are
  /// cold.
  llvm::AllocationType Type;
};

struct PackedContexts {
  /// The MIBs to write, in which every frame of every context occurs. If any
  /// context is not cold, the last MIB is not cold and has the frames that all
  /// contexts share.
  std::vector<ListedContext> Listed;
  /// Ids of the full contexts of the first MIB, without the mark.
  std::vector<uint64_t> Words;
};

/// Packs \p Contexts, which are sorted by stack and start with \p NumCovered
/// frames that all of them share.
PackedContexts packContexts(llvm::ArrayRef<ProfiledContext> Contexts,
                            size_t NumCovered);

/// Whether \p Contexts, as packContexts takes them, are estimated to take fewer
/// bytes of bitcode packed than each in a MIB of its own.
bool isSmallerPacked(llvm::ArrayRef<ProfiledContext> Contexts);

/// One unpacked context. Valid only during the callback that receives it.
struct UnpackedContext {
  bool IsCold;
  Bytes Size;
  /// The weight of a cold context, if it is known.
  CoarseWeight Weight;
  /// contextKey of all its frames, covered ones too.
  uint64_t Key;
  /// Leaf first, without the covered frames: their places in the list.
  llvm::ArrayRef<uint32_t> Callers;
  /// How many of them, from the leaf on, are shared with the context before.
  size_t NumShared;
};

/// Unpacks the contexts that \p Named, the full contexts of an allocation's
/// first MIB, hold, and calls \p Visit for each, in the order of their stacks.
/// \p Frames are those of the allocation's MIBs. Returns an error for bytes
/// that packContexts() has not written.
llvm::Error
unpackContexts(NamedContexts Named, llvm::ArrayRef<uint64_t> Frames,
               llvm::function_ref<void(const UnpackedContext &)> Visit);

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
