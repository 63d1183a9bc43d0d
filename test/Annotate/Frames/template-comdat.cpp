// Instances of a template are functions of their own, told apart by their
// linkage names though they are at the same lines.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: grep -q 'define linkonce_odr.*@_Z8makeManyIiEPT_j.*comdat' %t.ll
// RUN: %annotations --names %t.ll | %FileCheck %s

// PROFILE: cold    2000: _Z8makeManyIiEPT_j+1:10 < main+1:12
// PROFILE: notcold 1000: _Z8makeManyIdEPT_j+1:10 < main+2:15

// clang-format off
template <typename T> __attribute__((noinline)) T *makeMany(unsigned N) {
  return new T[N];
}
int main() {
  int *A = makeMany<int>(10);
  double *B = makeMany<double>(20);
  return A[1] + B[2] > 3;
}

// CHECK:      _Z8makeManyIdEPT_j: @_Znam at _Z8makeManyIdEPT_j+1:10
// CHECK-NEXT:   notcold _Z8makeManyIdEPT_j+1:10 < main+2:15 (1000)
// CHECK-NEXT:   callsite _Z8makeManyIdEPT_j+1:10
// CHECK-NEXT: _Z8makeManyIiEPT_j: @_Znam at _Z8makeManyIiEPT_j+1:10
// CHECK-NEXT:   cold _Z8makeManyIiEPT_j+1:10 < main+1:12 (2000)
// CHECK-NEXT:   callsite _Z8makeManyIiEPT_j+1:10
// CHECK-NEXT: main: @_Z8makeManyIdEPT_j at main+2:15
// CHECK-NEXT:   callsite main+2:15
// CHECK-NEXT: main: @_Z8makeManyIiEPT_j at main+1:12
// CHECK-NEXT:   callsite main+1:12
// CHECK-NEXT: 4 annotated calls
