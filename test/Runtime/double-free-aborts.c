// A double free and a free or realloc of something else end the program with a
// message, as with libc.
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -w %s -o %t
// RUN: %not --crash %t 1 2>&1 | %FileCheck %s --check-prefix=DOUBLE
// RUN: %not --crash %t 2 2>&1 | %FileCheck %s --check-prefix=INSIDE
// RUN: %not --crash %t 3 2>&1 | %FileCheck %s --check-prefix=INSIDE
// RUN: %not --crash %t 4 2>&1 | %FileCheck %s --check-prefix=INSIDE
// RUN: %not --crash %t 5 2>&1 | %FileCheck %s --check-prefix=DOUBLE
// DOUBLE: Thermocline: free(): the allocation was freed before
// INSIDE: Thermocline: free(): not an address from malloc

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  static char Memory[4096];
  char *P = malloc(1000);
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
    P = realloc(Memory + 1024, 1 << 30);
    break;
  case '5':
    free(P);
    P = realloc(P, 100000);
    break;
  }
}
