//===- unit/Runtime/Unwind/UnwindRulesTest.cpp - Stepping out of functions ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's unwinder is the judge: both walk stacks of functions that keep
// no frame pointers, in this program, libc and libstdc++; and behind signal
// handlers, from each instruction of such functions.
//
//===----------------------------------------------------------------------===//

#include "unwind/CallStack.h"
#include "unwind/ThreadStack.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <alloca.h>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <unwind.h>
#include <vector>

using namespace thermocline::runtime;

namespace {

UnwindRules Rules;

struct Stacks {
  std::vector<uint64_t> Ours, Judges;
  StackShape Shape;
};

_Unwind_Reason_Code visitFrame(_Unwind_Context *Context, void *Argument) {
  int IsInterrupted;
  if (uintptr_t Address = _Unwind_GetIPInfo(Context, &IsInterrupted))
    static_cast<std::vector<uint64_t> *>(Argument)->push_back(
        Address - (IsInterrupted ? 0 : 1));
  return _URC_NO_REASON;
}

/// Stands for the allocation function.
__attribute__((noinline)) void capture(Stacks &Result, size_t Limit,
                                       UnwindRules *UseRules = &Rules,
                                       bool KeepAll = true) {
  Caller Site = THERMOCLINE_CALLER;
  std::vector<uint64_t> Calls(Limit);
  CaptureSettings Settings;
  Settings.Limit = Limit;
  Settings.Rules = UseRules;
  Settings.KeepAll = KeepAll;
  Calls.resize(captureCalls(Site, Settings, Calls.data(), Result.Shape));
  Result.Ours = Calls;
  _Unwind_Backtrace(visitFrame, &Result.Judges);
  auto First = std::find(Result.Judges.begin(), Result.Judges.end(),
                         Site.ReturnAddress - 1);
  Result.Judges.erase(Result.Judges.begin(), First);
  if (Result.Judges.size() > Limit)
    Result.Judges.resize(Limit);
}

using Steps = std::vector<unsigned>;

void step(const Steps &Next, size_t Index, const std::function<void()> &Last);

// Functions with all kinds of frames. The empty assembler statements keep calls
// from becoming jumps.

__attribute__((noinline)) void plain(const Steps &Next, size_t Index,
                                     const std::function<void()> &Last) {
  step(Next, Index, Last);
  asm volatile("");
}

__attribute__((noinline)) void variableSize(const Steps &Next, size_t Index,
                                            const std::function<void()> &Last) {
  auto *Bytes = static_cast<volatile char *>(alloca(Index * 40 + 10));
  Bytes[Index] = 1;
  step(Next, Index, Last);
  asm volatile("" ::"r"(Bytes) : "memory");
}

__attribute__((noinline)) void aligned(const Steps &Next, size_t Index,
                                       const std::function<void()> &Last) {
  alignas(128) volatile char Bytes[300];
  Bytes[Index % 300] = 1;
  step(Next, Index, Last);
  asm volatile("" ::"r"(Bytes) : "memory");
}

/// The register for frame pointers holds something else.
__attribute__((noinline)) void otherUse(const Steps &Next, size_t Index,
                                        const std::function<void()> &Last) {
  size_t A = Index * 3, B = Index * 5, C = Index * 7, D = Index * 11,
         E = Index * 13;
  asm volatile("" : "+r"(A), "+r"(B), "+r"(C), "+r"(D), "+r"(E));
  step(Next, Index, Last);
  asm volatile("" ::"r"(A), "r"(B), "r"(C), "r"(D), "r"(E) : "memory");
}

__attribute__((noinline)) void
manyArguments(int, int, int, int, int, int, long A, long B, const Steps &Next,
              size_t Index, const std::function<void()> &Last, long C) {
  step(Next, Index, Last);
  asm volatile("" ::"r"(A), "r"(B), "r"(C) : "memory");
}

__attribute__((noinline)) void catching(const Steps &Next, size_t Index,
                                        const std::function<void()> &Last) {
  auto Owned = std::make_unique<int>(1);
  step(Next, Index, Last);
  asm volatile("" ::"r"(Owned.get()) : "memory");
}

struct Comparison {
  const Steps *Next;
  size_t Index;
  const std::function<void()> *Last;
  bool Done;
};

int compare(const void *, const void *, void *Argument) {
  auto *C = static_cast<Comparison *>(Argument);
  if (!C->Done) {
    C->Done = true;
    step(*C->Next, C->Index, *C->Last);
  }
  return 0;
}

__attribute__((noinline)) void throughLibc(const Steps &Next, size_t Index,
                                           const std::function<void()> &Last) {
  Comparison C = {&Next, Index, &Last, false};
  int Numbers[4] = {};
  qsort_r(Numbers, 4, sizeof(int), compare, &C);
}

void step(const Steps &Next, size_t Index, const std::function<void()> &Last) {
  if (Index == Next.size()) {
    Last();
    return;
  }
  switch (Next[Index++]) {
  case 0:
    plain(Next, Index, Last);
    break;
  case 1:
    variableSize(Next, Index, Last);
    break;
  case 2:
    aligned(Next, Index, Last);
    break;
  case 3:
    otherUse(Next, Index, Last);
    break;
  case 4:
    manyArguments(1, 2, 3, 4, 5, 6, 7, 8, Next, Index, Last, 9);
    break;
  case 5:
    catching(Next, Index, Last);
    break;
  default:
    throughLibc(Next, Index, Last);
    break;
  }
  asm volatile("");
}
constexpr unsigned NumKinds = 7;

class UnwindRulesTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    initializeStacks();
    Rules.enable();
  }
};

TEST_F(UnwindRulesTest, WalksAsTheUnwinderDoes) {
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round != 2000; ++Round) {
    Steps Next(Random() % 30);
    for (unsigned &S : Next)
      S = Random() % NumKinds;
    Stacks Seen;
    step(Next, 0, [&] { capture(Seen, 1000); });
    ASSERT_EQ(Seen.Ours, Seen.Judges) << "round " << Round;
    ASSERT_GT(Seen.Ours.size(), Next.size() * 2);
    EXPECT_TRUE(Seen.Shape.NeedsRules);
  }
}

TEST_F(UnwindRulesTest, WalksTheStacksOfThreads) {
  for (unsigned Kind = 0; Kind != NumKinds; ++Kind) {
    Stacks Seen;
    std::thread([&] {
      step({Kind, Kind}, 0, [&] { capture(Seen, 1000); });
    }).join();
    EXPECT_EQ(Seen.Ours, Seen.Judges);
  }
}

TEST_F(UnwindRulesTest, StopsAtTheLimit) {
  for (size_t Limit = 1; Limit != 12; ++Limit) {
    Stacks Seen;
    step({0, 6, 3, 6}, 0, [&] { capture(Seen, Limit); });
    EXPECT_EQ(Seen.Ours, Seen.Judges);
    EXPECT_EQ(Seen.Ours.size(), Limit);
    EXPECT_EQ(Seen.Shape.LastFrame, 0u);
  }
}

TEST_F(UnwindRulesTest, WithoutRulesFramesAreMissing) {
  Stacks WithRules, WithoutRules;
  for (bool Use : {true, false})
    step({6, 3, 6}, 0, [&] {
      capture(Use ? WithRules : WithoutRules, 1000, Use ? &Rules : nullptr);
    });
  EXPECT_LT(WithoutRules.Ours.size(), WithRules.Ours.size());
}

TEST_F(UnwindRulesTest, ForgottenRulesAreFoundAgain) {
  Stacks Before, After;
  for (Stacks *S : {&Before, &After}) {
    step({0, 3, 6}, 0, [&] { capture(*S, 1000); });
    Rules.clear();
  }
  EXPECT_EQ(Before.Ours, Before.Judges);
  EXPECT_EQ(After.Ours, After.Judges);
}

TEST_F(UnwindRulesTest, AddressesWithoutEntry) {
  UnwindRule Rule = Rules.of(0x1234);
  EXPECT_EQ(Rule.How, UnwindRule::Kind::FramePointer);
  static const char Data = 0;
  Rule = Rules.of(reinterpret_cast<uintptr_t>(&Data));
  EXPECT_EQ(Rule.How, UnwindRule::Kind::FramePointer);
}

} // namespace
