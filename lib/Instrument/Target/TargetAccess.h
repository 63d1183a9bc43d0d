//===- Target/TargetAccess.h - A target's own access ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_TARGET_TARGETACCESS_H
#define THERMOCLINE_LIB_INSTRUMENT_TARGET_TARGETACCESS_H

namespace llvm {
class Value;
} // namespace llvm

namespace thermocline::instrument {

/// A target's own intrinsic that makes one access.
struct TargetAccess {
  llvm::Value *Address;
  bool IsWrite;
  /// It lets another thread go on.
  bool IsAtomic = false;
};

} // namespace thermocline::instrument

#endif
