// Like calls stay apart until they are annotated: each is found in the profile.
// Then nothing is left of what kept them, and what optimizes after the link merges
// them and moves them as ever.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.ll
// RUN: %annotations --names %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=LEFT --implicit-check-not="thermocline{{.(keep|memory)}}" < %t.ll
// RUN: %opt -passes="default<O2>" -S %t.ll | %FileCheck %s --check-prefix=MERGED

// PROFILE: notcold 1000: _Z4makei+0:54 < _Z4leftv+0:30 < _Z8wrappersv+1:22 < main+1:13
// PROFILE: cold    2000: _Z4makei+0:54 < _Z5rightv+0:31 < _Z8wrappersv+2:10 < main+1:13
// PROFILE: notcold 1000: _Z4makei+0:54 < _Z5knowni+0:1 < _Z5loopsv+2:10 < main+1:13

// clang-format off
int roll();
void keep(char *);
__attribute__((noinline)) char *make(int N) { return new char[N]; }
inline char *left() { return make(1); }
inline char *right() { return make(1); }
char *wrappers() {
  if (roll()) return left();
  return right();
}
__attribute__((const)) char *known(int N);
__attribute__((const)) int hash(int N);
void loops() {
  for (int I = roll(); I != 0; --I)
    keep(known(1) + hash(I));
}
char *asked() {
  if (roll()) { [[clang::nomerge]] return make(2); }
  [[clang::nomerge]] return make(2);
}

// CHECK:      _Z5loopsv: @_Z5knowni at _Z5loopsv+2:10
// CHECK-NEXT:   callsite _Z5loopsv+2:10
// CHECK:      @_Z4makei at _Z4leftv+0:30 < _Z8wrappersv+1:22
// CHECK-NEXT:   callsite _Z4leftv+0:30 < _Z8wrappersv+1:22
// CHECK:      @_Z4makei at _Z5rightv+0:31 < _Z8wrappersv+2:10
// CHECK-NEXT:   callsite _Z5rightv+0:31 < _Z8wrappersv+2:10

// LEFT-LABEL: define {{.*}} @_Z8wrappersv
// LEFT: call {{.*}} @_Z4makei(i32 noundef 1){{( #[0-9]+)?}}, !dbg
// LEFT: call {{.*}} @_Z4makei(i32 noundef 1)
// LEFT: declare {{.*}} @_Z5knowni(i32 noundef){{.*}} #[[KNOWN:[0-9]+]]
// LEFT-LABEL: define {{.*}} @_Z5askedv
// LEFT: call {{.*}} @_Z4makei(i32 noundef 2) #[[ASKED:[0-9]+]]
// LEFT: attributes #[[KNOWN]] = { {{.*}}memory(none)
// LEFT: attributes #[[ASKED]] = { {{.*}}nomerge

// MERGED-LABEL: define {{.*}} @_Z8wrappersv
// MERGED: call {{.*}} @_Z4makei
// MERGED-NOT: call {{.*}} @_Z4makei
// MERGED-LABEL: define {{.*}} @_Z5loopsv
// MERGED: call {{.*}} @_Z5knowni
// MERGED: br label
// MERGED-LABEL: define {{.*}} @_Z5askedv
// MERGED: call {{.*}} @_Z4makei
// MERGED: call {{.*}} @_Z4makei
