//===- Target/Target.h - What the pass knows of a target --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the folder of an architecture (arch/NAME/compiler/Target.cpp) defines
// for the pass.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_TARGET_TARGET_H
#define THERMOCLINE_LIB_INSTRUMENT_TARGET_TARGET_H

#include "LaneAccess.h"
#include "TargetAccess.h"
#include "TargetLayout.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/TargetParser/Triple.h"
#include <optional>

namespace llvm {
class IntrinsicInst;
class Module;
} // namespace llvm

namespace thermocline::instrument {

struct Target {
  llvm::Triple::ArchType Architecture;
  TargetLayout Layout;
  /// As asTargetLaneAccess() and asTargetAccess() (TargetIntrinsics.h), for
  /// intrinsics of this target. They are called for those of others as well.
  std::optional<LaneAccess> (*AsLaneAccess)(llvm::IntrinsicInst &II);
  std::optional<TargetAccess> (*AsAccess)(llvm::IntrinsicInst &II);
  /// Whether an intrinsic says or asks something of memory, or of the
  /// processor's caches, and neither reads nor writes what is there; or is
  /// counted with another one.
  bool (*IsRemark)(llvm::Intrinsic::ID ID);
};

// thermocline::instrument::aarch64::Port, and so on.
#define THERMOCLINE_ARCHITECTURE(Name)                                         \
  namespace Name {                                                             \
  extern const Target Port;                                                    \
  }
#include "arch/Architectures.def"
#undef THERMOCLINE_ARCHITECTURE

inline constexpr const Target *Targets[] = {
#define THERMOCLINE_ARCHITECTURE(Name) &Name::Port,
#include "arch/Architectures.def"
#undef THERMOCLINE_ARCHITECTURE
};

TargetLayout targetLayoutOf(const llvm::Module &M);

} // namespace thermocline::instrument

#endif
