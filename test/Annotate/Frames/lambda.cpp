// A lambda's body is a function of its own, internal and with a unique name.

// RUN: %clangxx -O0 %debug-flags -S -emit-llvm %s -o - | sed -n 's/^define internal.*@"\{0,1\}\(_ZZ4mainENK[^("]*\)"\{0,1\}(.*/\1/p' > %t.name
// RUN: sed "s/LAMBDA/$(cat %t.name)/" %s > %t.contexts
// RUN: %profile %t.contexts %t.prof
// RUN: %clangxx -O0 %annotate -mllvm -thermocline-use-at-O0 -fmemory-profile-use=%t.prof %s -o %t.O0.ll
// RUN: %annotations --names %t.O0.ll | %FileCheck %s --check-prefix=CALLED
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.O2.ll
// RUN: %annotations --names %t.O2.ll | %FileCheck %s --check-prefix=INLINED

// PROFILE: cold 2000: LAMBDA+0:40 < main+2:10

// clang-format off
short *Keep;
int main(int Count, char **) {
  auto Make = [&](unsigned K) { return new short[K + Count]; };
  Keep = Make(3);
  return 0;
}

// CALLED:      _ZZ4mainENK3$_0clEj.__uniq.{{[0-9]+}}: @_Znam at _ZZ4main
// CALLED-NEXT:   cold _ZZ4mainENK3$_0clEj.{{.*}} < main+2:10 (2000)
// CALLED-NEXT:   callsite _ZZ4mainENK3$_0clEj.
// CALLED-NEXT: main: @_ZZ4mainENK3$_0clEj.{{.*}} at main+2:10
// CALLED-NEXT:   callsite main+2:10

// INLINED:      main: @_Znam at _ZZ4mainENK3$_0clEj.{{.*}} < main+2:10
// INLINED-NEXT:   cold _ZZ4mainENK3$_0clEj.{{.*}} < main+2:10 (2000)
// INLINED-NEXT:   callsite _ZZ4mainENK3$_0clEj.{{.*}} < main+2:10
// INLINED-NEXT: 1 annotated calls
