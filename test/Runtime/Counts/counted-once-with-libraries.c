// Where libraries were linked with the runtime, too, what a copying function
// accesses is counted once, and what sampling passes on goes to libc.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-sampling-cfg -O1 -DNAME=first -fPIC -shared %s -o liba.so
// RUN: %clang --config=%generate-sampling-cfg -O1 -DNAME=second -fPIC -shared %s -o libb.so
// RUN: %clang --config=%generate-sampling-cfg -O1 %s -L. -la -lb -Wl,-rpath,%t -o program
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=stdout ./program >exact.txt 2>&1
// RUN: %FileCheck %s <exact.txt
// RUN: env MEMPROF_OPTIONS=sample=3:print_text=1:log_path=stdout ./program >sampled.txt 2>&1
// RUN: %FileCheck %s --check-prefix=SAMPLED --implicit-check-not=taken <sampled.txt
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef NAME

void *NAME(size_t Size) { return malloc(Size); }

#else

void *first(size_t Size);
void *second(size_t Size);

int main(int Count, char **Arguments) {
  enum { Size = 800 };
  // 100 for each of the 10 copies, of 8 bytes an access.
  // CHECK: alloc_count 7, size (ave/min/max) 800.00 / 800 / 800
  // CHECK-NEXT: access_count (ave/min/max): 1000.00 / 1000 / 1000
  // CHECK: alloc_count 7, size (ave/min/max) 800.00 / 800 / 800
  // CHECK-NEXT: access_count (ave/min/max): 1000.00 / 1000 / 1000
  for (int I = 0; I < 7; ++I) {
    char *volatile From = first(Size), *volatile To = second(Size);
    for (int J = 0; J < 10; ++J)
      memcpy(To, From, (size_t)Count * Size);
    free(From);
    free(To);
  }
  // SAMPLED: size (ave/min/max) 900.00 / 900 / 900
  for (int I = 0; I < 3000; ++I) {
    char *volatile Block = first(900);
    Block[0] = 1;
    free(Block);
  }
  // Of libc, whatever the runtime defines; and nobody has failed yet.
  return dlerror() != NULL || dlclose(dlopen(NULL, RTLD_NOW));
}

#endif
