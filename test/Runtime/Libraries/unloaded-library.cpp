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
// Libraries come and go two thousand times: each keeps its name, and the
// program does not come near the number of mappings that the kernel allows.
// RUN: env MEMPROF_OPTIONS=log_path=many:continuous=1:sync_interval_ms=1 ./program ./liba.so ./libb.so 2000 2>err && test ! -s err
// RUN: %thermo-profdata merge --binary=libb.so -o b.prof many.* && %thermo-profdata show --all --binary=libb.so b.prof | %FileCheck %s --check-prefix=MANY
// RUN: %thermo-profdata merge --binary=program -o p.prof many.*
// RUN: %llvm-profdata merge --profiled-binary=program many.* -o stock.prof
// MANY: Contexts: 1
// MANY: in 1,000 allocations
// MANY-NEXT: second
//
// If its addresses are used for another one all the same, that is said, once.
// RUN: env MEMPROF_OPTIONS=log_path=raw2 ./program ./liba.so ./libb.so 10 reuse 2>&1 | %FileCheck %s --check-prefix=REUSED
// REUSED: Thermocline: a library was loaded where another one had been unloaded;
// REUSED-NOT: Thermocline
// RUN: %thermo-profdata merge --binary=program -o p.prof raw2.*
// A call at such an address is of neither of them; before, each keeps its own.
// RUN: %thermo-profdata merge --binary=program --binary=liba.so --binary=libb.so -o p.prof raw2.* | %FileCheck %s --check-prefix=SHARED
// RUN: %thermo-profdata merge --binary=. -o d.prof raw2.* && cmp p.prof d.prof && %thermo-profdata show --all p.prof --binary=. | %not grep -E '^    (first|second)'
// RUN: %thermo-profdata merge --quiet --binary=program --binary=liba.so --binary=libb.so -o p.prof raw.* && %thermo-profdata show --all p.prof --binary=. | %FileCheck %s --check-prefix=APART
// SHARED: have a call at an address where several libraries were, one after the other: it is left out
// APART: in 10 allocations
// APART-NEXT: second
// APART: in 4 allocations
// APART-NEXT: first
// APART: in 2 allocations
// APART-NEXT: first
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

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

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
static bool Reuse;

// The end of the library that begins at *Argument.
static int findEnd(dl_phdr_info *Info, size_t, void *Argument) {
  auto *Address = static_cast<uintptr_t *>(Argument);
  if (Info->dlpi_addr != *Address)
    return 0;
  for (int I = 0; I < Info->dlpi_phnum; ++I)
    if (Info->dlpi_phdr[I].p_type == PT_LOAD)
      *Address = Info->dlpi_addr + Info->dlpi_phdr[I].p_vaddr +
                 Info->dlpi_phdr[I].p_memsz;
  return 1;
}

static bool load(const char *Path, int Times) {
  void *Library = dlopen(Path, RTLD_NOW);
  if (!Library)
    return false;
  void *Use = dlsym(Library, "useLibrary");
  reinterpret_cast<void (*)(int)>(Use)(Times);
  Dl_info Info;
  dladdr(Use, &Info);
  auto Begin = reinterpret_cast<uintptr_t>(Info.dli_fbase), End = Begin;
  dl_iterate_phdr(findEnd, &End);
  if (dlclose(Library) != 0 || dlopen(Path, RTLD_NOW | RTLD_NOLOAD))
    return false; // It is not gone.
  return !Reuse || munmap(Info.dli_fbase, End - Begin) == 0;
}

static int countMappings() {
  int Lines = 0;
  FILE *Maps = fopen("/proc/self/maps", "r");
  for (int C; (C = fgetc(Maps)) != EOF;)
    Lines += C == '\n';
  fclose(Maps);
  return Lines;
}

int main(int argc, char **argv) {
  Reuse = argc > 4;
  if (argc > 3) {
    for (int I = 0; I < atoi(argv[3]); ++I)
      if (!load(argv[1 + I % 2], 1))
        return 1;
    return countMappings() > 500;
  }
  // The second time it is the same library at another address.
  return load(argv[1], 2) && load(argv[2], 10) && load(argv[1], 4) ? 0 : 1;
}
#endif
#endif
