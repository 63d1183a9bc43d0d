//===- unit/Annotate/ProfileText.h - Records made by hand -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_UNIT_ANNOTATE_PROFILETEXT_H
#define THERMOCLINE_TEST_UNIT_ANNOTATE_PROFILETEXT_H

#include "thermocline/Annotate/StackMatcher.h"
#include "thermocline/Profile/StackIds.h"
#include <map>

namespace thermocline::annotate {

inline llvm::memprof::Frame frame(llvm::StringRef Function, uint32_t LineOffset,
                                  uint32_t Column, bool Inlined = false) {
  return llvm::memprof::Frame(llvm::memprof::getGUID(Function), LineOffset,
                              Column, Inlined);
}

inline uint64_t idOf(const llvm::memprof::Frame &F) {
  return raw(profile::computeStackId(F));
}

inline SourceFrame source(llvm::StringRef Function, uint32_t LineOffset,
                          uint32_t Column) {
  return {llvm::memprof::getGUID(Function), LineOffset, Column};
}

/// One allocation site of \p Size bytes.
inline llvm::memprof::AllocationInfo
allocation(std::vector<llvm::memprof::Frame> Stack, uint64_t Size) {
  llvm::memprof::MemInfoBlock Block;
  Block.AllocCount = 1;
  Block.TotalSize = Size;
  llvm::memprof::AllocationInfo Info;
  Info.CallStack = std::move(Stack);
  Info.Info = llvm::memprof::PortableMemInfoBlock(
      Block, llvm::memprof::getFullSchema());
  return Info;
}

/// Records by function, built as LLVM's raw reader builds them: each context in
/// the record of every function inlined around its leaf, each other frame in
/// the call sites of its function.
class FakeProfile {
public:
  void add(const std::vector<llvm::memprof::Frame> &Stack, uint64_t Size) {
    size_t I = 0;
    for (; I != Stack.size(); ++I) {
      Records[Stack[I].Function].AllocSites.push_back(allocation(Stack, Size));
      if (!Stack[I].IsInlineFrame)
        break;
    }
    for (size_t Begin = I + 1; Begin < Stack.size();) {
      size_t End = Begin;
      while (Stack[End].IsInlineFrame)
        ++End;
      std::vector<llvm::memprof::Frame> Call(Stack.begin() + Begin,
                                             Stack.begin() + End + 1);
      for (const llvm::memprof::Frame &F : Call)
        Records[F.Function].CallSites.push_back(
            llvm::memprof::CallSiteInfo(Call));
      Begin = End + 1;
    }
  }

  /// Contexts of 1000 bytes or more are cold.
  ProfileSource source() {
    return {[this](llvm::GlobalValue::GUID Function)
                -> llvm::Expected<llvm::memprof::MemProfRecord> {
              ++Reads;
              auto Found = Records.find(Function);
              if (Found == Records.end())
                return llvm::memprof::MemProfRecord();
              return Found->second;
            },
            [](llvm::ArrayRef<const llvm::memprof::AllocationInfo *>,
               const llvm::memprof::PortableMemInfoBlock &Block) {
              return profile::ContextClass{Block.getTotalSize() >= 1000
                                               ? llvm::AllocationType::Cold
                                               : llvm::AllocationType::NotCold,
                                           std::nullopt};
            }};
  }

  std::map<llvm::GlobalValue::GUID, llvm::memprof::MemProfRecord> Records;
  unsigned Reads = 0;
};

} // namespace thermocline::annotate

#endif
