//===- profile/unwind/ThreadStack.cpp - Where a thread's stack lies -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadStack.h"
#include "arch/ThreadBlock.h"
#include "platform/Lock.h"
#include "platform/System.h"
#include <sys/resource.h>
#include <sys/syscall.h>

/// Set by the dynamic loader, and by libc in a static program.
extern "C" void *__libc_stack_end;

using namespace thermocline::runtime;

static StackRange MainStack;

void thermocline::runtime::initializeStacks() {
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

StackRange thermocline::runtime::findStack(const uintptr_t *Block) {
  using Record = arch::StackRecord;
  constexpr auto WordBytes = static_cast<intptr_t>(sizeof(uintptr_t));
  auto Register = reinterpret_cast<uintptr_t>(Block);
  for (intptr_t I = Record::Begin / WordBytes; I + 4 <= Record::End / WordBytes;
       ++I) {
    uintptr_t Low = Block[I], Size = Block[I + 1], Guard = Block[I + 2],
              GuardAskedFor = Block[I + 3];
    if (Low && Low < Register && Size > Register - Low &&
        Size - (Register - Low) >= Record::MinAbove &&
        Size - (Register - Low) <= Record::MaxAbove && Guard < Size &&
        GuardAskedFor <= Size)
      return {Low, reinterpret_cast<uintptr_t>(Block + (I < 0 ? I : 0))};
  }
  return {};
}

StackRange thermocline::runtime::stackOf(uintptr_t Frame) {
  if (MainStack.contains(Frame))
    return MainStack;
  ThreadState &Thread = thisThread();
  if (!Thread.StackKnown) {
    Thread.Stack =
        findStack(static_cast<const uintptr_t *>(__builtin_thread_pointer()));
    Thread.StackKnown = true;
  }
  return Thread.Stack.contains(Frame) ? Thread.Stack : StackRange{};
}
