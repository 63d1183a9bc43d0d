// Hinted calls from the earliest constructor and from the last destructor, and
// in a fully static program.
//
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t.dynamic
// RUN: %clangxx -static -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t.static
// RUN: %t.dynamic | %FileCheck %s
// RUN: %t.static | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_ORDER=1 %t.dynamic | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_ORDER=1 %t.static | %FileCheck %s
// CHECK: early object is cold: 1
// CHECK: later object is cold: 1, and the early one still: 1

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <cstdio>
#include <cstdlib>

static void *Early;

static void allocateEarly() { Early = malloc_cold(100); }
__attribute__((section(".preinit_array"),
               used)) static void (*Preinit)() = allocateEarly;

__attribute__((destructor(102))) static void freeLate() {
  free(Early);
  ::operator delete(::operator new(10, __hot_cold_t(1)));
}

int main() {
  std::printf("early object is cold: %d\n", thermocline_alloc_is_cold(Early));
  void *Later = malloc_cold(100);
  std::printf("later object is cold: %d, and the early one still: %d\n",
              thermocline_alloc_is_cold(Later),
              thermocline_alloc_is_cold(Early));
  free(Later);
}
