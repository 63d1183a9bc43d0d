//===- Ids.h - Ids of different things are different types ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strongly typed 32- and 64-bit ids. An id has no arithmetic: it is made from
// an index, compared, hashed and turned back into an index, and ids of
// different things do not convert into one another.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_IDS_H
#define THERMOCLINE_SUPPORT_IDS_H

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"
#include <compare>
#include <cstdint>

namespace thermocline {

/// An id of the thing that \p Tag names, held as \p Raw. The greatest value
/// means "none"; the one below it is reserved for hash tables.
template <typename Tag, typename Raw> class Id {
public:
  using RawType = Raw;

  constexpr Id() = default;
  constexpr explicit Id(Raw Value) : Value(Value) {}

  static constexpr Id none() { return Id(); }
  constexpr bool isNone() const { return Value == NoneValue; }
  constexpr explicit operator bool() const { return !isNone(); }

  /// The id as an index into the table of its kind.
  constexpr Raw index() const { return Value; }

  constexpr auto operator<=>(const Id &) const = default;

  friend llvm::hash_code hash_value(Id I) { return llvm::hash_value(I.Value); }

private:
  static constexpr Raw NoneValue = ~Raw(0);
  Raw Value = NoneValue;
};

/// A call site as the profile and the `!callsite` and `!memprof` metadata name
/// it: LLVM's 64-bit hash of function GUID, line offset and column. Any 64-bit
/// value is a legal stack id, so this type has no "none".
enum class StackId : uint64_t {};

constexpr uint64_t raw(StackId S) { return static_cast<uint64_t>(S); }

} // namespace thermocline

namespace llvm {
template <typename Tag, typename Raw>
struct DenseMapInfo<thermocline::Id<Tag, Raw>> {
  using IdType = thermocline::Id<Tag, Raw>;
  static IdType getEmptyKey() { return IdType(); }
  static IdType getTombstoneKey() { return IdType(~Raw(0) - 1); }
  static unsigned getHashValue(IdType I) {
    return DenseMapInfo<Raw>::getHashValue(I.index());
  }
  static bool isEqual(IdType A, IdType B) { return A == B; }
};
} // namespace llvm

#endif
