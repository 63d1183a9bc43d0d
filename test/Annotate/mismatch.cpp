// The source has changed since it was profiled: a warning by default, and a
// remark for each function none of whose profiled calls is found.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -Rpass=memory-profile-info -Rpass-missed=memory-profile-info -mllvm -thermocline-use-stats -mllvm -thermocline-profile=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s

// RUN: %clangxx -O2 %annotate -mllvm -thermocline-profile=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=WARN
// WARN:     warning: thermocline: {{.*}}.prof: 1 of 2 profiled functions in {{.*}}mismatch.cpp have no call where the profile has it
// WARN-NOT: warning:

// PROFILE: cold 2000: _Z7changedj+7:10 < main+0:21
// PROFILE: cold 3000: _Z4samej+1:10 < main+0:21

// clang-format off
char *changed(unsigned N) {
  return new char[N];
}
char *same(unsigned N) {
  return new char[N];
}

// CHECK:      mismatch.cpp:[[#@LINE-3]]:10: remark: attached 1 heap profile context, 1 cold
// CHECK:      mismatch.cpp:[[#@LINE-8]]:1: remark: heap profile of _Z7changedj does not match: none of its profiled calls is where the profile has it
// CHECK-NOT:  remark:
// CHECK:      mismatched 1
// CHECK:      matched 1
// CHECK:      place not profiled 1
// CHECK:      attached 1 2.9 KiB
// CHECK-NEXT: no call at the place 1 2.0 KiB
