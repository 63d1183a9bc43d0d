// A program that forbids itself further mappings of memory, or closes all that
// is open, still has small blocks and leaves its profile.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o program
// RUN: for m in memory data files; do env MEMPROF_OPTIONS=log_path=$m ./program $m 2>err && test ! -s err && %llvm-profdata show --memory --profiled-binary=program $m.* || exit 1; done | %FileCheck %s
// CHECK-COUNT-3: AllocCount: 1000

#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int Count, char **Arguments) {
  struct rlimit Limit = {1 << 20, 1 << 20};
  if (Count != 2)
    return 1;
  if (!strcmp(Arguments[1], "files"))
    close_range(0, ~0U, 0);
  else if (setrlimit(!strcmp(Arguments[1], "data") ? RLIMIT_DATA : RLIMIT_AS,
                     &Limit) != 0)
    return 1;
  for (int I = 0; I != 1000; ++I) {
    char *P = malloc(I % 200 * 100);
    if (!P)
      return 1;
    P[0] = 1;
    free(P);
  }
  return 0;
}
