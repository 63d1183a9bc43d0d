// Libraries keep no frame pointers. The calls that the program made into them
// are in its contexts all the same: of what they allocate for the program, and
// of what the program allocates when they call it back. Strings are libstdc++'s
// own here.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx -O2 -fPIC -shared -fomit-frame-pointer -DLIBRARY %s -o library.so
// RUN: %clangxx --config=%generate-cfg -DTHERMOCLINE_EXTERN_TEMPLATES -O1 %s %t/library.so -o program
// RUN: %clangxx --config=%generate-cfg -DTHERMOCLINE_EXTERN_TEMPLATES -O1 -static-libstdc++ -static-libgcc %s %t/library.so -o own-libstdc++
// RUN: %clangxx --config=%generate-cfg -DTHERMOCLINE_EXTERN_TEMPLATES -O1 -static -DSTATIC %s -o static
// RUN: for p in program own-libstdc++ static; do env MEMPROF_OPTIONS=log_path=$p.raw ./$p && %thermo-profdata show --all --binary=$p $p.raw.* > $p.txt; done
// RUN: %FileCheck %s < program.txt --check-prefixes=CHECK,LIBRARY
// RUN: %FileCheck %s < program.txt --check-prefix=WHOLE
// RUN: %FileCheck %s < program.txt --check-prefix=SHORT
// RUN: %FileCheck %s < own-libstdc++.txt --check-prefixes=CHECK,LIBRARY
// RUN: %FileCheck %s < static.txt
//
// By frame pointers alone they are missing.
// RUN: env MEMPROF_OPTIONS=log_path=alone:unwind_tables=0 ./program && %thermo-profdata show --all --binary=program alone.* > alone.txt
// RUN: %not grep -E " (sort|append|firstMake)[(]" alone.txt
//
// The stock tool reads them, too.
// RUN: %llvm-profdata merge --profiled-binary=program program.raw.* -o prof
//
// Whole and in order, with those of the libraries between them.
// WHOLE: 500 B in 1 allocation,
// WHOLE-NEXT: {{^}} compare(void const*, void const*) (program), 
// WHOLE: {{^}} sort(int) (
// WHOLE-NEXT: {{^}} secondSort() (
// WHOLE-NEXT: {{^}} main (
// Names are short, unless they are wanted whole, and paths have no detours.
// RUN: %thermo-profdata show --all --full-names --binary=program program.raw.* | %FileCheck %s --check-prefix=FULL
// SHORT: {{^}} append(std::__cxx11::basic_string<...>&, unsigned long) (program), {{/[^.]*}}/unwind-tables.cpp:
// FULL: {{^}} append(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>&, unsigned long) (program), {{/[^.]*}}/unwind-tables.cpp:
// FULL-NOT: ..{{/}}
// CHECK-DAG: {{^}} firstSort() (
// CHECK-DAG: {{^}} secondSort() (
// CHECK-DAG: {{^}} firstAppend(
// CHECK-DAG: {{^}} secondAppend(
// LIBRARY-DAG: {{^}} firstMake() (
// LIBRARY-DAG: {{^}} secondMake() (
#include <stdlib.h>
#include <string>

extern "C" char *makeBytes(size_t Size);

#ifdef LIBRARY
static __attribute__((noinline)) char *inner(size_t Size, volatile int *A) {
  char *Result = static_cast<char *>(malloc(Size + static_cast<size_t>(*A)));
  *A = 1;
  return Result;
}
char *makeBytes(size_t Size) {
  volatile int A = 0;
  char *Result = inner(Size, &A);
  asm volatile("" : "+r"(Result));
  return Result;
}
#else
#define NOINLINE __attribute__((noinline))

static int Wanted;
static int compare(const void *, const void *) {
  if (Wanted) {
    char *P = static_cast<char *>(malloc(static_cast<size_t>(Wanted)));
    asm volatile("" : "+r"(P));
    free(P);
    Wanted = 0;
  }
  return 0;
}
static void sort(int Size) {
  int Numbers[4] = {4, 3, 2, 1};
  Wanted = Size;
  qsort(Numbers, 4, sizeof(int), compare);
  asm volatile("");
}
NOINLINE static void firstSort() { sort(1001); }
NOINLINE static void secondSort() { sort(500); }

NOINLINE static void append(std::string &To, size_t Size) {
  To.append(Size, 'a');
  asm volatile("");
}
NOINLINE static void firstAppend(std::string &To) { append(To, 3000); }
NOINLINE static void secondAppend(std::string &To) { append(To, 4000); }

#ifndef STATIC
NOINLINE static void firstMake() { free(makeBytes(501)); }
NOINLINE static void secondMake() { free(makeBytes(502)); }
#endif

int main() {
  firstSort();
  secondSort();
  std::string A, B;
  firstAppend(A);
  secondAppend(B);
#ifndef STATIC
  for (int I = 0; I != 100; ++I) {
    firstMake();
    secondMake();
  }
#endif
}
#endif
