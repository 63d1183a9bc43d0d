// The source has changed since it was profiled: a warning by default, and a
// remark for each function some or all of whose profiled calls are not found.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -Rpass=memory-profile-info -Rpass-missed=memory-profile-info -mllvm -thermocline-use-stats -mllvm -thermocline-profile=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s

// RUN: %clangxx -O2 %annotate -mllvm -thermocline-profile=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=WARN
// WARN:     warning: thermocline: {{.*}}.prof: 2 of 3 profiled functions in {{.*}}mismatch.cpp have no call where the profile has it
// WARN-NOT: warning:

// PROFILE: cold 2000: _Z7changedj+7:11 < main+0:21
// PROFILE: cold 3000: _Z4samej+1:10 < main+0:21
// PROFILE: cold 4000: _Z4samej+1:10 < _Z4halfj+1:7 < main+0:21
// PROFILE: cold 4000: _Z4samej+1:10 < _Z4halfj+2:10 < main+0:21
// PROFILE: cold 4000: _Z4samej+1:10 < _Z4halfj+3:4 < main+0:21

// clang-format off
char *changed(unsigned N) {
  return new char[N];
}
__attribute__((noinline)) char *same(unsigned N) {
  return new char[N];
}

char *half(unsigned N) {
  if (N == 1) return same(N);
  return same(2);
}

// CHECK:      mismatch.cpp:[[#@LINE-8]]:10: remark: attached 4 heap profile contexts, 4 cold
// CHECK:      mismatch.cpp:[[#@LINE-13]]:1: remark: heap profile of _Z7changedj does not match: none of its profiled calls is where the profile has it
// CHECK:      mismatch.cpp:[[#@LINE-7]]:1: remark: heap profile of _Z4halfj does not match: none of its profiled calls is where the profile has it
// CHECK-NOT:  remark:
// CHECK:      mismatched 2
// CHECK-NEXT: profiled calls in them 5
// CHECK-NEXT: without a call at the place 4
// CHECK:      matched 1
// CHECK:      place not profiled 1
// CHECK:      attached 4 14.6 KiB
// CHECK-NEXT: no call at the place 1 2.0 KiB
