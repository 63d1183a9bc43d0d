// A call through a pointer where the profile says that it allocated gets contexts
// if its type is that of an allocation function. A call of another type is one of a
// library that allocates inside. Where the pointer led to other functions as well,
// and nothing cold was allocated by it, these keep their place in contexts.

// RUN: %profile %s %t.stock
// RUN: %thermo-profdata merge --quiet %t.stock -o %t.prof
// RUN: %clang -O2 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2> %t.stats
// RUN: %annotations --names %t.ll | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=STATS --input-file=%t.stats
// RUN: %FileCheck %s --check-prefix=MARK --input-file=%t.ll

// PROFILE: cold    2000: node+0:48 < main+0:21
// PROFILE: notcold 1000: node+0:48 < main+1:21
// PROFILE: cold    3000: number+0:42 < main+2:21
// PROFILE: notcold 4000: both+0:48 < main+3:21
// PROFILE: cold    5000: wrapper+0:42 < both+0:48 < main+3:21

// clang-format off
#include <stddef.h>
extern void *(*Allocate)(size_t);
extern int (*Number)(size_t);
void *malloc(size_t);
void *node(size_t Size)  {              return Allocate(Size); }
int number(size_t Size)  {        return Number(Size); }
void *wrapper(size_t N)  {        return malloc(N); }
void *both(size_t Size)  {              return Allocate(Size); }

// CHECK:      both: indirect at both+0:48
// CHECK-NEXT:   callsite both+0:48
// CHECK-NEXT: node: indirect at node+0:48
// CHECK-NEXT:   cold node+0:48 < {{-?[0-9]+}} (2000)
// CHECK-NEXT:   notcold node+0:48 < {{-?[0-9]+}} (1000)
// CHECK-NEXT:   callsite node+0:48
// CHECK-NEXT: number: indirect
// CHECK-NEXT:   callsite number+0:42
// CHECK:      wrapper: @malloc at wrapper+0:42
// CHECK-NEXT:   cold wrapper+0:42 < both+0:48

// MARK: "alloc-behind-pointer"="malloc"

// STATS: allocation calls 2
// STATS: matched 2
// STATS: through pointers 1
// STATS: inside another callee 2 {{.*}}; cold: 1, 2.9 KiB
