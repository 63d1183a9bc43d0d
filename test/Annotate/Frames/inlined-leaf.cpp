// The function that allocates is inlined into its caller, as it was not when it
// was profiled. Its contexts are found all the same, at the inlined copy and at
// the one that remains.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: %annotations --names %t.ll | %FileCheck %s

// PROFILE: notcold 1000: _Z4leafj+0:33 < _Z6middlej+0:61 < _Z3hotv+0:48 < main+1:13
// PROFILE: cold    2000: _Z4leafj+0:33 < _Z6middlej+0:61 < _Z4coldv+0:49 < main+2:13

// clang-format off
char *leaf(unsigned N) { return new char[N]; }
__attribute__((noinline)) char *middle(unsigned N) { return leaf(N); }
__attribute__((noinline)) char *hot() { return middle(10); }
__attribute__((noinline)) char *cold() { return middle(20); }
int main() {
  char *A = hot();
  char *B = cold();
  return A[1] + B[2];
}

// CHECK:      _Z3hotv: @_Z6middlej at _Z3hotv+0:48
// CHECK-NEXT:   callsite _Z3hotv+0:48
// CHECK-NEXT: _Z4coldv: @_Z6middlej at _Z4coldv+0:49
// CHECK-NEXT:   callsite _Z4coldv+0:49
// CHECK-NEXT: _Z4leafj: @_Znam at _Z4leafj+0:33
// CHECK-NEXT:   cold _Z4leafj+0:33 < _Z6middlej+0:61 < _Z4coldv+0:49 < main+2:13 (2000)
// CHECK-NEXT:   notcold _Z4leafj+0:33 < _Z6middlej+0:61 < _Z3hotv+0:48 < main+1:13 (1000)
// CHECK-NEXT:   callsite _Z4leafj+0:33
// CHECK-NEXT: _Z6middlej: @_Znam at _Z4leafj+0:33 < _Z6middlej+0:61
// CHECK-NEXT:   cold _Z4leafj+0:33 < _Z6middlej+0:61 < _Z4coldv+0:49 < main+2:13 (2000)
// CHECK-NEXT:   notcold _Z4leafj+0:33 < _Z6middlej+0:61 < _Z3hotv+0:48 < main+1:13 (1000)
// CHECK-NEXT:   callsite _Z4leafj+0:33 < _Z6middlej+0:61
// CHECK-NEXT: main: @_Z3hotv at main+1:13
// CHECK-NEXT:   callsite main+1:13
// CHECK-NEXT: main: @_Z4coldv at main+2:13
// CHECK-NEXT:   callsite main+2:13
// CHECK-NEXT: 6 annotated calls
