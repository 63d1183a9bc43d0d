//===- program/CodeInventory.h - Which functions a link has -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of the code of a link, by the ids that profiles use for
// functions. If a context of the profile is in no summary, this tells why. Only
// links with a given profile collect it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_CODEINVENTORY_H
#define THERMOCLINE_LTO_PROGRAM_CODEINVENTORY_H

#include "SummaryReader.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace llvm {
class Module;
}

namespace thermocline::lto {

class CodeInventory {
public:
  /// What is known of a function, from the most to the least.
  enum class Status : uint8_t {
    Unknown,
    /// Some bitcode refers to it, or machine code defines it.
    Outside,
    /// Its copies were inlined into other functions.
    Inlined,
    /// It is bitcode, but does not run.
    Dead,
    /// It is bitcode.
    Linked,
  };

  /// What is known of a function.
  struct Found {
    Status Is = Status::Unknown;
    /// Whether its module was compiled with a heap profile, as far as is known:
    /// some call of it has a place of the profile, or the code says so.
    bool HasProfile = false;
    /// Whether the code of its module was seen.
    bool IsSeen = false;
  };

  /// Takes the functions of \p Index, and adds their names to \p Names.
  void addIndex(const llvm::ModuleSummaryIndex &Index, IsPrevailing Prevailing,
                profile::FunctionNames &Names);
  /// Takes the functions of \p M, the merged module of regular LTO.
  void addMergedModule(const llvm::Module &M);
  /// Takes what summaries do not have of the ThinLTO module \p M: calls that
  /// are marked cold in the code alone, functions that were inlined.
  void addCode(const llvm::Module &M);

  Found find(llvm::GlobalValue::GUID Function) const;
  /// Whether the code has a marked call of the frames hashed so far, innermost
  /// first, beginning with MarkSeed.
  bool isMarked(uint64_t FramesHash) const {
    return Marks.contains(FramesHash);
  }
  bool hasMarks() const { return !Marks.empty(); }
  static constexpr uint64_t MarkSeed = 1;
  /// The function without bitcode that is called at the innermost frame \p
  /// StackId, an allocation function excepted; 0 if none is known.
  llvm::GlobalValue::GUID calledOutside(uint64_t StackId) const;

private:
  struct ModuleState {
    bool HasProfile = false;
    bool IsSeen = false;
  };
  struct Function {
    Status Is = Status::Unknown;
    uint32_t Module = 0;
  };

  uint32_t moduleOf(llvm::StringRef Name);
  void note(llvm::StringRef Name, Status Is, uint32_t Module);
  void noteCalledOutside(uint64_t StackId, llvm::StringRef Name);
  /// Returns whether any call of \p M has a place of the profile.
  bool addCalls(const llvm::Module &M);

  // Ids that are looked up come from files, so no DenseMap: it reserves keys.
  std::unordered_map<llvm::GlobalValue::GUID, Function> Functions;
  std::unordered_map<std::string, uint32_t> ModuleNumbers;
  std::vector<ModuleState> Modules;
  std::unordered_set<uint64_t> Marks;
  /// By the innermost frame of the call.
  std::unordered_map<uint64_t, llvm::GlobalValue::GUID> CalledOutside;
};

} // namespace thermocline::lto

#endif
