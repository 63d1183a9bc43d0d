// The program has an operator new of its own, in another file, that calls malloc:
// there the context starts, and the new-expression is a callsite of it.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O1 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2> %t.stats
// RUN: %annotations --names %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=STATS --input-file=%t.stats

// PROFILE: cold 2000: _Znwm+3:10 < _Z4makev+0:22 < main+0:21

// clang-format off
long *volatile Keep;
void make() { Keep = new long(5); }

// CHECK:      _Z4makev: @_Znwm at _Z4makev+0:22
// CHECK-NEXT:   callsite _Z4makev+0:22
// CHECK-NEXT: 1 annotated calls
// STATS:      allocation calls 1
// STATS-NEXT: matched 0
// STATS:      function not profiled 1
