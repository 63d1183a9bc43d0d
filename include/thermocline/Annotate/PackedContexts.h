//===- Annotate/PackedContexts.h - Many contexts in few bytes ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's metadata has a node for each context, and one operand for each of its
// frames. An allocation with thousands of contexts takes a hundred bytes for
// each of them, in bitcode, and more in memory, though nearly all of a context
// is what the one before it has.
//
// Packed, the contexts of an allocation are one string of bytes. In the order
// of their stacks, leaf first, each tells how many frames of the one before it
// does not have, and which it has instead: the how-manieth of the callers that
// frame was seen with. What is told apart goes to streams of its own, and all
// of it through zstd. Nothing that decides anything is dropped: stacks, bytes
// and temperatures come out as they went in. What is left out are LLVM's ids
// of whole contexts, eight bytes each that nothing shortens; a profile at hand
// has them (contextKey finds them there).
//
// The bytes travel where LLVM's readers and writers pass on what they do not
// know: as ids of full contexts of 0 bytes, seven bytes of the string in each,
// in the first MIB of the allocation. Every MIB ends with a ContextMark. Stock
// tools add 0 bytes for all of them. The MIBs themselves are contexts
// with a meaning for stock linkers, few of them, in which every frame occurs:
// packed contexts name frames by their order there. So LLVM's tables of stack
// ids are shared by all allocations of a module.
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
//   Lifetimes   for each cold context: its CoarseLifetime, one byte. Not there
//               in bitcode from before there were any
//
// All numbers in streams are ULEB128. Covered frames are those of the
// allocation's own !callsite.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_PACKEDCONTEXTS_H
#define THERMOCLINE_ANNOTATE_PACKEDCONTEXTS_H

#include "thermocline/Annotate/ContextMark.h"
#include "thermocline/Annotate/ProfiledContext.h"
#include "thermocline/Support/Ids.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/Support/Error.h"
#include <unordered_set>
#include <vector>

namespace thermocline::annotate {

/// Stack ids in the order in which they come first in the MIBs of an
/// allocation, without what its own !callsite covers.
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

/// A context that stands for others before stock linkers.
struct ListedContext {
  /// A prefix of the stack of some context. Owned by the profile.
  llvm::ArrayRef<uint64_t> Stack;
  /// Not cold unless all contexts with that prefix are cold.
  llvm::AllocationType Type;
};

struct PackedContexts {
  /// MIBs, in which every frame of every context occurs. Where any context is
  /// not cold, the last one is not, and has what all contexts share.
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

/// What a packed context is, valid during the callback that receives it.
struct UnpackedContext {
  bool IsCold;
  Bytes Size;
  /// Of a cold one, where it is known.
  CoarseLifetime Lifetime;
  /// contextKey of all its frames, covered ones too.
  uint64_t Key;
  /// Leaf first, without the covered frames: their places in the list.
  llvm::ArrayRef<uint32_t> Callers;
  /// As many of them, from the leaf on, are those of the context before.
  size_t NumShared;
};

/// The contexts that \p Named, all of the first MIB of an allocation, has
/// packed, in order of their stacks. \p Frames are those of the allocation's
/// MIBs, as a FrameList has them. The error is of bytes that packContexts has
/// not written.
llvm::Error
unpackContexts(NamedContexts Named, llvm::ArrayRef<uint64_t> Frames,
               llvm::function_ref<void(const UnpackedContext &)> Visit);

/// By which a packed context is known: a hash of its stack ids, leaf first,
/// however much of them the allocation covers. Never 0.
class ContextKey {
public:
  void add(uint64_t StackId) {
    Hash = (Hash ^ StackId) * 0x9E3779B97F4A7C15u;
    Hash ^= Hash >> 32;
  }
  uint64_t get() const { return Hash ? Hash : 1; }

private:
  uint64_t Hash = 0;
};

} // namespace thermocline::annotate

#endif
