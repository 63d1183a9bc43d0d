//===- Annotate/AnnotatePass.h - Attaches contexts to calls -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass of this stage, last in the pre-link pipeline. Before:
//
//   %p = call ptr @malloc(i64 8), !dbg !7
//
// After, if the profile saw this call in two contexts:
//
//   %p = call ptr @malloc(i64 8), !dbg !7, !memprof !1, !callsite !6
//   !1 = !{!2, !4}
//   !2 = !{!3, !"cold", !{i64 4711, i64 1000}}
//   !3 = !{i64 10, i64 20, i64 40}
//   !4 = !{!5, !"notcold", !{i64 4712, i64 2000}}
//   !5 = !{i64 10, i64 30, i64 40}
//   !6 = !{i64 10}
//
// The calls with the ids 20, 30 and 40 then have !callsite. ThinLTO's module
// summary takes both kinds of metadata from there.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_ANNOTATEPASS_H
#define THERMOCLINE_ANNOTATE_ANNOTATEPASS_H

#include "thermocline/Annotate/Options.h"
#include "thermocline/Callsites/SourceCalls.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace thermocline::profile {
class IndexedProfile;
}

namespace thermocline::annotate {

class AnnotatePass : public llvm::PassInfoMixin<AnnotatePass> {
public:
  /// \p Options.ProfileFile names the profile. An unreadable profile is an
  /// error of the compilation, given to the module's LLVMContext.
  /// \p RegularLTO tells whether that may link the module, beside ThinLTO.
  /// \p Source holds the calls of the source when the pass runs, if they were
  /// read at the beginning of the pipeline. It is null outside of clang, where
  /// nothing is prepared for the link but the annotation.
  explicit AnnotatePass(AnnotateOptions Options, bool RegularLTO = true,
                        callsites::KeepSourceCallsPass::Kept Source = nullptr)
      : Options(std::move(Options)), RegularLTO(RegularLTO),
        Source(std::move(Source)) {}

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &Analyses);

  static bool isRequired() { return true; }

private:
  llvm::Error annotate(llvm::Module &M, const profile::IndexedProfile &Profile,
                       llvm::FunctionAnalysisManager &FunctionAnalyses) const;

  AnnotateOptions Options;
  bool RegularLTO;
  callsites::KeepSourceCallsPass::Kept Source;
};

/// Takes the place of AnnotatePass if there is no link-time optimization, which
/// alone could use the annotation. Warns of that.
class NothingToAnnotatePass
    : public llvm::PassInfoMixin<NothingToAnnotatePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace thermocline::annotate

#endif
