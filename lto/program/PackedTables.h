//===- lto/program/PackedTables.h - Packed contexts of a link ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each module has the packed contexts of its allocations in one place
// (PackedCarrier.h). They are read when the first of them is needed, and kept
// until the last one was read.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_PACKEDTABLES_H
#define THERMOCLINE_LTO_PROGRAM_PACKEDTABLES_H

#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Annotate/Metadata/PackedContexts.h"
#include "thermocline/Context/ContextProgram.h"
#include <optional>
#include <unordered_map>
#include <vector>

namespace thermocline::lto {

class PackedTables {
public:
  /// Notes \p Name if it holds packed contexts. It must outlive this object.
  void add(llvm::StringRef Name);

  /// Adds the contexts of an allocation whose first MIB names \p Named to the
  /// one that \p Program opened last; without direct recursion if \p Program
  /// folds it. Returns an error if they are damaged or in no name; some may be
  /// added by then.
  llvm::Error addContexts(annotate::NamedContexts Named,
                          context::ContextProgram &Program);

private:
  struct Table {
    llvm::StringRef Name;
    std::optional<annotate::PackedContexts> Contexts;
    /// By number; none if no context that was read has it.
    std::vector<context::ContextFrame> Frames;
    size_t NumRead = 0;
  };

  // Ids come from files, so no DenseMap: it reserves keys.
  std::unordered_map<uint64_t, Table> Tables;
};

} // namespace thermocline::lto

#endif
