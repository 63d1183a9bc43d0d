// Objects of -r, which are linked without the config file, make programs of each
// kind with one runtime, by each linker.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -fPIC -c %s -o main.o
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -fPIC -DPART -c %s -o part.o
// RUN: check() { rm -f raw.*; env MEMPROF_OPTIONS=log_path=raw ./program && %thermo-profdata show --all --binary=program $1 raw.* | %FileCheck %s; }
// CHECK: #{{[0-9]}} 200 B in 1 allocation, {{.*}} 0.04 accesses per byte
// CHECK-NEXT: make
// CHECK: #{{[0-9]}} 100 B in 1 allocation, {{.*}} 0.01 accesses per byte
// CHECK-NEXT: {{^}} main (
// RUN: for linker in lld bfd gold mold; do \
// RUN:   for name in main part; do %clang -fuse-ld=$linker -r $name.o -o $name-r.o || exit 1; done; \
// RUN:   link="%clang --config=%generate-cfg -fuse-ld=$linker -Wl,-rpath,%build/lib"; \
// RUN:   for kind in -pie -no-pie -static; do \
// RUN:     $link $kind main-r.o part-r.o -o program && check --binary=program || { echo $linker $kind; exit 1; }; \
// RUN:   done; \
// RUN:   $link -shared part-r.o -o libpart.so && $link main-r.o ./libpart.so -o program && check --library=libpart.so || { echo $linker -shared; exit 1; }; \
// RUN: done

#include <stdlib.h>

char *make(void);

#ifdef PART
char *make(void) {
  volatile char *P = malloc(200);
  for (int I = 0; I < 8; ++I)
    P[I] = 1;
  return (char *)P;
}
#else
int main(void) {
  volatile char *P = malloc(100);
  P[0] = 1;
  free((char *)P);
  free(make());
  return 0;
}
#endif
