//===- export/StackTables.h - Stacks as JSON, each part once ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: contexts share most of their callers. Written out, the frames of
// each take a hundred times what is different in them.
//
// So functions, frames and stacks are tables. A stack is a frame, and the stack
// that called it, which is before it in the table.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_STACKTABLES_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_STACKTABLES_H

#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <unordered_map>
#include <vector>

namespace thermocline::profdata {

class StackTables {
public:
  /// \returns the number of the stack with \p Frames, leaf first; -1 for none.
  int64_t add(llvm::ArrayRef<llvm::memprof::Frame> Frames);

  /// Writes the tables as attributes of an object.
  void write(const profile::FunctionNames &Names, llvm::json::OStream &J) const;

private:
  struct Stack {
    uint32_t Frame;
    /// -1 at the root.
    int64_t Caller;
  };
  uint32_t addFunction(llvm::GlobalValue::GUID Function);
  uint32_t addFrame(const llvm::memprof::Frame &F);

  std::vector<llvm::GlobalValue::GUID> Functions;
  std::vector<llvm::memprof::Frame> Frames;
  std::vector<Stack> Stacks;
  // Numbers in these tables.
  std::unordered_map<llvm::GlobalValue::GUID, uint32_t> FunctionNumbers;
  using FrameKey = std::tuple<uint64_t, uint32_t, uint32_t, bool>;
  std::map<FrameKey, uint32_t> FrameNumbers;
  std::map<std::pair<int64_t, uint32_t>, int64_t> StackNumbers;
};

/// Writes a value of an array, or of an attribute, in one line.
void writeInOneLine(llvm::json::OStream &J,
                    llvm::function_ref<void(llvm::json::OStream &)> Write);

} // namespace thermocline::profdata

#endif
