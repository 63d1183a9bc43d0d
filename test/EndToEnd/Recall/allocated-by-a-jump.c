// A function of a shared library that ends in a jump to malloc, as many of
// libstdc++'s do to operator new, is not on the stack: what it allocates for the
// program is counted as allocated inside shared libraries all the same, whatever
// linked the program.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O2 -DLIBRARY -fPIC -shared %s -o library.so
// RUN: for how in -fuse-ld=lld -fuse-ld=bfd -fuse-ld=gold -fuse-ld=mold -fno-plt "-no-pie -fcf-protection"; do \
// RUN:   rm -f raw.*; %clang --config=%generate-cfg -O1 $how %s ./library.so -Wl,-rpath,%build/lib -o program && \
// RUN:   env MEMPROF_OPTIONS=log_path=raw ./program && %thermo-profdata merge --binary=program -o prof raw.* || exit 1; \
// RUN: done | %FileCheck %s
// CHECK-COUNT-6: 1 context, 900 B (45.0 % of bytes) allocated inside shared libraries or code without debug information, where no call can be hinted
// CHECK-NOT: inside shared libraries

#include <stdlib.h>

#ifdef LIBRARY
void *take(size_t Size) { return malloc(Size); }
#else
void *take(size_t Size);
int main(void) {
  void *volatile Own = malloc(1100), *volatile Taken = take(900);
  free(Own);
  free(Taken);
  return 0;
}
#endif
