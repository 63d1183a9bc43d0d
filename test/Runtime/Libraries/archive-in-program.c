// The archive is for programs alone. One that has it and libraries that have the
// shared runtime make one: the first to start does all, also for libraries that
// prefer their own symbols or are in a namespace of their own.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for linker in lld bfd gold mold; do \
// RUN:   %not %clang --config=%generate-archive-cfg -fuse-ld=$linker -DLIBRARY -fPIC -shared %s -o none.so > $linker.txt 2>&1 || exit 1; \
// RUN:   grep -q "error: .*thermocline::runtime::TheThread\|hidden symbol .*TheThread" $linker.txt || exit 1; \
// RUN: done
//
// RUN: %clang --config=%generate-cfg -O1 -DLIBRARY -fPIC -shared %s -o library.so
// RUN: %clang --config=%generate-archive-cfg -O1 %s -o program
// RUN: %llvm-readelf -d program library.so | grep -c "NEEDED.*libthermocline_runtime.so" | %FileCheck %s --check-prefix=ONE
// ONE: {{^}}1{{$}}
// RUN: for mode in now deep apart; do \
// RUN:   rm -f raw.*; env MEMPROF_OPTIONS=log_path=raw ./program $mode && [ -f raw.* ] || exit 1; \
// RUN:   %thermo-profdata show --all --binary=program --library=library.so raw.* | grep -A2 "in 10 allocations" || exit 1; \
// RUN: done > said
// RUN: %FileCheck %s < said
// CHECK: 7.8 KiB in 10 allocations, lifetime {{[0-9]+}} ms, 0.12 accesses per byte
// CHECK-NEXT: allocate
// CHECK-NEXT: {{^}} main (
// CHECK: 6.2 KiB in 10 allocations, lifetime {{[0-9]+}} ms, 0.10 accesses per byte
// CHECK-NEXT: make (library.so)
// CHECK-NEXT: {{^}} main (
// CHECK: 7.8 KiB in 10 allocations, lifetime {{[0-9]+}} ms, 0.12 accesses per byte
// CHECK-NEXT: allocate
// CHECK-NEXT: {{^}} main (
// CHECK: 6.2 KiB in 10 allocations, lifetime {{[0-9]+}} ms, 0.10 accesses per byte
// CHECK-NEXT: make (library.so)
// CHECK-NEXT: {{^}} main (
// CHECK: 7.8 KiB in 10 allocations, lifetime {{[0-9]+}} ms, 0.12 accesses per byte
// CHECK-NEXT: allocate
// CHECK-NEXT: {{^}} main (
// CHECK: 6.2 KiB in 10 allocations, lifetime {{[0-9]+}} ms, 0.10 accesses per byte
// CHECK-NEXT: make (library.so)
// CHECK-NEXT: {{^}} main (
//
// A program whose malloc nobody else can see: what the library has is another's.
// RUN: echo '{ local: *; };' > hidden.map
// RUN: %clang --config=%generate-archive-cfg -O1 %s -Wl,--version-script=hidden.map -o hidden
// RUN: ./hidden now 2>&1 | %FileCheck %s --check-prefix=HIDDEN
// HIDDEN: Thermocline: malloc is that of {{.*}} in this program: nothing is recorded.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef LIBRARY

__attribute__((noinline)) char *make(void) {
  volatile char *P = malloc(640);
  for (int I = 0; I < 64; ++I)
    P[I * 8] = 1;
  return (char *)P;
}
void change(volatile char *P) {
  for (int I = 0; I < 40; ++I)
    P[I * 8] = 1;
  free(realloc((char *)P, 1000));
}

#else

__attribute__((noinline)) char *allocate(void) { return malloc(800); }

int main(int Count, char **Arguments) {
  int Deep = strcmp(Arguments[1], "deep") ? 0 : RTLD_DEEPBIND;
  void *Library = strcmp(Arguments[1], "apart")
                      ? dlopen("./library.so", RTLD_NOW | Deep)
                      : dlmopen(LM_ID_NEWLM, "./library.so", RTLD_NOW);
  if (!Library)
    return 1;
  char *(*Make)(void) = (char *(*)(void))dlsym(Library, "make");
  void (*Change)(volatile char *) =
      (void (*)(volatile char *))dlsym(Library, "change");
  for (int Round = 0; Round < 10; ++Round) {
    // 100 times, by both.
    volatile char *P = allocate();
    for (int I = 0; I < 60; ++I)
      P[I * 8] = 1;
    Change(P);
    free(Make());
  }
  return 0;
}

#endif
