// A call in the middle of the contexts is inlined: the call in the inlined body
// gets one stack id for each frame, innermost first.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: %annotations --names %t.ll | %FileCheck %s

// PROFILE: notcold 1000: _Z4leafj+0:59 < _Z5innerv+0:31 < _Z6middlev+0:32 < _Z3hotv+0:48 < main+1:13
// PROFILE: cold    2000: _Z4leafj+0:59 < _Z5innerv+0:31 < _Z6middlev+0:32 < _Z4coldv+0:49 < main+2:13

// clang-format off
__attribute__((noinline)) char *leaf(unsigned N) { return new char[N]; }
inline char *inner() { return leaf(10); }
inline char *middle() { return inner(); }
__attribute__((noinline)) char *hot() { return middle(); }
__attribute__((noinline)) char *cold() { return middle(); }
int main() {
  char *A = hot();
  char *B = cold();
  return A[1] + B[2];
}

// CHECK:      _Z3hotv: @_Z4leafj at _Z5innerv+0:31 < _Z6middlev+0:32 < _Z3hotv+0:48
// CHECK-NEXT:   callsite _Z5innerv+0:31 < _Z6middlev+0:32 < _Z3hotv+0:48
// CHECK-NEXT: _Z4coldv: @_Z4leafj at _Z5innerv+0:31 < _Z6middlev+0:32 < _Z4coldv+0:49
// CHECK-NEXT:   callsite _Z5innerv+0:31 < _Z6middlev+0:32 < _Z4coldv+0:49
// CHECK-NEXT: _Z4leafj: @_Znam at _Z4leafj+0:59
// CHECK-NEXT:   cold _Z4leafj+0:59 < _Z5innerv+0:31 < _Z6middlev+0:32 < _Z4coldv+0:49 < main+2:13 (2000)
// CHECK-NEXT:   notcold _Z4leafj+0:59 < _Z5innerv+0:31 < _Z6middlev+0:32 < _Z3hotv+0:48 < main+1:13 (1000)
// CHECK-NEXT:   callsite _Z4leafj+0:59
// CHECK:      5 annotated calls
