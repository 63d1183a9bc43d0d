// Programs and libraries that gold has linked find the runtime where it was.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: link="%clang --config=%build/config/thermocline-generate-gold.cfg -O1 -fno-builtin -fPIC"
// RUN: $link -shared -DLIBRARY %s -o libpart.so
// RUN: for kind in -pie -no-pie; do \
// RUN:   $link $kind %s ./libpart.so -o program && env -u LD_LIBRARY_PATH MEMPROF_OPTIONS=log_path=stdout:print_text=1:print_terse=1 ./program | %FileCheck %s || exit 1; \
// RUN: done
// CHECK: MIB:
// RUN: $link -c %s -o main.o && $link -c -DLIBRARY %s -o part.o && $link -static main.o part.o -o program > messages 2>&1 && env MEMPROF_OPTIONS=log_path=stdout:print_text=1:print_terse=1 ./program | %FileCheck %s

#include <stdlib.h>

void *make(void);

#ifdef LIBRARY
void *make(void) { return malloc(100); }
#else
int main(void) {
  free(make());
  return 0;
}
#endif
