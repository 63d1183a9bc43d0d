// A program may ask for a signal where floating-point arithmetic is not exact,
// or look at the flags: neither finds any of the runtime's own, on deep or
// foreign stacks either.
// RUN: %clang -O1 --config=%generate-sampling-cfg %s -lm -o %t
// RUN: rm -rf %t.dir && mkdir -p %t.dir && cd %t.dir
// RUN: env MEMPROF_OPTIONS=sample=7:log_path=stdout:print_text=1 %t | %FileCheck %s
// CHECK: flags: 0
// CHECK: standard errors of totals
#define _GNU_SOURCE
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

static ucontext_t Main, Other;

static void work(void) {
  static char *volatile Blocks[64];
  for (int I = 0; I < 100000; ++I) {
    free(Blocks[I % 64]);
    Blocks[I % 64] = malloc(I * 7919L % 3000 + 1);
    for (int J = 0; J < I % 5; ++J)
      Blocks[I % 64][J % 2] = 1;
  }
}

int main(void) {
  enum { StackBytes = 1 << 20 };
  feenableexcept(FE_INEXACT | FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  work();
  getcontext(&Other);
  Other.uc_stack.ss_sp = mmap(NULL, StackBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Other.uc_stack.ss_size = StackBytes;
  Other.uc_link = &Main;
  makecontext(&Other, work, 0);
  swapcontext(&Main, &Other);
  printf("flags: %d\n", fetestexcept(FE_ALL_EXCEPT));
  fflush(stdout);
  return 0;
}
