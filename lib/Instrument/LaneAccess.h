//===- LaneAccess.h - An access by the lanes of a vector --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_LANEACCESS_H
#define THERMOCLINE_LIB_INSTRUMENT_LANEACCESS_H

#include <cstdint>

namespace llvm {
class Type;
class Value;
} // namespace llvm

namespace thermocline::instrument {

/// How an intrinsic accesses memory by lanes.
struct LaneAccess {
  enum class Layout {
    /// One element behind the other; elements in the place of lanes that are
    /// not active are left out.
    Contiguous,
    /// One element behind the other; lanes that are not active have no place.
    Packed,
    /// Lanes at a distance that is given at run time, in bytes.
    Strided,
    /// Each has an address.
    Gathered,
    /// Each has an index, in units of Scale, from the address.
    Indexed,
  };
  /// How a mask says which lanes are active.
  enum class MaskForm {
    /// An i1 each.
    Booleans,
    /// The highest bit of an element each.
    HighestBits,
    /// A bit each of one integer, the lowest first.
    Integer,
  };
  Layout Place;
  bool IsWrite;
  /// clang's -fmemory-profile counts it, too.
  bool IsCountedByLlvm;
  /// The type of the vector.
  llvm::Type *Vector;
  /// A pointer, or a vector of pointers.
  llvm::Value *Address;
  /// May have more elements than there are lanes; they are of no meaning.
  llvm::Value *Mask;
  /// Lanes from here on are not active; none if that is the vector's length.
  llvm::Value *Length = nullptr;
  llvm::Value *Stride = nullptr;
  MaskForm Form = MaskForm::Booleans;
  /// A vector, perhaps of more elements than there are lanes.
  llvm::Value *Index = nullptr;
  uint64_t Scale = 1;
  /// The intrinsic itself finds out how many lanes it can access: that many of
  /// the first ones, if they are active, are counted behind it.
  bool IsLengthFound = false;

  /// The pointer that all lanes are computed from; none if there is none.
  llvm::Value *commonBase() const;

  /// The pointer to the one object that all lanes are in; none if they may be
  /// in several.
  llvm::Value *commonObject() const;
};

} // namespace thermocline::instrument

#endif
