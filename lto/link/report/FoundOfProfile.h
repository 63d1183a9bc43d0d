//===- link/report/FoundOfProfile.h - How much of a profile is here -*- C++
//-*-//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cold bytes of the profile that a link has found, has lost, and has
// hinted, as far as the modules tell. No profile is needed for that. Of a
// profile of several binaries, only the link's own part counts.
//
// A context is in several copies of its allocation, and counts once: found, or
// hinted, if one copy is.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_REPORT_FOUNDOFPROFILE_H
#define THERMOCLINE_LTO_LINK_REPORT_FOUNDOFPROFILE_H

#include "link/LinkResults.h"
#include "options/LinkOptions.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace thermocline::lto {

struct FoundOfProfile {
  /// Bytes of cold contexts, of the profile or of the link's part of it.
  uint64_t All = 0;
  /// Any module tells what the profile has.
  bool IsKnown = false;
  /// The part of All whose frames are all where they were, and the part with
  /// one that was found again in edited source.
  uint64_t Exact = 0, Edited = 0;
  /// The part of both that is hinted, and the part whose hint has an effect
  /// only if the call leads to the allocator.
  uint64_t Hinted = 0, HintedPerhaps = 0;
  /// The profile is of several binaries, and All of the link's part.
  bool IsPart = false;
  /// It is of several, and which part is the link's cannot be told.
  bool IsPartUnknown = false;

  uint64_t lost() const { return All - std::min(All, Exact + Edited); }

  static FoundOfProfile in(const LinkResults &Results);
  /// An error if it is less than \p Gates ask for, or not known.
  llvm::Error check(const LinkGates &Gates) const;
};

} // namespace thermocline::lto

#endif
