//===- ContextMark.h - What an annotation says of itself --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's own annotation leaves out some contexts that are not cold: those
// without which a linker can still tell the others apart. So what it does not
// list must be taken for not cold. Thermocline's annotation lists every
// context, whole, so that the link is free on paths that are not listed. The
// link must know which of the two it has. For this, each MIB of Thermocline
// ends with a mark: a full context that no profile has, of 0 bytes, which adds
// nothing to any sum. (LLVM's readers drop the id 0.) The id of the mark has,
// from the lowest bit:
//
//   8 bits      1: each context is in a MIB of its own. 2: they are packed
//               (PackedCarrier.h). 3: like 1, but the profile lacks some
//               contexts, so that what is not listed must be taken for not cold
//   8 bits      of a context in a MIB of its own: its CoarseWeight, if cold
//   4 bits      how many full contexts before this one, of 0 bytes too, tell by
//               what the module was compiled (Basis.h)
//   4 bits      CalledAllocator::Way
//   8 bits      0
//   32 bits     CalledAllocator::Which
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_CONTEXTMARK_H
#define THERMOCLINE_ANNOTATE_METADATA_CONTEXTMARK_H

#include "thermocline/Support/CoarseWeight.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/Support/xxhash.h"
#include <optional>

namespace thermocline::annotate {

/// The full contexts that a MIB names, with their bytes.
using NamedContexts = llvm::ArrayRef<llvm::ContextTotalSize>;

/// What the call with the contexts is of, as far as the link has to know: the
/// linker may be told to redefine it, and a pointer may lead elsewhere.
struct CalledAllocator {
  enum class Way : uint8_t {
    /// The bitcode does not tell.
    Unknown,
    /// A function of the table of allocation functions.
    ByName,
    /// One of several through a pointer, which always led to one of them.
    ByPointer,
    /// One of several through a pointer, which may also have led elsewhere.
    ByAnyPointer,
    /// A function that the program names.
    Own,
    /// A function of the table that takes a hint, with one that the program
    /// passes.
    OwnHint,
  };

  Way Is = Way::Unknown;
  /// A bit for each AllocationKind that it may be; of Way::Own, 16 bits of the
  /// hash of the function's name, then 16 of its cold variant's.
  uint32_t Which = 0;

  static CalledAllocator own(llvm::StringRef Function,
                             llvm::StringRef Variant) {
    return {Way::Own, hash(Function) | hash(Variant) << 16};
  }
  bool isOwn(llvm::StringRef Function) const {
    return Is == Way::Own && (Which & 0xffff) == hash(Function);
  }
  bool hasVariant(llvm::StringRef Variant) const {
    return Is == Way::Own && Which >> 16 == hash(Variant);
  }

private:
  static uint32_t hash(llvm::StringRef Name) {
    return llvm::xxh3_64bits(Name) & 0xffff;
  }
};

struct ContextMark {
  enum class Kind : uint8_t { Whole = 1, Packed = 2, Part = 3 };

  Kind Is = Kind::Whole;
  CoarseWeight Weight = {};
  /// The number of words of the basis; at most 15.
  uint8_t NumBasisWords = 0;
  CalledAllocator Calls = {};

  llvm::ContextTotalSize encode() const {
    return {static_cast<uint64_t>(Is) | uint64_t(Weight.code()) << 8 |
                uint64_t(NumBasisWords) << 16 |
                static_cast<uint64_t>(Calls.Is) << 20 |
                uint64_t(Calls.Which) << 32,
            0};
  }

  /// The mark of a MIB that names \p Named. Returns nothing if the MIB is not
  /// Thermocline's.
  static std::optional<ContextMark> of(NamedContexts Named) {
    if (Named.empty() || Named.back().TotalSize != 0)
      return std::nullopt;
    const uint64_t Id = Named.back().FullStackId;
    ContextMark Result{static_cast<Kind>(Id & 0xff),
                       CoarseWeight::fromCode(Id >> 8 & 0xff),
                       static_cast<uint8_t>(Id >> 16 & 0xf),
                       {static_cast<CalledAllocator::Way>(Id >> 20 & 0xf),
                        static_cast<uint32_t>(Id >> 32)}};
    const bool IsKnown = Result.Calls.Is != CalledAllocator::Way::Unknown;
    if ((Id >> 24 & 0xff) || Result.Calls.Is > CalledAllocator::Way::OwnHint ||
        IsKnown != (Result.Calls.Which != 0) || Result.Is < Kind::Whole ||
        Result.Is > Kind::Part ||
        Named.size() <= size_t(Result.NumBasisWords) + 1)
      return std::nullopt;
    return Result;
  }

  /// The words of the basis (Basis.h) of a MIB that names \p Named.
  NamedContexts basisIn(NamedContexts Named) const {
    return Named.drop_back().take_back(NumBasisWords);
  }
};

} // namespace thermocline::annotate

#endif
