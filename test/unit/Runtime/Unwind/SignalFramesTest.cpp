//===- Runtime/Unwind/SignalFramesTest.cpp - Stacks behind signal handlers ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler's unwinder is the judge: both walk stacks from signal handlers,
// which come upon each instruction of functions with all kinds of frames, on
// the same stack and on another one.
//
//===----------------------------------------------------------------------===//

#include "test/SingleStep.h"
#include "unwind/CallStack.h"
#include "unwind/ThreadStack.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <alloca.h>
#include <csignal>
#include <cstdlib>
#include <sys/mman.h>
#include <thread>
#include <ucontext.h>
#include <unwind.h>
#include <vector>

using namespace thermocline::runtime;
using thermocline::port::singleStep;

namespace {

UnwindRules Rules;

/// A list of calls, made without allocating.
struct CallList {
  static constexpr size_t Limit = 200;
  uint64_t Calls[Limit];
  size_t Size = 0;

  bool operator==(const CallList &Other) const {
    return Size == Other.Size && std::equal(Calls, Calls + Size, Other.Calls);
  }
};

_Unwind_Reason_Code visitFrame(_Unwind_Context *Context, void *Argument) {
  auto *List = static_cast<CallList *>(Argument);
  int IsInterrupted;
  uintptr_t Address = _Unwind_GetIPInfo(Context, &IsInterrupted);
  if (Address && List->Size != CallList::Limit)
    List->Calls[List->Size++] = Address - (IsInterrupted ? 0 : 1);
  return _URC_NO_REASON;
}

/// What became of the comparisons that handlers made.
struct {
  unsigned Compared;
  unsigned Different;
  /// Lists that isStackOf() did not find to be those of the stack.
  unsigned NotRecognized;
  /// The first that were different.
  CallList Ours, Judges;
} Seen;

/// Stands for the allocation function.
__attribute__((noinline)) void compareStacks() {
  Caller Site = THERMOCLINE_CALLER;
  CaptureSettings Settings;
  Settings.Limit = CallList::Limit;
  Settings.Rules = &Rules;

  uint8_t Units[CallList::Limit];
  StackShape Shape;
  Shape.Steps.Units = Units;
  CallList Kept;
  Kept.Size = captureCalls(Site, Settings, Kept.Calls, Shape);
  Shape.Steps.Count = std::min(Shape.Steps.Count, Kept.Size);
  Shape.Steps.HasUnknown = true;
  if (!Shape.NeedsRules || Shape.LastFrame ||
      !isStackOf(Site, Settings, Kept.Calls, Kept.Size, Shape.Steps, 0))
    ++Seen.NotRecognized;

  Settings.KeepAll = true;
  StackShape Any;
  CallList Ours, Judges;
  Ours.Size = captureCalls(Site, Settings, Ours.Calls, Any);
  _Unwind_Backtrace(visitFrame, &Judges);
  auto *End = Judges.Calls + Judges.Size;
  auto *First = std::find(Judges.Calls, End, Site.ReturnAddress - 1);
  Judges.Size =
      static_cast<size_t>(std::copy(First, End, Judges.Calls) - Judges.Calls);

  ++Seen.Compared;
  if (!(Ours == Judges) && !Seen.Different++) {
    Seen.Ours = Ours;
    Seen.Judges = Judges;
  }
}

void compareInHandler(int) {
  compareStacks();
  asm volatile("");
}

std::vector<uint64_t> asVector(const CallList &L) {
  return std::vector<uint64_t>(L.Calls, L.Calls + L.Size);
}

// Functions with all kinds of frames.

__attribute__((noinline)) int leaf(int A, int B) {
  asm volatile("" : "+r"(A));
  return A * B + 1;
}

__attribute__((noinline)) int saving(int A, int B) {
  int Result = leaf(A, B);
  asm volatile("" : "+r"(A), "+r"(B)::THERMOCLINE_SAVED_REGISTERS);
  return Result + A;
}

__attribute__((noinline)) int variableSize(int A, int B) {
  auto *Bytes =
      static_cast<volatile char *>(alloca(static_cast<size_t>(A) * 40 + 10));
  Bytes[A] = static_cast<char>(saving(A, B));
  return Bytes[A];
}

__attribute__((noinline)) int aligned(int A, int B) {
  alignas(128) volatile char Bytes[300];
  Bytes[A] = static_cast<char>(variableSize(A, B));
  return Bytes[A];
}

int compareNumbers(const void *A, const void *B) {
  return saving(*static_cast<const int *>(A), 1) -
         saving(*static_cast<const int *>(B), 1);
}

__attribute__((noinline)) int work() {
  int Numbers[] = {3, 1, 2};
  qsort(Numbers, 3, sizeof(int), compareNumbers);
  int Result = aligned(Numbers[0], 5);
  asm volatile("");
  return Result;
}

class SignalFramesTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    initializeStacks();
    Rules.enable();
  }
  void SetUp() override {
    // The dynamic linker's work is done: its code has a frame that no rule can
    // express.
    work();
    _Unwind_Backtrace(visitFrame, &Seen.Judges);
    Seen = {};
  }
  void TearDown() override {
    EXPECT_EQ(Seen.Different, 0u);
    EXPECT_EQ(asVector(Seen.Ours), asVector(Seen.Judges));
    EXPECT_EQ(Seen.NotRecognized, 0u);
  }
  static void handle(int Signal, void (*Handler)(int), int Flags) {
    struct sigaction New = {};
    New.sa_handler = Handler;
    New.sa_flags = Flags;
    ASSERT_EQ(sigaction(Signal, &New, nullptr), 0);
  }
};

/// A stack for handlers, with nothing below it.
class AlternateStack {
public:
  AlternateStack() {
    void *Pages = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t New = {};
    New.ss_sp = Begin = Pages;
    New.ss_size = Size;
    EXPECT_EQ(sigaltstack(&New, &Old), 0);
  }
  ~AlternateStack() {
    EXPECT_EQ(sigaltstack(&Old, nullptr), 0);
    munmap(Begin, Size);
  }

private:
  static constexpr size_t Size = 256 * 1024;
  void *Begin;
  stack_t Old;
};

TEST_F(SignalFramesTest, EachInstruction) {
  handle(SIGTRAP, compareInHandler, 0);
  singleStep(work);
  EXPECT_GT(Seen.Compared, 300u);
}

TEST_F(SignalFramesTest, EachInstructionFromAnotherStack) {
  AlternateStack Stack;
  handle(SIGTRAP, compareInHandler, SA_ONSTACK);
  singleStep(work);
  EXPECT_GT(Seen.Compared, 300u);
}

TEST_F(SignalFramesTest, InThreads) {
  std::thread([] {
    handle(SIGTRAP, compareInHandler, 0);
    singleStep(work);
    AlternateStack Stack;
    handle(SIGTRAP, compareInHandler, SA_ONSTACK);
    singleStep(work);
  }).join();
  EXPECT_GT(Seen.Compared, 600u);
}

void raiseAgain(int) {
  raise(SIGUSR2);
  asm volatile("");
}
void raiseInSort(int) {
  auto Compare = [](const void *, const void *) {
    raise(SIGUSR1);
    return 0;
  };
  int Numbers[2] = {};
  qsort(Numbers, 2, sizeof(int), Compare);
}

TEST_F(SignalFramesTest, HandlersThatAreInterrupted) {
  AlternateStack Stack;
  for (int Flags = 0; Flags != 8; ++Flags) {
    auto OnStack = [&](int Bit) { return Flags & Bit ? SA_ONSTACK : 0; };
    handle(SIGUSR2, compareInHandler, OnStack(1));
    handle(SIGUSR1, raiseAgain, OnStack(2));
    handle(SIGALRM, raiseInSort, OnStack(4));
    raise(SIGALRM);
  }
  EXPECT_EQ(Seen.Compared, 8u);
}

} // namespace
