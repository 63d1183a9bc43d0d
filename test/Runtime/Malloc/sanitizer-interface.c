// A program that uses the allocator interface of LLVM's MemProf runtime links
// and does the same with that runtime and with ours, in each kind of program.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -fmemory-profile -O1 -fno-builtin -DIS_STOCK %s -o stock && env MEMPROF_OPTIONS=dump_at_exit=0 ./stock > expected
// RUN: for mode in -pie -no-pie -static -static-pie; do %clang --config=%generate-cfg -O1 -fno-builtin $mode %s -o program && for options in sample=1 sample=100; do env MEMPROF_OPTIONS=dump_at_exit=0:$options ./program > out 2> stats && diff expected out && %FileCheck %s --check-prefix=STATS < stats || exit 1; done || exit 1; done
// STATS: Stats: {{[0-9]+}}M malloced by {{[0-9]+}} calls
// STATS: Stats: {{[0-9]+}}M freed by {{[0-9]+}} calls
//
// The figures are of what is recorded: all, but when it is sampled.
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0 ./program figures
//
// An address that is not the program's is an error of the program, and it is told.
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0 %not --crash ./program wrong 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: {{^}}told
// WRONG-NEXT: {{^}}Thermocline: __sanitizer_get_allocated_size(): not an address from malloc

#include <sanitizer/allocator_interface.h>
#include <sanitizer/memprof_interface.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int Armed;
static const volatile void *Kept;
static char Log[4096];

static void note(const char *What, size_t Size) {
  if (!Armed)
    return;
  // What a hook allocates calls no hook.
  Armed = 0;
  free(malloc(10));
  Armed = 1;
  size_t End = strlen(Log);
  snprintf(Log + End, sizeof(Log) - End, " %s:%zu", What, Size);
}

void __sanitizer_malloc_hook(const volatile void *P, size_t Size) {
  note("malloc", P ? Size : 0);
}
void __sanitizer_free_hook(const volatile void *P) { note("free", P != 0); }
int __sanitizer_ignore_free_hook(const volatile void *P) {
  return Kept && P == Kept;
}
static void installedMalloc(const volatile void *P, size_t Size) {
  note("installed-malloc", P ? Size : 0);
}
static void installedFree(const volatile void *P) {
  note("installed-free", P != 0);
}

void __memprof_on_error(void) {
  static const char Text[] = "told\n";
  if (write(2, Text, sizeof(Text) - 1) < 0)
    abort();
}

static void check(const char *What, int Holds) {
  printf("%s: %d\n", What, Holds);
}

int main(int Count, char **Arguments) {
  // Large ones LLVM's runtime does not know for its own.
  size_t Size = 1024;
  char *P = malloc(Size), *Q = aligned_alloc(64, Size);
  int OnStack;
  if (Count > 1 && !strcmp(Arguments[1], "wrong"))
    return (int)__sanitizer_get_allocated_size(&OnStack);
  if (Count > 1) {
    size_t Before = __sanitizer_get_current_allocated_bytes();
    char *Small = malloc(1000);
    if (__sanitizer_get_current_allocated_bytes() != Before + 1000 ||
        !__sanitizer_get_ownership(Small) ||
        __sanitizer_get_allocated_begin(Small + 999) != Small ||
        __sanitizer_get_allocated_begin(Small + 1000))
      return 1;
    char *Large = malloc(5 << 20);
    if (!__sanitizer_get_ownership(Large) ||
        __sanitizer_get_allocated_begin(Large + (5 << 20) - 1) != Large ||
        __sanitizer_get_allocated_size(Large) != 5 << 20)
      return 3;
    free(Large);
    free(Small);
    return __sanitizer_get_ownership(Small) ||
           __sanitizer_get_current_allocated_bytes() != Before ||
           __sanitizer_get_free_bytes() + Before != __sanitizer_get_heap_size();
  }
  check("owned", __sanitizer_get_ownership(P) && __sanitizer_get_ownership(Q));
  check("inside", __sanitizer_get_ownership(P + 1));
  check("null", __sanitizer_get_ownership(NULL));
  check("stack", __sanitizer_get_ownership(&OnStack));
  check("wild", __sanitizer_get_ownership((void *)(uintptr_t)0x123456789abcd8));
  check("begin", __sanitizer_get_allocated_begin(Q + 100) == Q);
  check("no begin", __sanitizer_get_allocated_begin(&OnStack) == NULL);
  check("size", __sanitizer_get_allocated_size(Q) == Size &&
                    __sanitizer_get_allocated_size_fast(P) == Size);
  check("size of null", __sanitizer_get_allocated_size(NULL) == 0);
  check("estimate", __sanitizer_get_estimated_allocated_size(100) == 100);
  check("current", __sanitizer_get_current_allocated_bytes() >= 2 * Size);
  check("heap", __sanitizer_get_heap_size() >= 2 * Size);
  (void)__sanitizer_get_free_bytes();
  check("unmapped", __sanitizer_get_unmapped_bytes() <= 1);

  printf("installed: %d\n", __sanitizer_install_malloc_and_free_hooks(
                                installedMalloc, installedFree));
  Armed = 1;
  char *A = malloc(5);
  A = realloc(A, 50);
  A = realloc(A, 51);
  char *Z = calloc(3, 4);
  free(Z);
  free(A);
  free(NULL);
  Armed = 0;
  printf("hooks:%s\n", Log);
  int Number = 0, Last = 0;
  while ((Number = __sanitizer_install_malloc_and_free_hooks(installedMalloc,
                                                              installedFree)))
    Last = Number;
  printf("at most: %d\n", Last);
  free(P);
  check("freed", __sanitizer_get_ownership(P));
  // With LLVM's the one divides by zero and the other prints nothing.
#ifndef IS_STOCK
  Kept = Q;
  free(Q);
  if (!__sanitizer_get_ownership(Q))
    return 2;
  Kept = NULL;
  __memprof_print_accumulated_stats();
#endif
  free(Q);
  return 0;
}
