// clang's own pass has annotated before ours (-fmemory-profile-use=): all of it
// is replaced, trimmed metadata and attributes alike, or all of it is kept. It does
// so only where its remarks are wanted, or what it wrote is to be kept.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O1 -flto=thin -S -emit-llvm %debug-flags -fmemory-profile-use=%t.prof %s -o %t.stock.ll
// RUN: %annotations --names %t.stock.ll > %t.stock.txt
// RUN: %FileCheck %s --check-prefix=STOCK --input-file=%t.stock.txt
// RUN: %clangxx -O1 %annotate -Rpass=memprof -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2> %t.stats
// RUN: %annotations --names %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=STATS --input-file=%t.stats
// RUN: grep -q '"memprof"' %t.stock.ll
// RUN: %not grep -q '"memprof"' %t.ll

// RUN: %clangxx -O1 %annotate -mllvm -thermocline-keep-annotation -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.keep.ll 2> %t.keep.stats
// RUN: %annotations --names %t.keep.ll --callee '@_Z' | diff - %t.stock.txt
// RUN: %annotations --names %t.keep.ll | %FileCheck %s --check-prefix=MALLOC
// RUN: %FileCheck %s --check-prefix=KEEP --input-file=%t.keep.stats

// PROFILE: notcold 1000: _Z4leafj+0:59 < _Z3hotv+0:48 < _Z5outerv+1:13 < main+1:13
// PROFILE: cold    2000: _Z4leafj+0:59 < _Z4coldv+0:49 < _Z5outerv+2:13 < main+1:13
// PROFILE: cold    3000: _Z6alwaysj+0:61 < _Z5outerv+3:13 < main+1:13
// PROFILE: cold    4000: _Z5outerv+4:13 < main+1:13

// clang-format off
extern "C" void *malloc(unsigned long);
__attribute__((noinline)) char *leaf(unsigned N) { return new char[N]; }
__attribute__((noinline)) char *hot() { return leaf(10); }
__attribute__((noinline)) char *cold() { return leaf(20); }
__attribute__((noinline)) char *always(unsigned N) { return new char[N]; }
int outer() {
  char *A = hot();
  char *B = cold();
  char *C = always(3);
  void *D = malloc(9);
  return A[1] + B[2] + C[1] + (D == A);
}

// STOCK:      _Z4leafj: @_Znam
// STOCK-NEXT:   attribute ambiguous
// STOCK-NEXT:   cold _Z4leafj+0:59 < _Z4coldv+0:49
// STOCK-NEXT:   notcold

// CHECK:      _Z4leafj: @_Znam
// CHECK-NEXT:   cold _Z4leafj+0:59 < _Z4coldv+0:49 < _Z5outerv+2:13 < {{[-0-9]+}} (2000)
// CHECK-NEXT:   notcold _Z4leafj+0:59 < _Z3hotv+0:48 < _Z5outerv+1:13 < {{[-0-9]+}} (1000)
// CHECK-NEXT:   callsite _Z4leafj+0:59
// CHECK:      _Z5outerv: @malloc at _Z5outerv+4:13
// CHECK-NEXT:   cold _Z5outerv+4:13 < {{[-0-9]+}} (4000)
// CHECK:      _Z6alwaysj: @_Znam
// CHECK-NEXT:   cold _Z6alwaysj+0:61 <
// CHECK:      8 annotated calls
// STATS:      earlier annotations replaced 7

// MALLOC:     _Z5outerv: @malloc at _Z5outerv+4:13
// MALLOC-NEXT: cold _Z5outerv+4:13
// KEEP:       annotation kept 2
// KEEP:       earlier annotations replaced 0
