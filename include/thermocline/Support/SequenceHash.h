//===- Support/SequenceHash.h - A hash of numbers in a row ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash that grows number by number, so that every beginning of a row has one.
// It is the same in every run and on every machine, which llvm::hash_value need
// not be: decisions and files may depend on it.
//
// Numbers that matter here are hashes already, or dense. A multiplication and a
// shift for each mix enough to tell rows apart, as long as nobody chooses
// numbers so that they collide.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_SEQUENCEHASH_H
#define THERMOCLINE_SUPPORT_SEQUENCEHASH_H

#include <cstdint>

namespace thermocline {

class SequenceHash {
public:
  constexpr explicit SequenceHash(uint64_t Seed = 0) : Value(Seed) {}

  constexpr void add(uint64_t Number) {
    Value = (Value ^ Number) * 0x9E3779B97F4A7C15u;
    Value ^= Value >> 32;
  }
  constexpr uint64_t value() const { return Value; }

private:
  uint64_t Value;
};

} // namespace thermocline

#endif
