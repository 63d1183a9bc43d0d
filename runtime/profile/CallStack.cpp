//===- profile/CallStack.cpp - Calling contexts by frame pointers ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallStack.h"
#include "System.h"
#include "Thread.h"
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/// Set by the dynamic loader, and by libc in a static program.
extern "C" void *__libc_stack_end;

using namespace thermocline::runtime;

static StackRange MainStack;

void thermocline::runtime::initializeCallStacks() {
  // The kernel keeps at least this much below the stack's top free of other
  // mappings, whatever the limit.
  constexpr uintptr_t KernelGap = uintptr_t(128) << 20;
  uintptr_t Size = KernelGap;
  struct rlimit Limit;
  if (sys::call(SYS_prlimit64, 0, RLIMIT_STACK, 0,
                reinterpret_cast<long>(&Limit)) == 0 &&
      Limit.rlim_cur < KernelGap)
    Size = Limit.rlim_cur;
  // The end is where main's caller began; arguments lie above.
  MainStack.High = reinterpret_cast<uintptr_t>(__libc_stack_end);
  MainStack.Low = MainStack.High - Size;
}

/// The stack on which \p Frame lies, empty if it is none that libc knows.
static StackRange stackOf(uintptr_t Frame) {
  if (MainStack.contains(Frame))
    return MainStack;
  ThreadState &Thread = thisThread();
  if (!Thread.StackKnown) {
    // libc allocates for this.
    InsideRuntime Inside;
    Thread.StackKnown = true;
    pthread_attr_t Attributes;
    if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
      void *Low;
      size_t Size;
      if (pthread_attr_getstack(&Attributes, &Low, &Size) == 0) {
        Thread.Stack.Low = reinterpret_cast<uintptr_t>(Low);
        Thread.Stack.High = Thread.Stack.Low + Size;
      }
      pthread_attr_destroy(&Attributes);
    }
  }
  return Thread.Stack.contains(Frame) ? Thread.Stack : StackRange{};
}

constexpr uintptr_t FrameBytes = 2 * sizeof(uintptr_t);

uintptr_t CallWalk::lastFrameOf(uintptr_t Frame) {
  StackRange Stack = stackOf(Frame);
  return Stack.High ? Stack.High - FrameBytes : 0;
}

bool CallWalk::readForeign(uintptr_t *Words, uintptr_t Frame) {
  return sys::readMemory(Words, Frame, FrameBytes);
}

/// How many of the last \p Count calls repeat the ones before them.
static size_t repetition(const uint64_t *Calls, size_t Count) {
  constexpr size_t MaxPeriod = 8;
  for (size_t Period = 1; Period <= MaxPeriod && 2 * Period <= Count;
       ++Period) {
    size_t Same = 0;
    while (Same != Period &&
           Calls[Count - 1 - Same] == Calls[Count - 1 - Same - Period])
      ++Same;
    if (Same == Period)
      return Period;
  }
  return 0;
}

size_t thermocline::runtime::captureFoldedCalls(Caller From, uint64_t *Calls,
                                                size_t Limit) {
  size_t Count = 0;
  Calls[Count++] = From.ReturnAddress - 1;
  CallWalk Walk(From);
  while (Count != Limit) {
    uint64_t Call = Walk.next();
    if (!Call)
      break;
    Calls[Count++] = Call;
    Count -= repetition(Calls, Count);
  }
  return Count;
}

size_t thermocline::runtime::captureCalls(Caller From, uint64_t *Calls,
                                          size_t Limit, FrameSteps *Steps) {
  size_t Count = 0;
  Calls[Count++] = From.ReturnAddress - 1;
  CallWalk Walk(From);
  Steps->Count = 1;
  Steps->Units[0] = 0;
  while (Count != Limit) {
    uintptr_t Before = Walk.frame();
    uint64_t Call = Walk.next();
    if (!Call)
      break;
    uintptr_t Bytes = Walk.frame() - Before;
    if (Steps->Count == Count && Bytes % FrameSteps::UnitBytes == 0 &&
        Bytes / FrameSteps::UnitBytes <= UINT8_MAX)
      Steps->Units[Steps->Count++] =
          static_cast<uint8_t>(Bytes / FrameSteps::UnitBytes);
    Calls[Count++] = Call;
  }
  return Count;
}
