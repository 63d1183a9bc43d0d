// In a scope with cleanups, operator new and the calls that lead to it are
// invokes; they are annotated like calls.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: grep -q 'invoke .*@_Znam' %t.ll
// RUN: grep -q 'invoke .*@_Z7guardedj' %t.ll
// RUN: %annotations --names %t.ll | %FileCheck %s

// PROFILE: cold 2000: _Z7guardedj+3:13 < _Z5outerv+2:13 < main+0:21

// clang-format off
struct Guard { ~Guard(); };
void use(void *);
__attribute__((noinline)) char *guarded(unsigned N) {
  Guard G;
  use(&G);
  char *P = new char[N];
  return P;
}
__attribute__((noinline)) char *outer() {
  Guard G;
  char *P = guarded(3);
  return P;
}
int main() { return outer()[1]; }

// CHECK:      _Z5outerv: @_Z7guardedj at _Z5outerv+2:13
// CHECK-NEXT:   callsite _Z5outerv+2:13
// CHECK-NEXT: _Z7guardedj: @_Znam at _Z7guardedj+3:13
// CHECK-NEXT:   cold _Z7guardedj+3:13 < _Z5outerv+2:13 < main+0:21 (2000)
// CHECK-NEXT:   callsite _Z7guardedj+3:13
// CHECK-NEXT: main: @_Z5outerv at main+0:21
// CHECK-NEXT:   callsite main+0:21
// CHECK-NEXT: 3 annotated calls
