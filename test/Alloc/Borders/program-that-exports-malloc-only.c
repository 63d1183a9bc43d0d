// Libraries find the allocator of a program that exports malloc and its kin, but
// not the allocator's own symbols.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: echo '{ global: mal*; calloc; realloc; free; local: *; };' > script
// RUN: %clang -O1 -fPIC -shared -DLIBRARY %s %libhints -o library.so
// RUN: for linker in lld gold mold; do \
// RUN:   %clang -O1 -fuse-ld=$linker %s %liballoc -lm -Wl,--version-script=script -Wl,--gc-sections -o program && \
// RUN:   env THERMOCLINE_ALLOC_STATS=1 ./program 2>&1 | %FileCheck %s || { echo by $linker; exit 1; }; done
// RUN: for linker in lld bfd gold mold; do for kind in -pie -no-pie; do \
// RUN:   %clang -O1 -fuse-ld=$linker $kind %s %liballoc -lm -o program && \
// RUN:   %llvm-nm -D program > symbols && %not grep thermocline_alloc_hints symbols && \
// RUN:   env THERMOCLINE_ALLOC_STATS=1 ./program 2>&1 | %FileCheck %s || { echo by $linker; exit 1; }; done; done
// CHECK: kind=malloc calls=1 bytes=1000 cold_calls=1 cold_bytes=1000
// CHECK-NOT: warning
//
// Without the note, which a linker may be told to drop, they get ordinary memory.
// RUN: %llvm-objcopy --remove-section=.note.thermocline %liballoc alloc.a
// RUN: %clang -O1 %s alloc.a -lm -o program && env THERMOCLINE_ALLOC_STATS=1 ./program 2>&1 | %FileCheck %s --check-prefix=LOST
// LOST-NOT: cold_calls={{[1-9]}}
//
// One without an allocator has no table, and the library's calls are plain ones.
// RUN: %clang -O1 %s -o program && ./program

#include <dlfcn.h>
#include <stdlib.h>

void *malloc_cold(size_t);

#ifdef LIBRARY
void *make(void) { return malloc_cold(1000); }
#else
int main(void) {
  void *Library = dlopen("./library.so", RTLD_NOW);
  if (!Library)
    return 1;
  void *(*Make)(void) = (void *(*)(void))dlsym(Library, "make");
  char *Memory = Make();
  Memory[999] = 1;
  free(Memory);
  return 0;
}
#endif
