//===- unit/Annotate/ParseIR.h - Modules from text --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_UNIT_ANNOTATE_PARSEIR_H
#define THERMOCLINE_TEST_UNIT_ANNOTATE_PARSEIR_H

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace thermocline::annotate {

/// A module for 64-bit size_t. A parse error fails the test and gives null.
inline std::unique_ptr<llvm::Module> parseIR(llvm::LLVMContext &Context,
                                             llvm::StringRef Text) {
  llvm::SMDiagnostic Diagnostic;
  std::string WithLayout =
      "target datalayout = \"e-p:64:64-i64:64\"\n" + Text.str();
  auto M = llvm::parseAssemblyString(WithLayout, Diagnostic, Context);
  if (!M)
    ADD_FAILURE() << Diagnostic.getMessage().str() << " in line "
                  << Diagnostic.getLineNo();
  return M;
}

/// The calls of \p Function in order.
inline std::vector<llvm::CallBase *> callsOf(llvm::Module &M,
                                             llvm::StringRef Function) {
  std::vector<llvm::CallBase *> Calls;
  for (llvm::Instruction &I : llvm::instructions(M.getFunction(Function)))
    if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
      Calls.push_back(Call);
  return Calls;
}

} // namespace thermocline::annotate

#endif
