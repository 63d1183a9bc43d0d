// The profile says what a call through a pointer led to, from version 4 on. It
// becomes a target without count, those with most bytes first. Direct calls get
// none. Clang's own pass, which counts one call for each, is kept from it even
// where it runs for its remarks.

// RUN: %profile %s %t.stock
// RUN: %thermo-profdata merge --quiet %t.stock -o %t.prof
// RUN: %clangxx -O2 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2> %t.stats
// RUN: %FileCheck %s < %t.ll
// RUN: %FileCheck %s --check-prefix=STATS --input-file=%t.stats
// RUN: %clangxx -O2 %annotate -Rpass=memprof -fmemory-profile-use=%t.prof %s -o %t.remarks.ll 2> %t.remarks
// RUN: grep 'matched callsite' %t.remarks
// RUN: %FileCheck %s < %t.remarks.ll
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.stock %s -o %t.3.ll
// RUN: %FileCheck %s --check-prefix=VERSION3 < %t.3.ll

// PROFILE: cold    2000: _Z4firstj+0:59 < _Z7throughPFPcjE+1:10
// PROFILE: notcold 3000: _Z6secondj+0:60 < _Z7throughPFPcjE+1:10
// PROFILE: cold    2000: _Z4firstj+0:59 < _Z8directlyv+0:34

// clang-format off
__attribute__((noinline)) char *first(unsigned N) { return new char[N]; }
__attribute__((noinline)) char *second(unsigned N) { return new char[N]; }
char *through(char *(*Pointer)(unsigned)) {
  return Pointer(7);
}
__attribute__((noinline)) char *directly() { return first(8); }

// CHECK-LABEL: define {{.*}} @_Z7throughPFPcjE(
// CHECK: call {{.*}} %{{.*}}(i32 {{.*}} !prof ![[TARGETS:[0-9]+]], !callsite
// CHECK-LABEL: define {{.*}} @_Z8directlyv(
// CHECK-NOT: !prof
// CHECK: ret
// The GUIDs of _Z6secondj and _Z4firstj.
// CHECK: ![[TARGETS]] = !{!"VP", i32 0, i64 1, i64 2267185317856135620, i64 0, i64 -661930181949590542, i64 0}

// STATS: indirect 1
// STATS: targets of indirect calls 2

// VERSION3-NOT: "VP"
