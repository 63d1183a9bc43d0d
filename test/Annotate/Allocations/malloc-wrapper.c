// A wrapper of malloc is not an allocation function: the malloc in it is
// annotated, and the calls of the wrapper are callsites.

// RUN: %profile %s %t.prof
// RUN: %clang -O1 %annotate -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: %annotations --names %t.ll | %FileCheck %s

// PROFILE: notcold 1000: xmalloc+1:13 < warm+0:35 < main+0:1
// PROFILE: cold    2000: xmalloc+1:13 < chilly+0:37 < main+0:1

// clang-format off
#include <stdlib.h>
__attribute__((noinline)) void *xmalloc(size_t N) {
  void *P = malloc(N);
  if (!P)
    abort();
  return P;
}
void *warm(size_t N) { return 1 + xmalloc(N); }
void *chilly(size_t N) { return 1 + xmalloc(N); }

// CHECK:      chilly: @xmalloc at chilly+0:37
// CHECK-NEXT:   callsite chilly+0:37
// CHECK-NEXT: warm: @xmalloc at warm+0:35
// CHECK-NEXT:   callsite warm+0:35
// CHECK-NEXT: xmalloc: @malloc at xmalloc+1:13
// CHECK-NEXT:   cold xmalloc+1:13 < chilly+0:37 < {{.*}} (2000)
// CHECK-NEXT:   notcold xmalloc+1:13 < warm+0:35 < {{.*}} (1000)
// CHECK-NEXT:   callsite xmalloc+1:13
// CHECK-NEXT: 3 annotated calls
