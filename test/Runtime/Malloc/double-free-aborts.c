// A double free, and a free or realloc of something else, end the program with
// a message that names the function, as with libc.
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin -w -x c++ %s -o %t
// RUN: for case in 1 5 7 8 9 b c; do %not --crash %t $case 2>&1 || exit 1; done | %FileCheck %s --check-prefix=DOUBLE
// DOUBLE: {{^}}Thermocline: free(): the allocation was freed before
// DOUBLE: {{^}}Thermocline: realloc(): the allocation was freed before
// DOUBLE: {{^}}Thermocline: realloc(): the allocation was freed before
// DOUBLE: {{^}}Thermocline: reallocarray(): the allocation was freed before
// DOUBLE: {{^}}Thermocline: operator delete(): the allocation was freed before
// DOUBLE: {{^}}Thermocline: free_sized(): the allocation was freed before
// DOUBLE: {{^}}Thermocline: free_aligned_sized(): the allocation was freed before
// RUN: for case in 2 3 4 6 a; do %not --crash %t $case 2>&1 || exit 1; done | %FileCheck %s --check-prefix=INSIDE
// INSIDE: {{^}}Thermocline: free(): not an address from malloc
// INSIDE: {{^}}Thermocline: free(): not an address from malloc
// INSIDE: {{^}}Thermocline: realloc(): not an address from malloc
// INSIDE: {{^}}Thermocline: free(): not an address from malloc
// INSIDE: {{^}}Thermocline: realloc(): not an address from malloc

#include <stdlib.h>
#include <string.h>

extern "C" {
void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);
}

int main(int argc, char **argv) {
  static char Memory[4096];
  char *P = (char *)malloc(1000);
  switch (argv[1][0]) {
  case '1':
    free(P);
    free(P);
    break;
  case '2':
    free(P + 64);
    break;
  case '3':
    free(Memory + 1000);
    break;
  case '4':
    // What would be its size makes no sense.
    memset(Memory, 0xff, sizeof(Memory));
    P = (char *)realloc(Memory + 1024, 1 << 30);
    break;
  case '5':
    free(P);
    P = (char *)realloc(P, 100000);
    break;
  case '6':
    free(P + 1);
    break;
  case '7':
    // Which ends it only.
    free(P);
    P = (char *)realloc(P, 0);
    break;
  case '8':
    free(P);
    P = (char *)reallocarray(P, 10, 10);
    break;
  case '9':
    free(P);
    operator delete[](P);
    break;
  case 'a':
    // Nor is it one that could be in the heap.
    P = (char *)realloc(Memory + 1025, 10);
    break;
  case 'b':
    free(P);
    free_sized(P, 1000);
    break;
  case 'c':
    free(P);
    free_aligned_sized(P, 1, 1000);
    break;
  }
}
