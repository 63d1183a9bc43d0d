// Copies of a call that the optimizer made by unrolling its loop all carry what
// the call carries.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2> %t.stats
// RUN: %annotations --names %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=STATS --input-file=%t.stats

// PROFILE: cold    2000: _Z8unrolledv+2:10 < main+1:3
// PROFILE: notcold 1000: _Z4keepPv+1:10 < _Z8unrolledv+2:5 < main+1:3

// clang-format off
void keep(void *);
void unrolled() {
  for (int I = 0; I != 3; ++I)
    keep(new long[I + 1]);
}

// CHECK-COUNT-3: _Z8unrolledv: @_Z4keepPv at _Z8unrolledv+2:5
// CHECK:      _Z8unrolledv: @_Znam at _Z8unrolledv+2:10
// CHECK-NEXT:   cold _Z8unrolledv+2:10 <
// CHECK-NEXT:   callsite _Z8unrolledv+2:10
// CHECK-NEXT: _Z8unrolledv: @_Znam at _Z8unrolledv+2:10
// CHECK-NEXT:   cold _Z8unrolledv+2:10 <
// CHECK-NEXT:   callsite _Z8unrolledv+2:10
// CHECK-NEXT: _Z8unrolledv: @_Znam at _Z8unrolledv+2:10
// CHECK-NEXT:   cold _Z8unrolledv+2:10 <
// CHECK-NEXT:   callsite _Z8unrolledv+2:10
// CHECK-NEXT: 6 annotated calls

// One context, written three times.
// STATS: attached 1 2.0 KiB
// STATS: MIBs 3
