//===- Metadata/Basis.h - By what contexts were classified ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contexts are classified as cold or not when a module is compiled, by
// thresholds and a profile that the link does not have. This basis of the
// classification travels with the contexts. So the link and the audit can judge
// a profile by the same thresholds, and they notice modules that were compiled
// with different ones.
//
// It travels as ids of full contexts of 0 bytes, which all of LLVM's readers
// pass on. They stand before the mark (ContextMark.h) of a MIB: once in a
// module, in the first MIB of an allocation in a function that no other module
// may define. If the module has no such function, they stand at one allocation
// of each function, because a link drops definitions that do not prevail, and
// their contexts with them.
//
//   first word  48 bits: checksum of the profile. 5 bits: which thresholds are
//               not the default. 2 bits: the rule. 3 bits: which of the
//               predictions and the cold bytes are not 0. 2 bits: which of the
//               predictions at the other horizon are not 0. 1 bit: what is
//               decided for, 0 for bursts. 1 bit: whether the profile is of
//               other architectures. Bit 63 is set
//   others      for each of these thresholds and numbers the bits of it, plus
//               1: LLVM's readers drop an id of 0. Then the architectures
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_BASIS_H
#define THERMOCLINE_ANNOTATE_METADATA_BASIS_H

#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Placement/Horizon.h"
#include "thermocline/Profile/Classification.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/TargetParser/Triple.h"
#include <optional>
#include <string>

namespace thermocline::profile {
class IndexedProfile;
} // namespace thermocline::profile

namespace thermocline::annotate {

struct Basis {
  /// How many bits of a profile's checksum a basis keeps, and which.
  static constexpr unsigned ChecksumBits = 48;
  static constexpr uint64_t ChecksumMask = (uint64_t(1) << ChecksumBits) - 1;

  profile::ColdRule Rule = profile::ColdRule::Relative;
  /// Thresholds that the rule does not use have their default values.
  profile::ColdThresholds Thresholds;
  /// The lowest 48 bits of IndexedProfile::checksum().
  uint64_t ProfileChecksum = 0;
  /// The working set that the model of touched pages predicts, in bytes:
  /// without hints, and with all of the profile's. 0 if it did not decide.
  double WorkingSetBefore = 0;
  double WorkingSetAfter = 0;
  /// The predicted working set at the other horizon, likewise; 0 if it is not
  /// known.
  double OtherBefore = 0;
  double OtherAfter = 0;
  /// The horizon that was decided for, at which WorkingSetBefore and
  /// WorkingSetAfter are.
  placement::Horizon Goal = placement::Horizon::Burst;

  /// The bytes of the profile's cold contexts; 0 if that is not known.
  double ColdBytes = 0;

  /// What the profile is of, if the module is for none of these architectures:
  /// Triple::ArchType of up to eight, a byte each, the first one lowest. 0 if
  /// the module's is among them, or nothing is known.
  uint64_t OtherArchitectures = 0;

  auto operator<=>(const Basis &) const = default;

  /// The basis of the contexts of \p Profile in a module for \p Architecture.
  /// Returns an error if the profile is damaged.
  static llvm::Expected<Basis> of(const profile::IndexedProfile &Profile,
                                  profile::ColdThresholds Thresholds,
                                  llvm::Triple::ArchType Architecture);

  /// "x86_64"; empty if the profile is of the module's architecture.
  std::string otherArchitectures() const;

  /// Encodes the basis as ids of full contexts. None of them is 0.
  llvm::SmallVector<uint64_t, 8> encode() const;

  /// Decodes the basis from the full contexts \p Named of a MIB. Returns
  /// nothing if they hold none, or something that encode() does not write.
  static std::optional<Basis> in(NamedContexts Named);
  /// Whether \p Named hold a basis, whether or not in() can decode it.
  static bool isTold(NamedContexts Named);
};

} // namespace thermocline::annotate

#endif
