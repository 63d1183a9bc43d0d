// Callers that keep no frame pointer leave anything in the register: null, wild,
// unaligned, or an address further up the stack. And stacks that are not the
// thread's own. Contexts may end early; nothing is read that is not there.
// RUN: %clang --config=%generate-cfg -O1 %s -o %t
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1 %t | %FileCheck %s
// CHECK: survived
// Each depth of the recursion on the coroutine's stack is a context of its own.
// CHECK-COUNT-20: alloc_count 1, size (ave/min/max) 51.00 / 51 / 51
// CHECK-NOT: / 51 / 51

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

static void callMallocWithFramePointer(uintptr_t Value) {
  void *Stack;
  __asm__ volatile("mov %%rsp, %%rbx\n"
                   "and $-16, %%rsp\n"
                   "push %%rbp\n"
                   "push %%rbp\n"
                   "mov %1, %%rbp\n"
                   "mov $16, %%edi\n"
                   "call malloc@PLT\n"
                   "mov %%rax, %%rdi\n"
                   "call free@PLT\n"
                   "pop %%rbp\n"
                   "pop %%rbp\n"
                   "mov %%rbx, %%rsp\n"
                   : "=a"(Stack)
                   : "r"(Value)
                   : "rbx", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10",
                     "r11", "memory", "cc");
}

static ucontext_t Main, Coroutine;

__attribute__((noinline)) static void recurse(int Depth) {
  char *volatile P = malloc(51);
  P[0] = 1;
  if (Depth > 1)
    recurse(Depth - 1);
  free(P);
}

static void onOtherStack(void) {
  recurse(20);
  for (uintptr_t I = 0; I < 1000; ++I)
    callMallocWithFramePointer(I * 0x9E3779B97F4A7C15u >> (I % 64));
}

int main(void) {
  callMallocWithFramePointer(0);
  callMallocWithFramePointer(8);
  callMallocWithFramePointer(UINTPTR_MAX);
  uintptr_t Here = (uintptr_t)__builtin_frame_address(0);
  for (uintptr_t I = 0; I < 30000; ++I) {
    uintptr_t Random = (I + 1) * 0x9E3779B97F4A7C15u;
    callMallocWithFramePointer(Random);
    callMallocWithFramePointer(Random >> 17);
    callMallocWithFramePointer(Here + Random % 20000);
    callMallocWithFramePointer((Here + Random % 20000) & ~7ul);
  }
  size_t Size = 256 * 1024;
  Coroutine.uc_stack.ss_sp = NULL;
  getcontext(&Coroutine);
  Coroutine.uc_stack.ss_sp = mmap(NULL, Size, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Coroutine.uc_stack.ss_size = Size;
  Coroutine.uc_link = &Main;
  makecontext(&Coroutine, onOtherStack, 0);
  swapcontext(&Main, &Coroutine);
  puts("survived");
  fflush(stdout);
}
