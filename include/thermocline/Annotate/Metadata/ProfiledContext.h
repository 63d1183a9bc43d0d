//===- Metadata/ProfiledContext.h - A context to annotate -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_PROFILEDCONTEXT_H
#define THERMOCLINE_ANNOTATE_METADATA_PROFILEDCONTEXT_H

#include "thermocline/Support/CoarseWeight.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/ModuleSummaryIndex.h"

namespace thermocline::annotate {

/// A profiled context of an allocation.
struct ProfiledContext {
  /// Stack ids, leaf first; never empty. Owned by the FunctionProfile.
  llvm::ArrayRef<uint64_t> Stack;
  /// LLVM's id of the whole context; 0 if it is to be packed, and not needed.
  uint64_t FullStackId = 0;
  /// Allocated in this context over all profiled runs.
  Bytes TotalSize;
  llvm::AllocationType Type = llvm::AllocationType::NotCold;
  /// What its bytes count for, if the profile tells.
  CoarseWeight Weight = {};
};

} // namespace thermocline::annotate

#endif
