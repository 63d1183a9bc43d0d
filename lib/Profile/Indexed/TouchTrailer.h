//===- Profile/Indexed/TouchTrailer.h - Touches in a file -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of an indexed profile that says when memory was touched, behind what
// LLVM's readers know (thermocline/Format/TouchTrailer.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_TOUCHTRAILER_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_TOUCHTRAILER_H

#include "thermocline/Format/TouchTrailer.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace thermocline::profile {

/// Read in place. Errors do not name the file.
class TouchTrailer {
public:
  /// The trailer of the file \p Contents, which must outlive it; null if there
  /// is none. Checks its head, and whether it stands where it was written.
  static llvm::Expected<std::unique_ptr<TouchTrailer>>
  open(llvm::StringRef Contents);

  /// Whether \p Contents, which has no trailer, has what begins like one.
  static bool isCutOff(llvm::StringRef Contents);

  const TouchGrid &grid() const { return Grid; }
  const placement::Prediction &predicted() const { return Predicted; }
  placement::PlacementOptions decidedFor() const;
  /// Where it begins in the file.
  uint64_t offset() const { return Header.Offset; }
  /// Of the memory profile that it was written for.
  uint64_t profileChecksum() const { return Header.ProfileChecksum; }

  /// Returns an error if the table of decisions is damaged.
  llvm::Error checkTable() const;
  /// What was decided of the context with the full stack id \p Id; nothing if
  /// it is not in the table. The first call checks the table.
  llvm::Expected<std::optional<placement::PlacedContext>>
  decision(uint64_t Id) const;
  /// Decodes all.
  llvm::Expected<TouchesById> touches() const;

private:
  llvm::Error readPhases(llvm::StringRef Bytes);
  uint64_t id(uint64_t Index) const;
  double benefit(uint64_t Index) const;

  format::TouchTrailerHeader Header;
  TouchGrid Grid;
  placement::Prediction Predicted;
  llvm::StringRef Table;
  llvm::StringRef Packed;
  mutable std::atomic<bool> TableIsChecked = false;
};

/// Appends the trailer to \p File, an indexed profile whose memory profile has
/// the checksum \p ProfileChecksum. \p Placed has a decision for each context
/// of \p All, by \p Options.
void appendTouchTrailer(std::string &File, uint64_t ProfileChecksum,
                        const TouchesById &All,
                        const placement::PlacementOptions &Options,
                        const placement::Placement &Placed);

} // namespace thermocline::profile

#endif
