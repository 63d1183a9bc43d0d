// Parts compiled for histograms and parts that are not count in different places:
// one message says so, and no profile is written, whatever the order of linking,
// and if the other part is a library that is loaded later. A program of one kind
// links with LLVM's runtime, too.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -fPIC -DLIBRARY -c %s -o plain.o
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 -fPIC -DLIBRARY -c %s -o histogram.o
// RUN: %clang --config=%generate-cfg -O1 -c %s -o plain-main.o
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 -c %s -o histogram-main.o
// RUN: %clang -fmemory-profile -mllvm -memprof-histogram -O1 -c %s -o stock-main.o

// RUN: %clang --config=%generate-cfg -fuse-ld=lld histogram.o plain-main.o -o a && env MEMPROF_OPTIONS=log_path=raw ./a 2>&1 | %FileCheck %s
// RUN: %clang --config=%generate-cfg -fuse-ld=lld plain-main.o histogram.o -o b && env MEMPROF_OPTIONS=log_path=raw:continuous=1 ./b 2>&1 | %FileCheck %s
// RUN: %clang --config=%generate-cfg -fuse-ld=lld histogram-main.o plain.o -o c && env MEMPROF_OPTIONS=log_path=raw ./c 2>&1 | %FileCheck %s
// RUN: %clang --config=%generate-cfg -fuse-ld=lld stock-main.o plain.o -o d && env MEMPROF_OPTIONS=log_path=raw ./d 2>&1 | %FileCheck %s
// RUN: %clang --config=%generate-cfg -fuse-ld=lld -shared plain.o -o plain.so
// RUN: %clang --config=%generate-cfg -fuse-ld=lld -DLOADS -Xclang -mllvm -Xclang -thermocline-generate-histogram %s -o e && env MEMPROF_OPTIONS=log_path=raw ./e ./plain.so 2>&1 | %FileCheck %s
// RUN: %not ls raw.*
// CHECK: Thermocline: some parts of this program were compiled for histograms (-thermocline-generate-histogram) and others were not; no profile will be written
// CHECK-NOT: Thermocline

// RUN: %clang --config=%generate-cfg -fuse-ld=lld -shared histogram.o -o histogram.so
// RUN: env MEMPROF_OPTIONS=log_path=raw ./e ./histogram.so
// RUN: %clang --config=%generate-cfg -fuse-ld=lld stock-main.o histogram.o -o f && env MEMPROF_OPTIONS=log_path=raw-f ./f
// RUN: %clang -fmemory-profile -fuse-ld=lld -Wl,--build-id histogram-main.o histogram.o -o g && env MEMPROF_OPTIONS=log_path=raw-g ./g
// RUN: ls raw.* raw-f.* raw-g.*

// Histograms of samples there are none.
// RUN: %not %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -Xclang -mllvm -Xclang -thermocline-generate-sampling -O1 -c %s -o both.o 2>&1 | %FileCheck %s --check-prefix=SAMPLING
// SAMPLING: error: histograms cannot be sampled: -thermocline-generate-histogram and -thermocline-generate-sampling are given

#include <dlfcn.h>
#include <stdlib.h>

void touch(char *P);

#ifdef LIBRARY
void touch(char *P) { P[3] = 1; }
#else
int main(int Count, char **Arguments) {
  char *P = malloc(9);
#ifdef LOADS
  void *Library = dlopen(Arguments[1], RTLD_NOW);
  ((void (*)(char *))dlsym(Library, "touch"))(P);
#else
  touch(P);
#endif
  free(P);
  return 0;
}
#endif
