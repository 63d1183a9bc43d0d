//===- Profile/Indexed/TouchPart.h - Touches in a file ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of an indexed profile that say when memory was touched
// (thermocline/Format/TouchPart.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_TOUCHPART_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_TOUCHPART_H

#include "thermocline/Format/TouchPart.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace thermocline::profile {

/// Whether touched pages decide which contexts are cold, and not totals, in
/// runs with \p Grid, of which place() says by \p Options that contexts are
/// cold (\p AnyCold) and what that gains. They do not if the runs have too few
/// windows, or if nothing is cold by pages in runs that are too short to say
/// that hints gain nothing. Totals know no phases, no touches that the page
/// table tells, and of samples too little, so there pages decide all the same.
bool pagesDecide(const TouchGrid &Grid, const placement::Prediction &Predicted,
                 bool AnyCold, const placement::PlacementOptions &Options);

/// Read in place. Errors do not name the file.
class TouchPart {
public:
  /// The part of the file \p Contents, which must outlive it; null if there is
  /// none. Checks all but the touches, and whether it stands where it was
  /// written.
  static llvm::Expected<std::unique_ptr<TouchPart>>
  open(llvm::StringRef Contents);

  /// Whether \p Contents, which has no part, has what begins like one.
  static bool isCutOff(llvm::StringRef Contents);

  const TouchGrid &grid() const { return Grid; }
  const placement::Prediction &predicted() const { return Predicted; }
  placement::PlacementOptions decidedFor() const;

  /// What was decided of the context with the full stack id \p Id; nothing if
  /// it is not in the table.
  std::optional<placement::PlacedContext> decision(uint64_t Id) const;
  /// Whether any context is cold.
  bool anyCold() const;
  /// Decodes all. It is an error if the part was written for another memory
  /// profile than that with \p ProfileChecksum.
  llvm::Expected<TouchesById> touches(uint64_t ProfileChecksum) const;

private:
  llvm::Error readPhases(llvm::StringRef Bytes);
  llvm::Error checkBenefits() const;
  uint64_t id(uint64_t Index) const;
  double benefit(uint64_t Index) const;
  /// A bit for each context.
  llvm::StringRef coldBits() const;

  llvm::StringRef File;
  format::TouchPartHeader Header;
  TouchGrid Grid;
  placement::Prediction Predicted;
  llvm::StringRef Table;
};

/// Appends the parts to \p File, an indexed profile whose memory profile has
/// the checksum \p ProfileChecksum. \p Placed has a decision for each context
/// of \p All, by \p Options.
void appendTouches(std::string &File, uint64_t ProfileChecksum,
                   const TouchesById &All,
                   const placement::PlacementOptions &Options,
                   const placement::Placement &Placed);

} // namespace thermocline::profile

#endif
