// The profile's innermost frame is a call of a library function that allocates
// inside: nothing there can be hinted, which is counted apart.

// RUN: %profile %s %t.prof
// RUN: %clang -O2 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: %not grep -q '!memprof' %t.ll

// PROFILE: cold 2000: open_it+0:42 < main+0:21

// clang-format off
#include <stdio.h>
FILE *open_it(const char *Name) { return fopen(Name, "r"); }

// CHECK: inside another callee 1 2.0 KiB; cold: 1, 2.0 KiB
