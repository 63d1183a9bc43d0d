// A program and a library share one runtime however either hides its symbols or
// prefers its own, and however the library is found: memory crosses the border,
// and what both access is counted once and under the right calls.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: echo '{ global: library_*; local: *; };' > library.map && echo '{ local: *; };' > program.map
// RUN: library() { %clang --config=%generate-cfg -O1 -fuse-ld=lld -DLIBRARY -fPIC -shared %s -o library.$1 $2; }
// RUN: library plain && library hidden -Wl,--version-script=library.map && library symbolic -Wl,-Bsymbolic
// RUN: library functions -Wl,-Bsymbolic-functions && library excluded -Wl,--exclude-libs,ALL
// RUN: cp library.plain library.so
// RUN: program() { %clang --config=%generate-cfg -O1 -fuse-ld=lld %s ./library.so -o program.$1 $2 $3; }
// RUN: program plain && program fixed -no-pie && program hidden -Wl,--version-script=program.map
// RUN: program symbolic -Wl,-Bsymbolic -Wl,--exclude-libs,ALL
// RUN: program local -DLOAD=RTLD_LOCAL && program global -DLOAD=RTLD_GLOBAL && program deep -DLOAD=RTLD_DEEPBIND
//
// Each pair writes one profile, and all say the same.
// RUN: for library in plain hidden symbolic functions excluded; do \
// RUN:   for program in plain fixed hidden symbolic local global deep; do \
// RUN:     cp library.$library library.so; rm -f raw.*; \
// RUN:     env MEMPROF_OPTIONS=log_path=raw ./program.$program && [ -f raw.* ] && \
// RUN:     %thermo-profdata show --all --binary=program.$program --library=library.so raw.* > shown && \
// RUN:     sed -n "s/, id.*//; s/lifetime [0-9]* ms, //; s/program[.].*/program)/; / 5 allocations/,/^ main (/p" shown > said.$library.$program && \
// RUN:     diff said.plain.plain said.$library.$program || exit 1; \
// RUN:   done; \
// RUN: done
// RUN: %FileCheck %s < said.plain.plain
// RUN: ls said.* | wc -l | %FileCheck %s --check-prefix=PAIRS
// PAIRS: {{^}}35{{$}}
// CHECK: #1 9.8 KiB in 5 allocations, 0.00 accesses per byte
// CHECK-NEXT: library_grow
// CHECK-NEXT: {{^}} main (
// CHECK-NEXT: #2 4.9 KiB in 5 allocations, 0.00 accesses per byte
// CHECK-NEXT: {{^}} main (
// CHECK-NEXT: #3 3.9 KiB in 5 allocations, 0.12 accesses per byte
// CHECK-NEXT: written
// CHECK-NEXT: {{^}} main (
// CHECK-NEXT: #4 3.1 KiB in 5 allocations, 0.16 accesses per byte
// CHECK-NEXT: library_make
// CHECK-NEXT: {{^}} main (
// CHECK-NEXT: #5 3.1 KiB in 5 allocations, 0.10 accesses per byte
// CHECK-NEXT: library_make
// CHECK-NEXT: {{^}} main (

#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

#ifdef LIBRARY

__attribute__((noinline)) char *library_make(void) {
  volatile char *P = malloc(640);
  for (int I = 0; I < 64; ++I)
    P[I * 8] = 1;
  return (char *)P;
}
void library_write(volatile char *P, int Count) {
  for (int I = 0; I < Count; ++I)
    P[I * 8] = 2;
}
char *library_grow(char *P, size_t Size) { return realloc(P, Size); }
void library_free(char *P) { free(P); }

#else

#ifdef LOAD
static char *(*library_make)(void);
static void (*library_write)(volatile char *, int);
static char *(*library_grow)(char *, size_t);
static void (*library_free)(char *);
static void load(void) {
  void *Library = dlopen("./library.so", RTLD_NOW | LOAD);
  if (!Library)
    exit(3);
  library_make = (char *(*)(void))dlsym(Library, "library_make");
  library_write = (void (*)(volatile char *, int))dlsym(Library, "library_write");
  library_grow = (char *(*)(char *, size_t))dlsym(Library, "library_grow");
  library_free = (void (*)(char *))dlsym(Library, "library_free");
}
#else
char *library_make(void);
void library_write(volatile char *, int);
char *library_grow(char *, size_t);
void library_free(char *);
static void load(void) {}
#endif

__attribute__((noinline)) char *written(void) { return malloc(800); }

int main(void) {
  load();
  for (int Round = 0; Round < 5; ++Round) {
    // Written 100 times, by both.
    volatile char *P = written();
    for (int I = 0; I < 60; ++I)
      P[I * 8] = 1;
    library_write(P, 40);
    library_free((char *)P);

    char *Q = library_make();
    library_write(Q, 36);
    free(Q);

    Q = realloc(library_make(), 1000);
    Q = library_grow(Q, 2000);
    if (malloc_usable_size(Q) != 2000)
      return 1;
    library_free(Q);
  }
  return 0;
}

#endif
