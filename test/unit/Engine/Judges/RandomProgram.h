//===- Engine/Judges/RandomProgram.h - Small random programs ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_ENGINE_RANDOMPROGRAM_H
#define THERMOCLINE_TEST_ENGINE_RANDOMPROGRAM_H

#include "thermocline/Context/Decisions.h"
#include <set>

namespace thermocline::context {

/// A program of a handful of functions, the same for the same \p Seed. Seeds
/// vary in shape: layered or recursive; with callsites inlined, duplicated, not
/// redirectable; functions that cannot be cloned; contexts whole, trimmed at
/// any frame, or broken off; cold by callsites or at random; and with calls
/// that have no record: native, edited or virtual ones, whose frames are in
/// contexts all the same; calls through pointers, and coroutines.
ContextProgram randomProgram(uint64_t Seed);

/// A program all of whose calls are callsites, and whose contexts go up to a
/// function that nothing calls. With \p TailCalls, also with calls that leave
/// no frame, or none in some contexts. Calls through pointers that may be
/// another function are two calls, of which one has no record.
struct CompleteProgram {
  CompleteProgram(uint64_t Seed, bool TailCalls);

  ContextProgram Program;
  /// Its callsites that have a record.
  std::vector<CallsiteId> Recorded;
  /// Callsites, and others that are the same instruction, or one that a link
  /// redirects likewise.
  std::vector<std::pair<CallsiteId, CallsiteId>> Twins;
  /// Calls that a link knows to be marked musttail. Here each is two calls.
  std::set<CallsiteId> MustTail;
  /// What a link knows of it.
  ContextProgram withRecords() const;
  /// What all of its calls do where \p OfRecorded was decided on what the link
  /// knows. Calls without a record reach the original.
  Decisions decisions(const Decisions &OfRecorded) const;
};

} // namespace thermocline::context

#endif
