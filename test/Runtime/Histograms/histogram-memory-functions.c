// What memory and string functions access is added to the counter of each 8
// bytes. (LLVM's runtime adds all that they access in 64 bytes to the first
// counter of these, or to that of another allocation, and lets it overflow into
// the next.) So do the entry points that code compiled with
// -memprof-use-callbacks calls.
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 -fno-builtin -fuse-ld=lld %s -o %t
// RUN: rm -f %t.raw.* && env MEMPROF_OPTIONS=log_path=%t.raw %t
// RUN: %llvm-profdata show --memory --profiled-binary=%t %t.raw.* | %FileCheck %s
// RUN: %clang -gmlt -fdebug-info-for-profiling -fmemory-profile -mllvm -memprof-histogram -mllvm -memprof-use-callbacks -O1 -fno-builtin -c %s -o %t.callbacks.o
// RUN: %clang --config=%generate-cfg -fuse-ld=lld %t.callbacks.o -o %t.callbacks
// RUN: rm -f %t.callbacks.raw.* && env MEMPROF_OPTIONS=log_path=%t.callbacks.raw %t.callbacks
// RUN: %llvm-profdata show --memory --profiled-binary=%t.callbacks %t.callbacks.raw.* | %FileCheck %s

#include <stdlib.h>
#include <string.h>

int main() {
  // CHECK: AccessHistogramValues: 1 1 2 4 2 1 0 0 0 0 0 0 1{{$}}
  char *A = malloc(100);
  memset(A, 1, 41);
  memset(A + 16, 1, 24);
  memmove(A + 24, A + 25, 8);
  *(volatile char *)(A + 99) = 1;

  // CHECK: AccessHistogramValues: 2 1 1 255 0{{$}}
  char *Text = calloc(5, 8);
  memcpy(Text, "twenty-four characters.", 23);
  for (int I = 0; I < 300; ++I)
    memset(Text + 31, 0, 1);
  volatile size_t Length = strnlen(Text, 3);
  free(A);

  // What realloc itself copies is nobody's access.
  // CHECK: AccessHistogramValues: 0{{$}}
  free(realloc(Text, Length + 5));
}
