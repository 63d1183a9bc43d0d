/* Ordinary objects may lie below the cold range, on the program's break, where
   one comparison does not tell them from cold ones.

   RUN: %clang -O1 -fno-builtin -no-pie -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t
   RUN: env MALLOC_CONF=dss:primary %t | %FileCheck %s
   CHECK: all is well
*/

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 2000 };

static void require(int condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "failed: %s\n", what);
  _exit(1);
}

int main(void) {
  static char *objects[2][COUNT];
  void *cold = malloc_cold(1);
  for (int round = 0; round != 3; ++round) {
    int below = 0;
    for (int i = 0; i != COUNT; ++i) {
      size_t size = 16 << i % 12;
      objects[0][i] = malloc(size);
      objects[1][i] = malloc_cold(size);
      require(objects[0][i] && objects[1][i], "memory");
      below += (uintptr_t)objects[0][i] < (uintptr_t)cold;
      require(!thermocline_alloc_is_cold(objects[0][i]), "an ordinary object");
      require(thermocline_alloc_is_cold(objects[1][i]), "a cold object");
      memset(objects[0][i], i, size);
      memset(objects[1][i], i, size);
    }
    require(below > COUNT / 2, "objects below the range");
    for (int i = 0; i != COUNT; ++i)
      for (int heap = 0; heap != 2; ++heap) {
        char *object = objects[heap][i] =
            realloc(objects[heap][i], 16 << i % 12);
        require(object[0] == (char)i && object[(16 << i % 12) - 1] == (char)i,
                "contents");
        free(object);
      }
  }
  free(NULL);
  puts("all is well");
  return 0;
}
