//===- program/LinkedBinaries.h - A link's part of a profile ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a profile may be of a process with several binaries, and a link
// makes one of them. What is allocated in the others is not lost, and what
// calls from there has not changed.
//
// Names and build ids of what is linked may differ from those of what was
// profiled. So the functions tell which binary of the profile a link makes: of
// those that only one binary has, it has most. If a library was since linked
// into the program, the link makes both. Functions that are inline in headers
// are in many binaries, and tell nothing. Plugins may have only functions whose
// names others have, too: then it is told by contexts.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_LINKEDBINARIES_H
#define THERMOCLINE_LTO_PROGRAM_LINKEDBINARIES_H

#include "CodeInventory.h"
#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Engine/EngineResult.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace thermocline::lto {

class LinkedBinaries {
public:
  /// The binaries of the link with \p Code and the contexts of \p Parts. The
  /// error is that of a damaged profile.
  static llvm::Expected<LinkedBinaries>
  of(const profile::IndexedProfile &Profile, const CodeInventory &Code,
     llvm::ArrayRef<const context::ContextProgram *> Parts);
  /// The same, with \p Map for what the profile says of its binaries.
  static LinkedBinaries
  among(const profile::BinaryMap &Map, const CodeInventory &Code,
        llvm::ArrayRef<const context::ContextProgram *> Parts);

  /// Whether the profile has other binaries.
  bool isPart() const { return IsPart; }

  /// The name of the other binary that the context with the id \p FullStackId
  /// was allocated in; nothing if it was in a binary of this link, or that is
  /// not known.
  std::optional<llvm::StringRef> allocatedElsewhere(uint64_t FullStackId) const;

  /// Tells contexts that enter from another binary, or ran there, apart from
  /// those with unmatched frames, among the outcomes of \p Result, which is
  /// that of \p Program. \p Frames are those of the profile.
  void refineOutcomes(const context::ContextProgram &Program,
                      const profile::FrameTable &Frames,
                      context::EngineResult &Result) const;

private:
  bool IsPart = false;
  // Ids come from files, so no DenseMap: it reserves keys.
  std::unordered_map<uint64_t, std::string> ContextsElsewhere;
  /// Functions that no binary of this link has.
  std::unordered_set<uint64_t> FunctionsElsewhere;
};

} // namespace thermocline::lto

#endif
