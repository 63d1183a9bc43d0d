// A shared library built with the config file, linked or loaded later, counts in
// the program's runtime; its calls appear in contexts through its own segment.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx --config=%generate-cfg -O1 -DLIBRARY -fPIC -shared -fuse-ld=lld %s -o %t/liba.so
// RUN: %clangxx --config=%generate-cfg -O1 -fuse-ld=lld %s -L%t -la -Wl,-rpath,%t -o %t/linked
// RUN: %clangxx --config=%generate-cfg -O1 -DLOAD -fuse-ld=lld %s -o %t/loaded
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=stdout %t/linked | %FileCheck %s
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=stdout %t/loaded %t/liba.so | %FileCheck %s
// A program that is not instrumented can use the library, too.
// RUN: %clangxx -O1 -DLOAD %s -o %t/plain
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0 %t/plain %t/liba.so
// CHECK: alloc_count 40, size (ave/min/max) 777.00 / 777 / 777
// CHECK-NEXT: access_count (ave/min/max): 15.00 / 15 / 15

#include <cstdlib>
#include <dlfcn.h>

extern "C" void useLibrary();

#ifdef LIBRARY
extern "C" void useLibrary() {
  volatile char *P[40];
  for (volatile char *&Q : P)
    Q = static_cast<volatile char *>(malloc(777));
  for (volatile char *Q : P)
    for (int I = 0; I < 15; ++I)
      Q[I * 50] = 1;
  for (volatile char *Q : P)
    free(const_cast<char *>(Q));
}
#elif defined(LOAD)
int main(int argc, char **argv) {
  void *Library = dlopen(argv[1], RTLD_NOW);
  if (!Library)
    return 1;
  reinterpret_cast<void (*)()>(dlsym(Library, "useLibrary"))();
}
#else
int main() { useLibrary(); }
#endif
