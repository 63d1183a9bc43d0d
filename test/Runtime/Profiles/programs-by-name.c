// Programs that a build runs would leave profiles everywhere. Those of some names
// alone write one, at the end, when they ask for it, and in continuous mode.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang "-thermocline-generate-runtime-options=programs='python,lib*-t*t'" %s -o python
// RUN: for NAME in python3 pythoN ython lib-test lib-a-te lib-a-test-t libtest; do cp python $NAME || exit 1; done
// RUN: ./python && ls memprof.profraw.* && rm memprof.*
// RUN: ./lib-test && ls memprof.profraw.* && rm memprof.*
// RUN: ./lib-a-test-t && ls memprof.profraw.* && rm memprof.*
// RUN: for NAME in python3 pythoN ython lib-a-te libtest; do for OPTIONS in verbosity=1 continuous=1:sync_interval_ms=1; do \
// RUN:   env MEMPROF_OPTIONS=$OPTIONS ./$NAME dump > messages 2>&1 && test ! -s messages || exit 1; done; done
// RUN: ls -a | %not grep profraw
// The environment comes first.
// RUN: env MEMPROF_OPTIONS=programs=* ./python3 && ls memprof.profraw.* && rm memprof.*
// RUN: env MEMPROF_OPTIONS="programs='x y:pytho?'" ./python && ls -a | %not grep profraw

#include <sanitizer/memprof_interface.h>
#include <stdlib.h>

int main(int Count, char **Arguments) {
  char *volatile Block = malloc(100);
  Block[0] = 1;
  if (Count > 1)
    __memprof_profile_dump();
  free(Block);
  return 0;
}
