//===- unit/Apply/TestModule.h - Modules from text --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_UNIT_APPLY_TESTMODULE_H
#define THERMOCLINE_TEST_UNIT_APPLY_TESTMODULE_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <memory>

namespace thermocline::test {

/// A module from text, in a context of its own.
class TestModule {
public:
  explicit TestModule(llvm::StringRef Text) {
    llvm::SMDiagnostic Problem;
    M = llvm::parseAssemblyString(
        ("target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-"
         "i128:128-f80:128-n8:16:32:64-S128\"\n"
         "target triple = \"x86_64-unknown-linux-gnu\"\n" +
         Text)
            .str(),
        Problem, Context);
    EXPECT_TRUE(M) << Problem.getMessage().str();
    M->setModuleIdentifier("test.o");
  }
  llvm::Module &operator*() { return *M; }
  llvm::Module *operator->() { return M.get(); }
  llvm::Function &function(llvm::StringRef Name) {
    llvm::Function *F = M->getFunction(Name);
    EXPECT_TRUE(F) << Name.str();
    return *F;
  }
  /// The call number \p Index of \p F.
  llvm::CallBase &call(llvm::Function &F, unsigned Index = 0) {
    for (llvm::Instruction &I : llvm::instructions(F))
      if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        if (!Index--)
          return *Call;
    llvm::report_fatal_error("the function has fewer calls");
  }
  bool verifies() { return !llvm::verifyModule(*M, &llvm::errs()); }

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

} // namespace thermocline::test

#endif
