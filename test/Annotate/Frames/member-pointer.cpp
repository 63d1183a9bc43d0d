// A call through a pointer to member has no known callee but is part of the
// context, as is a virtual call.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2> %t.stats
// RUN: %annotations --names %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=STATS --input-file=%t.stats

// PROFILE: cold    2000: _ZN4Node4growEj+0:65 < _Z7throughR4NodeMS_FPcjE+1:10
// PROFILE: notcold 1000: _ZN4Node4growEj+0:65 < _Z9virtuallyR4Node+1:12

// clang-format off
struct Node {
  virtual char *grow(unsigned N);
};
__attribute__((noinline)) char *Node::grow(unsigned N) { return new char[N]; }
char *through(Node &N, char *(Node::*Method)(unsigned)) {
  return (N.*Method)(7);
}
char *virtually(Node &N) {
  return N.grow(8);
}

// CHECK:      _Z7throughR4NodeMS_FPcjE: indirect at _Z7throughR4NodeMS_FPcjE+1:10
// CHECK-NEXT:   callsite _Z7throughR4NodeMS_FPcjE+1:10
// CHECK-NEXT: _Z9virtuallyR4Node: indirect at _Z9virtuallyR4Node+1:12
// CHECK-NEXT:   callsite _Z9virtuallyR4Node+1:12
// CHECK-NEXT: _ZN4Node4growEj: @_Znam
// CHECK-NEXT:   cold _ZN4Node4growEj+0:65 < _Z7through
// CHECK-NEXT:   notcold _ZN4Node4growEj+0:65 < _Z9virtually

// STATS: callsites 2
// STATS-NEXT: indirect 2
