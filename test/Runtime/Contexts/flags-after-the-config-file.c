// Flags of a project come after the config file. Frames, unwind tables and calls
// are kept whatever they say, and so contexts are what they are without the flags.
// What cannot be kept is reported.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -Werror -O2 %s -o %t/0
// RUN: %clang --config=%generate-cfg -Werror -O2 -fomit-frame-pointer %s -o %t/1
// RUN: %clang --config=%generate-cfg -Werror -O2 -momit-leaf-frame-pointer -fomit-frame-pointer -foptimize-sibling-calls %s -o %t/2
// RUN: %clang --config=%generate-cfg -Werror -O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables %s -o %t/3
// RUN: %clang --config=%generate-cfg -Werror -O2 -fomit-frame-pointer -foptimize-sibling-calls -flto=thin -fuse-ld=lld %s -o %t/4
// RUN: %clang --config=%generate-cfg -Werror -O2 -mno-omit-leaf-frame-pointer -static %s -o %t/5

// Objects without frame pointers: unwind tables lead through them, up to the code
// that starts programs and threads.
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -funique-internal-linkage-names -fno-optimize-sibling-calls -fomit-frame-pointer -c %s -o %t/plain.o
// RUN: %clang --config=%generate-cfg %t/plain.o -o %t/6
// RUN: %clang --config=%generate-cfg %t/plain.o -static -o %t/7

// RUN: for I in 0 1 2 3 4 5 6 7; do \
// RUN:   env MEMPROF_OPTIONS=log_path=%t/$I.raw %t/$I && \
// RUN:   %thermo-profdata merge --binary=%t/$I -o %t/$I.prof %t/$I.raw.* > /dev/null && \
// RUN:   %thermo-profdata show --binary=%t/$I --function=make %t/$I.prof | grep -E ' [+][0-9]+:' > %t/$I.txt && \
// RUN:   diff %t/0.txt %t/$I.txt || exit 1; done
// RUN: grep -c : %t/0.txt | grep -x 12

// RUN: %clang --config=%generate-cfg -Werror -O2 -c -g0 %s -o %t/g0.o 2>&1 | %FileCheck %s --check-prefix=LINES
// RUN: %clang --config=%generate-cfg -Werror -O2 -c -gline-directives-only %s -o %t/lines.o 2>&1 | %FileCheck %s --check-prefix=LINES
// RUN: %not %clang --config=%generate-cfg -Werror=backend-plugin -O2 -c -g0 %s -o %t/g0.o
// RUN: %clang --config=%generate-cfg -Werror -O2 -c -fno-debug-info-for-profiling %s -o %t/names.o 2>&1 | %FileCheck %s --check-prefix=NAMES
// LINES: warning: thermocline: {{.*}}flags-after-the-config-file.c has no debug information
// NAMES: warning: thermocline: {{.*}}flags-after-the-config-file.c has functions without a linkage name

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static char *make(size_t Size) {
  char *Block = malloc(Size);
  memset(Block, 1, Size);
  return Block;
}
// A tail call, if those were made.
__attribute__((noinline)) char *between(size_t Size) { return make(Size); }
__attribute__((noinline)) char *one(size_t Size) {
  char *Block = between(Size);
  Block[0] = 2;
  return Block;
}
__attribute__((noinline)) char *other(size_t Size) {
  char *Block = between(Size);
  Block[0] = 3;
  return Block;
}
static void *run(void *Argument) { return one(70); }

int main(void) {
  char *A = one(50), *B = other(60);
  pthread_t Thread;
  void *Result;
  if (pthread_create(&Thread, NULL, run, NULL) ||
      pthread_join(Thread, &Result) || !Result)
    return 1;
  return A[0] + B[0] != 5;
}
