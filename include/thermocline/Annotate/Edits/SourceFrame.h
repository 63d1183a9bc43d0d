//===- Edits/SourceFrame.h - A call in the source ---------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_EDITS_SOURCEFRAME_H
#define THERMOCLINE_ANNOTATE_EDITS_SOURCEFRAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/GlobalValue.h"

namespace thermocline::annotate {

/// A call in the source.
struct SourceFrame {
  /// LLVM's memory profile GUID of the linkage name, without LTO's suffix.
  llvm::GlobalValue::GUID Function = 0;
  /// Lines after the function's own line, modulo 2^16.
  uint32_t LineOffset = 0;
  uint32_t Column = 0;

  auto operator<=>(const SourceFrame &) const = default;
};

/// Whether any context goes through a call of then.
using IsProfiledCall = llvm::function_ref<bool(const SourceFrame &)>;
/// The functions that a call of then led to in contexts.
using CalleesThen = llvm::function_ref<llvm::ArrayRef<llvm::GlobalValue::GUID>(
    const SourceFrame &)>;

} // namespace thermocline::annotate

#endif
