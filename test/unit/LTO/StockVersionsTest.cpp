//===- unit/LTO/StockVersionsTest.cpp - What leaks through copies ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "program/StockVersions.h"
#include "thermocline/Audit/Audit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

namespace {

/// f -> k -> h is not cold, x -> k -> h is.
struct TwoCallers {
  ContextProgram Program;
  FunctionId H = Program.addFunction("h", 1, true);
  FunctionId K = Program.addFunction("k", 1, true);
  FunctionId F = Program.addFunction("f", 1, true);
  FunctionId X = Program.addFunction("x", 1, true);
  CallsiteId InK = call(K, H, 11), InF = call(F, K, 21), InX = call(X, K, 22);
  EngineResult Decided;

  TwoCallers() {
    Program.addAllocation(H);
    Program.addContext(Temperature::NotCold, Bytes(100), 1,
                       {StackId(11), StackId(21)});
    Program.addContext(Temperature::Cold, Bytes(1), 2,
                       {StackId(11), StackId(22)});
    Decided = decide(Program);
    Decided.Decided.NumVersions = {2, 2, 1, 1};
    Decided.Decided.Hints = {{Temperature::NotCold, Temperature::Cold}};
  }

  CallsiteId call(FunctionId Caller, FunctionId Callee, uint64_t Id) {
    return Program.addCallsite(Caller, Callee, Redirect::Yes, {StackId(Id)});
  }
  /// With a copy of \p Copied.
  std::vector<CallsiteId> leaks(FunctionId Copied) const {
    std::vector<bool> HasCopies(Program.numFunctions());
    HasCopies[Copied.index()] = true;
    return leaksThroughCopies(Program, Decided, HasCopies);
  }
};

TEST(StockVersions, ACopyLeaksWhereTheOriginalIsCold) {
  TwoCallers T;
  T.Decided.Decided.Clones = {{1, 0}, {1}, {0}};
  ASSERT_TRUE(audit(T.Program, T.Decided.Decided).isSafe());
  EXPECT_EQ(T.leaks(T.F), std::vector<CallsiteId>{T.InF});
  // Memory that is cold comes to nothing worse.
  EXPECT_TRUE(T.leaks(T.X).empty());
  // A copy of k calls the original of h.
  EXPECT_TRUE(T.leaks(T.K).empty());
}

// Contexts are walked where any copy may call another version.
TEST(StockVersions, ACopyLeaksBesideCopiesThatCallTheSame) {
  TwoCallers T;
  T.Decided.Decided.Clones = {{1, 0}, {1}, {0}};
  std::vector<bool> HasCopies(T.Program.numFunctions());
  HasCopies[T.F.index()] = HasCopies[T.X.index()] = true;
  EXPECT_EQ(leaksThroughCopies(T.Program, T.Decided, HasCopies),
            std::vector<CallsiteId>{T.InF});
}

/// Whether leaksThroughCopies walks contexts, by LLVM's time trace.
bool walks(const TwoCallers &T, FunctionId Copied) {
  timeTraceProfilerInitialize(0, "test");
  T.leaks(Copied);
  SmallString<1024> Trace;
  raw_svector_ostream OS(Trace);
  timeTraceProfilerWrite(OS);
  timeTraceProfilerCleanup();
  return Trace.str().contains("Thermocline: walk copies");
}

// To walk all contexts takes longer than to decide on them.
TEST(StockVersions, NothingIsWalkedWhereNoCopyCallsAnotherVersion) {
  TwoCallers T;
  T.Decided.Decided.Clones = {{1, 0}, {1}, {0}};
  EXPECT_TRUE(walks(T, T.F));
  EXPECT_FALSE(walks(T, T.X));
  EXPECT_FALSE(walks(T, T.H));
}

TEST(StockVersions, ACopyLeaksNothingWhereTheOriginalIsNotCold) {
  TwoCallers T;
  T.Decided.Decided.Clones = {{0, 1}, {0}, {1}};
  ASSERT_TRUE(audit(T.Program, T.Decided.Decided).isSafe());
  for (FunctionId Copied : {T.H, T.K, T.F, T.X})
    EXPECT_TRUE(T.leaks(Copied).empty());
}

} // namespace
