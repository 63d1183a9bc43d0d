//===- Profile/Indexed/OrderPart.h - Order in a file ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of an indexed profile from which it follows whether objects should
// lie in order (thermocline/Format/TouchPart.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_ORDERPART_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_ORDERPART_H

#include "thermocline/Placement/Order.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace thermocline::profile {

/// What the part holds.
struct OrderData {
  placement::OrderCountsByPhase Counts;
  /// As keepSomeBursts() leaves them.
  std::vector<BurstLayout> Bursts;
};

/// Appends the part to \p File, an indexed profile.
void appendOrder(std::string &File, const OrderData &Order);

/// What the file \p Contents has; nothing if it has no such part, and no bursts
/// unless \p WithBursts. Errors do not name the file.
llvm::Expected<OrderData> readOrder(llvm::StringRef Contents, bool WithBursts);

} // namespace thermocline::profile

#endif
