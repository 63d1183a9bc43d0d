//===- Profile/Layouts.h - How small objects lay ----------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In bursts of their own, one a window, the runtime records some stretches of
// small objects, object by object: of some it tells how they would lie in order
// of allocation, of others how they lie by size class.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_LAYOUTS_H
#define THERMOCLINE_PROFILE_LAYOUTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace thermocline::profile {

/// The state of an object at the end of a burst, or of a place where one had
/// been.
enum class LayoutState : uint8_t { Idle, Touched, Hole };

/// Objects or holes that are alike and side by side.
struct LayoutRun {
  LayoutState State = LayoutState::Idle;
  /// The size of each object, in granules of 16 bytes.
  uint8_t Granules = 1;
  /// Which pieces of an object were touched, a bit each. The first piece has
  /// FirstBytes bytes, and the others 64.
  uint32_t Pieces = 0;
  uint8_t FirstBytes = 64;
  /// How many objects.
  uint32_t Count = 1;
  /// The number of the context. What it means is said by whoever has the run.
  uint64_t Context = 0;

  bool operator==(const LayoutRun &) const = default;
};

struct LayoutStretch {
  /// Whether the objects lie by size class, and not in order of allocation.
  bool IsByClass = false;
  std::vector<LayoutRun> Runs;

  bool operator==(const LayoutStretch &) const = default;
};

/// What was recorded of a burst.
struct BurstLayout {
  /// The phase that the program was in, or nothing.
  std::string Phase;
  std::vector<LayoutStretch> Stretches;

  bool operator==(const BurstLayout &) const = default;
};

/// Appends \p Stretches in the form of raw profiles. \p NumberOf gives the
/// number to write for a context.
void encodeStretches(const std::vector<LayoutStretch> &Stretches,
                     llvm::function_ref<uint64_t(uint64_t)> NumberOf,
                     llvm::SmallVectorImpl<char> &Encoded);
/// Reads what that wrote at \p Cursor into \p Result. \returns what is wrong
/// with it, or nothing; the cursor has its own errors.
llvm::StringRef decodeStretches(const llvm::DataExtractor &Data,
                                llvm::DataExtractor::Cursor &Cursor,
                                std::vector<LayoutStretch> &Result);

/// The most bursts of a phase that a profile keeps, each once.
constexpr size_t MostBurstsKept = 32;
/// Puts \p Bursts, whose contexts have full stack ids, into an order that does
/// not depend on theirs, by phases, and keeps those that a profile does. Which
/// they are looks random, and is the same whether parts were kept before.
void keepSomeBursts(std::vector<BurstLayout> &Bursts);

/// Decodes \p Payload, the part of layouts (thermocline/Format/RawSections.h)
/// of a profile whose windows were in \p Phases. Appends what is known of
/// bursts to \p Bursts; contexts have their ids in the file. \p Fail makes an
/// error of what is wrong.
llvm::Error
decodeRawLayouts(llvm::StringRef Payload,
                 const std::vector<std::string> &Phases,
                 std::vector<BurstLayout> &Bursts,
                 llvm::function_ref<llvm::Error(const llvm::Twine &)> Fail);

} // namespace thermocline::profile

#endif
