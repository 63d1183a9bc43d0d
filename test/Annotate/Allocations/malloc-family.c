// Every allocation function of C is annotated, in C.

// RUN: %profile %s %t.prof
// RUN: %clang -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: %annotations --names %t.ll | %FileCheck %s

// PROFILE: cold 1000: all+1:10 < main+1:3
// PROFILE: cold 1000: all+2:10 < main+1:3
// PROFILE: cold 1000: all+3:10 < main+1:3
// PROFILE: cold 1000: all+4:10 < main+1:3
// PROFILE: cold 1000: all+5:10 < main+1:3
// PROFILE: cold 1000: all+6:10 < main+1:3
// PROFILE: cold 1000: all+7:3 < main+1:3
// PROFILE: cold 1000: all+8:10 < main+1:3
// PROFILE: cold 1000: all+9:10 < main+1:3

// clang-format off
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) void all(void **P, size_t N, const char *S) {
  P[0] = malloc(N);
  P[1] = calloc(N, 3);
  P[2] = realloc(P[2], N);
  P[3] = reallocarray(P[3], N, 5);
  P[4] = aligned_alloc(64, N);
  P[5] = memalign(64, N);
  posix_memalign(&P[6], 64, N);
  P[7] = strdup(S);
  P[8] = strndup(S, N);
}
int main(int C, char **V) {
  all((void **)V, C, V[0]);
  return 0;
}

// CHECK:      all: @aligned_alloc at all+5:10
// CHECK-NEXT:   cold all+5:10 < main+1:3 (1000)
// CHECK-NEXT:   callsite all+5:10
// CHECK-NEXT: all: @calloc at all+2:10
// CHECK-NEXT:   cold all+2:10 < main+1:3 (1000)
// CHECK-NEXT:   callsite all+2:10
// CHECK-NEXT: all: @malloc at all+1:10
// CHECK:      all: @memalign at all+6:10
// CHECK:      all: @posix_memalign at all+7:3
// CHECK-NEXT:   cold all+7:3 < main+1:3 (1000)
// CHECK:      all: @realloc at all+3:10
// CHECK:      all: @reallocarray at all+4:10
// CHECK:      all: @strdup at all+8:10
// CHECK:      all: @strndup at all+9:10
// CHECK-NEXT:   cold all+9:10 < main+1:3 (1000)
// CHECK:      main: @all at main+1:3
// CHECK-NEXT:   callsite main+1:3
// CHECK-NEXT: 10 annotated calls
