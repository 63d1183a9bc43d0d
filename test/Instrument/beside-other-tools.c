// A sanitizer that replaces malloc, too, and profiling exclude each other, and so
// do two profilers: one clear message of the compiler or, where only the linker knows, of the program
// when it starts. Others may be beside it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for flag in memory-profile sanitize=address sanitize=hwaddress sanitize=memory sanitize=thread sanitize=type sanitize=numerical sanitize=alloc-token sanitize=kernel-address; do %not %clang --config=%generate-cfg -f$flag -fPIE -O1 -c %s -o object.o 2>&1 || exit 1; done | %FileCheck %s
// CHECK: error: -thermocline-generate cannot be given with -fmemory-profile, as both count accesses: compile without one of them
// CHECK: error: -thermocline-generate cannot be given with -fsanitize=address, as both replace malloc: compile without one of them
// CHECK: error: -thermocline-generate cannot be given with -fsanitize=hwaddress,
// CHECK: error: -thermocline-generate cannot be given with -fsanitize=memory,
// CHECK: error: -thermocline-generate cannot be given with -fsanitize=thread,
// CHECK: error: -thermocline-generate cannot be given with -fsanitize=type,
// CHECK: error: -thermocline-generate cannot be given with -fsanitize=numerical,
// CHECK: error: -thermocline-generate cannot be given with -fsanitize=alloc-token, as each needs an allocator of its own: compile without one of them
// CHECK: error: -thermocline-generate cannot be given with -fsanitize=address,
//
// RUN: for kind in address memory thread leak realtime scudo; do %clang -fsanitize=$kind -fPIE -O1 -c %s -o object.o && %clang --config=%generate-cfg -fsanitize=$kind object.o -o program && %not --crash ./program 2>&1 || exit 1; done | %FileCheck %s --check-prefix=STARTED
// STARTED: {{^}}Thermocline: a program cannot be profiled and have AddressSanitizer, as both replace malloc: build it without one of them
// STARTED: {{^}}Thermocline: a program cannot be profiled and have MemorySanitizer,
// STARTED: {{^}}Thermocline: a program cannot be profiled and have ThreadSanitizer,
// STARTED: {{^}}Thermocline: a program cannot be profiled and have LeakSanitizer,
// STARTED: {{^}}Thermocline: a program cannot be profiled and have RealtimeSanitizer,
// STARTED: {{^}}Thermocline: a program cannot be profiled and have Scudo,
//
// One is known after this compiler pass only, which it gives other names for
// functions: these are there, for the program to say so.
// RUN: for mode in "" "-Xclang -mllvm -Xclang -thermocline-generate-histogram" "-Xclang -mllvm -Xclang -thermocline-generate-sampling"; do %clang --config=%generate-cfg $mode -fsanitize=dataflow -O1 %s -o program && %not --crash ./program 2>&1 || exit 1; done | %FileCheck %s --check-prefix=DATAFLOW
// DATAFLOW-COUNT-3: {{^}}Thermocline: a program cannot be profiled and have DataFlowSanitizer,
//
// So does the library that is preloaded.
// RUN: %clang -fsanitize=address -O1 %s -o program && env LD_PRELOAD=%preload %not --crash ./program 2>&1 | %FileCheck %s --check-prefix=PRELOADED
// PRELOADED: {{^}}Thermocline: a program cannot be profiled and have AddressSanitizer,
//
// RUN: for kind in undefined,fuzzer-no-link safe-stack kcfi shadow-call-stack integer,nullability,local-bounds; do %clang --config=%generate-cfg -fsanitize=$kind -O1 %s -o program && env MEMPROF_OPTIONS=log_path=raw ./program && %thermo-profdata show raw.* && rm raw.* || exit 1; done | %FileCheck %s --check-prefix=BESIDE
// BESIDE-COUNT-5: 10 B in 1 allocation

#include <stdlib.h>
#include <string.h>

int main(int ArgumentCount, char **Arguments) {
  char *volatile P = malloc(10);
  P[0] = 1;
  memset(P, 1, ArgumentCount);
  memcpy(P, Arguments[0], ArgumentCount);
  memmove(P + 1, P, ArgumentCount);
  free(P);
  return 0;
}
