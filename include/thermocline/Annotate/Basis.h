//===- Annotate/Basis.h - By what contexts were classified ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is cold was decided when a module was compiled, by thresholds and by a
// profile that the link does not have. They travel with the contexts, so that
// what the link and the audit say of a profile goes by the same thresholds, and
// so that modules that do not go together are noticed.
//
// They travel as ids of full contexts of 0 bytes, which every reader of LLVM's
// passes on, before the mark (ContextMark.h) of a MIB: once a module, in the
// first MIB of an allocation in a function that no other module may bring, or,
// where there is none, of one allocation in each function. A link drops what
// does not prevail, and its contexts with it.
//
//   first word  48 bits: checksum of the profile. 5 bits: which thresholds are
//               not the default. 2 bits: the rule. Bit 63 is set
//   others      for each such threshold the bits of the number, plus 1: LLVM's
//               readers drop an id of 0
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_BASIS_H
#define THERMOCLINE_ANNOTATE_BASIS_H

#include "thermocline/Annotate/ContextMark.h"
#include "thermocline/Profile/Classification.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace thermocline::profile {
class IndexedProfile;
} // namespace thermocline::profile

namespace thermocline::annotate {

struct Basis {
  profile::ColdRule Rule = profile::ColdRule::Relative;
  /// Defaults where the rule does not look at them.
  profile::ColdThresholds Thresholds;
  /// 48 bits of IndexedProfile::checksum().
  uint64_t ProfileChecksum = 0;

  auto operator<=>(const Basis &) const = default;

  /// For contexts of \p Profile. The error is that of a damaged profile.
  static llvm::Expected<Basis> of(const profile::IndexedProfile &Profile,
                                  profile::ColdThresholds Thresholds);

  /// The ids of full contexts that tell it; none is 0.
  llvm::SmallVector<uint64_t, 6> encode() const;

  /// What a MIB which names \p Named tells. Nothing if it tells none, or what
  /// encode() does not write.
  static std::optional<Basis> in(NamedContexts Named);
};

} // namespace thermocline::annotate

#endif
