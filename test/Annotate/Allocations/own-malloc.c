// A program that defines malloc itself, for all or for one file, has an
// allocator that a cold heap must not be mixed with.

// RUN: %profile %s %t.prof
// RUN: %clang -O0 %annotate -mllvm -thermocline-use-at-O0 -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: %annotations --names %t.ll | %FileCheck %s --check-prefix=CALLS
// RUN: %clang -O0 -DSTATIC=static %annotate -mllvm -thermocline-use-at-O0 -fno-unique-internal-linkage-names -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.static.ll 2>&1 | %FileCheck %s
// RUN: %not grep -q '!memprof' %t.static.ll

// PROFILE: cold 2000: malloc+1:26 < make+0:33 < main+0:21

// clang-format off
#ifndef STATIC
#define STATIC
#endif
void *carve(unsigned long);
STATIC void *malloc(unsigned long N) {
  return carve(N + 8); }
void *make(unsigned N) { return malloc(N); }

// CHECK: allocation calls 1
// CHECK: allocator defined in the module 1
// CHECK: attached 0

// The call is still part of a context.
// CALLS:      make: @malloc at make+0:33
// CALLS-NEXT:   callsite make+0:33
// CALLS-NEXT: 1 annotated calls
