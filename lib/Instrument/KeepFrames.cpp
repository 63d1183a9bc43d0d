//===- Instrument/KeepFrames.cpp - A frame for each call ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/KeepFrames.h"
#include "thermocline/Annotate/InlinedStack.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::instrument;

static constexpr char FramePointer[] = "frame-pointer";

/// Raises \p M's flag \p Name, by which functions are compiled that passes add
/// to it, to at least \p Value.
static void raiseFlag(Module &M, StringRef Name, uint32_t Value) {
  if (auto *Known =
          mdconst::extract_or_null<ConstantInt>(M.getModuleFlag(Name));
      !Known || Known->getZExtValue() < Value)
    M.setModuleFlag(Module::Max, Name, Value);
}

/// What calls nothing allocates nothing, and may do without.
static void keepFramesOf(Function &F) {
  StringRef Kept = F.getFnAttribute(FramePointer).getValueAsString();
  if (Kept != "all" && Kept != "non-leaf")
    F.addFnAttr(FramePointer, "non-leaf");
  F.addFnAttr("disable-tail-calls", "true");
  // For what a signal interrupts before it has set up its frame.
  F.setUWTableKind(UWTableKind::Async);
}

/// Whether code of \p M will have lines to be found by.
static bool hasLines(const Module &M) {
  return llvm::any_of(M.debug_compile_units(), [](const DICompileUnit *Unit) {
    return Unit->getEmissionKind() == DICompileUnit::FullDebug ||
           Unit->getEmissionKind() == DICompileUnit::LineTablesOnly;
  });
}

/// Whether the code generator leaves out linkage names of functions that were
/// inlined. Clang does not write them then, other compilers do.
static bool losesNames(const Module &M) {
  return llvm::any_of(M.debug_compile_units(), [](const DICompileUnit *Unit) {
    return Unit->getEmissionKind() == DICompileUnit::LineTablesOnly &&
           !Unit->getDebugInfoForProfiling();
  });
}

PreservedAnalyses KeepFramesPass::run(Module &M, ModuleAnalysisManager &) {
  bool HasCode = false;
  bool LacksNames = false;
  bool HasNames = false;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasFnAttribute(Attribute::Naked))
      continue;
    keepFramesOf(F);
    HasCode = true;
    const DISubprogram *Known = F.getSubprogram();
    LacksNames |= Known && Known->getLinkageName().empty() &&
                  Known->getName() != F.getName();
    HasNames |= Known && !Known->getLinkageName().empty();
  }
  raiseFlag(M, FramePointer, static_cast<uint32_t>(FramePointerKind::NonLeaf));
  raiseFlag(M, "uwtable", static_cast<uint32_t>(UWTableKind::Async));
  auto Warn = [&M](StringRef What) {
    M.getContext().diagnose(DiagnosticInfoGeneric(
        "thermocline: " + M.getSourceFileName() + What, DS_Warning));
  };
  if (HasCode && !hasLines(M))
    Warn(" has no debug information, so the heap profile will not know its "
         "functions; compile with -gmlt after other flags (-g0)");
  else if (LacksNames || (HasNames && losesNames(M)))
    Warn((" has functions without a linkage name in the debug information, "
          "which the heap profile will not know; compile with " +
          annotate::flagsForNames(M))
             .str());
  return PreservedAnalyses::none();
}
