//===- Instrument/LaneAccesses.h - Accesses by lanes ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a vector that is accessed under a mask each active lane is an access: of
// masked loads and stores, gathers, scatters, expanding loads, compressing
// stores, and their forms with a vector length (llvm.vp.*).
//
// Lanes that are computed from one pointer are lanes of one object. They are
// one update of their number, at the first active lane: one that is not active
// need not be in the object. If none is active the update adds zero, nowhere.
// Lanes of several objects are an update each.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_LANEACCESSES_H
#define THERMOCLINE_LIB_INSTRUMENT_LANEACCESSES_H

#include "thermocline/Instrument/AccessAnalysis.h"
#include <optional>

namespace llvm {
class IntrinsicInst;
class Type;
} // namespace llvm

namespace thermocline::instrument {

class Nowhere;

/// How an intrinsic accesses memory by lanes.
struct LaneAccess {
  enum class Layout {
    /// One element behind the other; elements in the place of lanes that are
    /// not active are left out.
    Contiguous,
    /// One element behind the other; lanes that are not active have no place.
    Packed,
    /// At a distance that is given at run time, in bytes.
    Strided,
    /// Each has an address.
    Gathered,
  };
  Layout Place;
  bool IsWrite;
  /// clang's -fmemory-profile counts it, too.
  bool IsCountedByLlvm;
  /// The type of the vector.
  llvm::Type *Vector;
  /// A pointer, or a vector of pointers.
  llvm::Value *Address;
  llvm::Value *Mask;
  /// Lanes from here on are not active; none if that is the vector's length.
  llvm::Value *Length = nullptr;
  llvm::Value *Stride = nullptr;

  /// The pointer that all lanes are computed from; none if there is none.
  llvm::Value *commonBase() const;
};

/// \returns nothing if \p II does not access memory by lanes.
std::optional<LaneAccess> asLaneAccess(llvm::IntrinsicInst &II);

/// Adds to \p Updates what counts \p Access, which is what \p II does,
/// computing in front of \p II which lanes are active. With \p OneByOne, lanes
/// of one object are an update each, too, unless they are packed.
/// \returns false if that is not possible, as the number of lanes is not known.
bool addLaneUpdates(llvm::IntrinsicInst &II, const LaneAccess &Access,
                    bool OneByOne, Nowhere &NoLane,
                    llvm::SmallVectorImpl<CounterUpdate> &Updates);

} // namespace thermocline::instrument

#endif
