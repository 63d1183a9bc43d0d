/* Both heaps grow, beyond what the cold one starts with, where a filter of
   system calls ends the program for some of them. It may have given up the
   right to call prctl when it started, or to open a file, where it has a limit
   on its address space.

   RUN: %clang -O1 -fno-builtin %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: %t prctl | %FileCheck %s
   RUN: %t openat | %FileCheck %s
   CHECK: grown
*/

#include "../Runtime/Inputs/filter_calls.h"
#include <string.h>
#include <sys/resource.h>

void *malloc_cold(size_t size);
int thermocline_alloc_is_cold(const void *memory);

enum { COUNT = 200, SIZE = 1 << 20 };

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "openat") == 0) {
    struct rlimit limit = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
      return 1;
    filterCall(SYS_openat, SECCOMP_RET_KILL_PROCESS, 0);
  } else {
    filterCall(SYS_prctl, SECCOMP_RET_KILL_PROCESS, 0);
  }
  for (int i = 0; i != COUNT; ++i) {
    void *cold = malloc_cold(SIZE), *ordinary = malloc(SIZE);
    if (!cold || !ordinary || !thermocline_alloc_is_cold(cold))
      return 2;
    memset(cold, 1, SIZE / 256);
  }
  puts("grown");
  return 0;
}
