// Bounds on contexts: what finds no place is one named record, and what
// recursion repeats can be left out.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -O1 -fno-inline %s -o %t/program
// RUN: env MEMPROF_OPTIONS=log_path=%t/raw:max_contexts=10 %t/program 2>&1 | %FileCheck %s --check-prefix=MESSAGE
// MESSAGE: Thermocline: the table of contexts is full; [[#]] allocations are in one record, thermocline_contexts_beyond_the_limit
// RUN: %llvm-profdata show --memory --profiled-binary=%t/program %t/raw.* | %FileCheck %s --check-prefix=RECORD
// RECORD: SymbolName: thermocline_contexts_beyond_the_limit
//
// Forty depths of the recursion through odd() and even(), each a context of its
// own, or those of the first and second call.
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1 %t/program | grep -c 'size .*/ 123 / 123' | %FileCheck %s --check-prefix=WHOLE
// WHOLE: {{^}}40{{$}}
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1:fold_recursion=1 %t/program | grep -c 'size .*/ 123 / 123' | %FileCheck %s --check-prefix=FOLDED
// FOLDED: {{^}}4{{$}}
//
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0:max_contexts=0:max_depot_mb=65537:page_kib=12 %t/program 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: option 'max_contexts' cannot be '0', ignored
// BAD-NEXT: option 'max_depot_mb' cannot be '65537', ignored
// BAD-NEXT: option 'page_kib' cannot be '12', ignored

#include <stdlib.h>

static void *volatile Sink;

static void odd(int Depth);
static void even(int Depth) {
  if (Depth == 0)
    Sink = malloc(123);
  else
    odd(Depth - 1);
  __asm__ volatile("");
}
static void odd(int Depth) {
  if (Depth == 0)
    Sink = malloc(123);
  else
    even(Depth - 1);
  __asm__ volatile("");
}

int main(void) {
  for (int Depth = 0; Depth != 40; ++Depth)
    even(Depth);
  return 0;
}
