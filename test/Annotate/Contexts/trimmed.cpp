// -thermocline-trim-contexts cuts contexts as clang's own annotation does, on
// the same profile to the same metadata.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O1 -flto=thin -S -emit-llvm %debug-flags -fmemory-profile-use=%t.prof %s -o %t.stock.ll
// RUN: %clangxx -O1 %annotate -mllvm -thermocline-trim-contexts -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2> %t.stats
// RUN: %annotations %t.stock.ll > %t.stock.txt
// RUN: %annotations %t.ll | diff %t.stock.txt -
// RUN: %annotations --names %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=STATS --input-file=%t.stats

// PROFILE: notcold 1000: _Z4leafj+0:59 < _Z3hotv+0:48 < _Z5outerv+1:13 < main+1:13
// PROFILE: cold    2000: _Z4leafj+0:59 < _Z4coldv+0:49 < _Z5outerv+2:13 < main+1:13
// PROFILE: cold    3000: _Z6alwaysj+0:61 < _Z5outerv+3:13 < main+1:13

// clang-format off
__attribute__((noinline)) char *leaf(unsigned N) { return new char[N]; }
__attribute__((noinline)) char *hot() { return leaf(10); }
__attribute__((noinline)) char *cold() { return leaf(20); }
__attribute__((noinline)) char *always(unsigned N) { return new char[N]; }
int outer() {
  char *A = hot();
  char *B = cold();
  char *C = always(3);
  return A[1] + B[2] + C[1];
}

// CHECK:      _Z4leafj: @_Znam
// CHECK-NEXT:   attribute ambiguous
// CHECK-NEXT:   cold _Z4leafj+0:59 < _Z4coldv+0:49
// CHECK-NEXT:   notcold _Z4leafj+0:59 < _Z3hotv+0:48
// CHECK:      _Z6alwaysj: @_Znam
// CHECK-NEXT:   attribute cold
// STATS:      stack ids in MIBs 4
// STATS-NEXT: attributes 1
