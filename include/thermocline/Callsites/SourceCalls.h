//===- SourceCalls.h - The calls that a module's source has -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the calls of each function as clang made them of the source, before
// anything is inlined or optimized. The build for profiling writes them into
// the program (Format/CallTable.h), and the build for use compares them with
// what a profile says of then.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CALLSITES_SOURCECALLS_H
#define THERMOCLINE_CALLSITES_SOURCECALLS_H

#include "thermocline/Callsites/CallText.h"
#include "thermocline/Profile/CallTable.h"
#include "llvm/IR/PassManager.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace thermocline::callsites {

/// What the source of a module has.
struct ModuleCalls {
  /// Functions with a body and debug information, in the order of the module.
  std::vector<profile::SourceFunction> Functions;
  /// What the module declares and does not define.
  std::set<llvm::GlobalValue::GUID> Declared;
  /// The file that was compiled, as SourceFunction::File. All others are
  /// headers, of whose functions a module has what it uses.
  uint32_t File = 0;
  /// The functions with calls whose text is not there, and a file of it.
  std::set<llvm::GlobalValue::GUID> Unread;

  /// The names of variables in functions. Profiles do not have them.
  std::map<llvm::GlobalValue::GUID, VariableNames> VariablesOf;
  /// By function, line and column, the names in calls.
  std::map<std::tuple<llvm::GlobalValue::GUID, int32_t, uint32_t>, NamesInCall>
      NamesOf;
  std::string UnreadFile;
};

/// The calls of \p M, which nothing was done to since clang made it. Reads
/// lines of the source, as far as it is there. VariablesOf and NamesOf are left
/// empty unless it \p HasNames.
ModuleCalls readSourceCalls(const llvm::Module &M, bool HasNames);

/// Writes the calls into the object file.
class WriteSourceCallsPass : public llvm::PassInfoMixin<WriteSourceCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Keeps the calls for a pass at the end of the pipeline.
class KeepSourceCallsPass : public llvm::PassInfoMixin<KeepSourceCallsPass> {
public:
  using Kept = std::shared_ptr<std::optional<ModuleCalls>>;

  explicit KeepSourceCallsPass(Kept Calls) : Calls(std::move(Calls)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  Kept Calls;
};

} // namespace thermocline::callsites

#endif
