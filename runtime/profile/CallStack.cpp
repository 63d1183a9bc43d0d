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

ThreadState &thermocline::runtime::thisThread() {
  static thread_local ThreadState State;
  return State;
}

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

size_t thermocline::runtime::captureCalls(Caller From, uint64_t *Calls,
                                          size_t Limit) {
  size_t Count = 0;
  Calls[Count++] = From.ReturnAddress - 1;
  auto Previous = reinterpret_cast<uintptr_t>(From.Frame);
  StackRange Stack = stackOf(Previous);
  uintptr_t Frame = *From.Frame;
  constexpr uintptr_t FrameBytes = 2 * sizeof(uintptr_t);
  while (Count != Limit) {
    if (Frame <= Previous || Frame % sizeof(uintptr_t))
      break;
    uintptr_t Words[2];
    if (Stack.High) {
      if (Frame > Stack.High - FrameBytes)
        break;
      const auto *At = reinterpret_cast<const uintptr_t *>(Frame);
      Words[0] = At[0];
      Words[1] = At[1];
    } else if (!sys::readMemory(Words, Frame, FrameBytes)) {
      break;
    }
    // No code lies in the first page; beyond 47 bits it is no user address.
    if (Words[1] < PageBytes || Words[1] >> 47)
      break;
    Calls[Count++] = Words[1] - 1;
    Previous = Frame;
    Frame = Words[0];
  }
  return Count;
}
