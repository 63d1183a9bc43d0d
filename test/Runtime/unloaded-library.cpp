// What a library allocated before it was unloaded stays known by its build id,
// even where another is loaded afterwards: that one gets other addresses.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -O1 -DLIBRARY=first -fPIC -shared -fuse-ld=lld %s -o liba.so
// RUN: %clangxx --config=%generate-cfg -O1 -DLIBRARY=second -fPIC -shared -fuse-ld=lld %s -o libb.so
// RUN: %clangxx --config=%generate-cfg -O1 -fuse-ld=lld %s -o program
// RUN: env MEMPROF_OPTIONS=log_path=raw ./program ./liba.so ./libb.so 2>err && test ! -s err
// RUN: %thermo-profdata merge --binary=liba.so -o a.prof raw.* && %thermo-profdata show --all --binary=liba.so a.prof | %FileCheck %s --check-prefix=A
// RUN: %thermo-profdata merge --binary=libb.so -o b.prof raw.* && %thermo-profdata show --all --binary=libb.so b.prof | %FileCheck %s --check-prefix=B
// RUN: %thermo-profdata merge --binary=program -o p.prof raw.* && %thermo-profdata show --all --binary=program p.prof | %FileCheck %s --check-prefix=P
// A: Contexts: 1
// A: in 6 allocations
// A-NEXT: first
// B: Contexts: 1
// B: in 10 allocations
// B-NEXT: second
// P-DAG: load
//
// Many libraries come and go, more than are kept apart: that is said, once.
// RUN: env MEMPROF_OPTIONS=log_path=raw2:continuous=1:sync_interval_ms=1 ./program ./liba.so ./libb.so 1000 2>&1 | %FileCheck %s --check-prefix=MANY
// MANY: Thermocline: a library was loaded where another one had been unloaded;
// MANY-NOT: Thermocline
// RUN: %thermo-profdata merge --binary=program -o p.prof raw2.*
//
// In a static program there is nothing to unload.
// RUN: %clang --config=%generate-cfg -O1 -x c -DSTATIC -static -w %s -o static && env MEMPROF_OPTIONS=log_path=raw3 ./static
// RUN: %thermo-profdata merge --binary=static -o s.prof raw3.*

#ifdef STATIC
#include <stdlib.h>
int main(void) {
  char *volatile P = malloc(10);
  free(P);
  return 0;
}
#else

#include <cstdlib>
#include <dlfcn.h>

#ifdef LIBRARY
extern "C" __attribute__((noinline)) char *LIBRARY() {
  return static_cast<char *>(malloc(111));
}
extern "C" void useLibrary(int Times) {
  for (int I = 0; I < Times; ++I) {
    char *volatile P = LIBRARY();
    free(P);
  }
}
#else
static bool load(const char *Path, int Times) {
  void *Library = dlopen(Path, RTLD_NOW);
  if (!Library)
    return false;
  reinterpret_cast<void (*)(int)>(dlsym(Library, "useLibrary"))(Times);
  return dlclose(Library) == 0 &&
         !dlopen(Path, RTLD_NOW | RTLD_NOLOAD); // It is gone.
}

int main(int argc, char **argv) {
  if (argc > 3) {
    for (int I = 0; I < atoi(argv[3]); ++I)
      if (!load(argv[1 + I % 2], 1))
        return 1;
    return 0;
  }
  // The second time it is the same library at another address.
  return load(argv[1], 2) && load(argv[2], 10) && load(argv[1], 4) ? 0 : 1;
}
#endif
#endif
