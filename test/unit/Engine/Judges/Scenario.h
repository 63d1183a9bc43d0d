//===- Engine/Judges/Scenario.h - Engine and audit on a text ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each scenario shows the source that it stands for, and the program of it as
// text. Whatever it expects, the audit must find the decisions safe and
// agree with the engine on every context.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_ENGINE_SCENARIO_H
#define THERMOCLINE_TEST_ENGINE_SCENARIO_H

#include "thermocline/Audit/Audit.h"
#include "thermocline/Context/Text.h"
#include "thermocline/Engine/Engine.h"
#include "gtest/gtest.h"

namespace thermocline::context {

struct Scenario {
  explicit Scenario(llvm::StringRef Text)
      : Scenario(llvm::cantFail(parseProgram(
            "scenario", ("thermocline-context-program 1\n" + Text).str()))) {}

  explicit Scenario(ContextProgram Given)
      : Program(std::move(Given)), Result(decide(Program)),
        Audited(audit(Program, Result.Decided)) {
    EXPECT_EQ(Audited.Malformed, std::vector<std::string>());
    EXPECT_EQ(Audited.NotColdToCold.Contexts, 0u);
    for (size_t I = 0; I != Program.numContexts(); ++I)
      if (Program[ContextId(I)].Profiled == Temperature::Cold)
        EXPECT_EQ(isHinted(Result.Outcomes[I]),
                  !Audited.Contexts[I].ReachesNotCold)
            << "context " << I;
  }

  Outcome outcome(size_t Context) const { return Result.Outcomes[Context]; }
  uint64_t hinted() const { return Audited.ColdToCold.Contexts; }
  uint64_t clones() const { return Result.Statistics.ClonesMade; }
  uint32_t versions(llvm::StringRef Name) const {
    for (size_t I = 0; I != Program.numFunctions(); ++I)
      if (Program[FunctionId(I)].Name == Name)
        return Result.Decided.NumVersions[I];
    ADD_FAILURE() << "no function " << Name.str();
    return 0;
  }
  llvm::ArrayRef<uint32_t> clonesOf(size_t Callsite) const {
    return Result.Decided.Clones[Callsite];
  }
  llvm::ArrayRef<Temperature> hintsOf(size_t Allocation) const {
    return Result.Decided.Hints[Allocation];
  }

  ContextProgram Program;
  EngineResult Result;
  AuditResult Audited;
};

} // namespace thermocline::context

#endif
