// While a process is profiled, an object of more than a MiB is the profiler's,
// by whatever function: the allocator takes no addresses for it as well.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin %s -I%srcroot/runtime/alloc/include %liballoc -lm -o program
// RUN: env MEMPROF_OPTIONS=sample=5:log_path=%t/raw LD_PRELOAD=%preload ./program | %FileCheck %s --check-prefixes=CHECK,PROFILED
// RUN: env MEMPROF_OPTIONS=page_touches=1:sample=5:log_path=%t/raw LD_PRELOAD=%preload ./program | %FileCheck %s --check-prefixes=CHECK,PROFILED
// RUN: ./program | %FileCheck %s --check-prefixes=CHECK,ALONE
// PROFILED:   malloc: no addresses
// ALONE:      malloc: takes addresses
// PROFILED:   calloc: no addresses
// ALONE:      calloc: takes addresses
// PROFILED:   memalign: no addresses
// ALONE:      memalign: takes addresses
// PROFILED:   posix_memalign: no addresses
// ALONE:      posix_memalign: takes addresses
// CHECK-NEXT: errors: 22 22 0

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIZE = 64 << 20, ALIGNMENT = 4096 };

static size_t Mapped;

// In front of libc's: the allocator's, and not the profiler's, comes here.
void *mmap(void *Place, size_t Size, int Rights, int Flags, int File,
           off_t Offset) {
  Mapped += Size;
  return (void *)syscall(SYS_mmap, Place, Size, Rights, Flags, File, Offset);
}

static void say(const char *Function, void *Object) {
  if (!Object)
    abort();
  printf("%s: %s\n", Function,
         Mapped >= SIZE ? "takes addresses" : "no addresses");
  Mapped = 0;
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  void *Object = NULL;
  Mapped = 0;
  say("malloc", malloc(SIZE));
  say("calloc", calloc(1, SIZE));
  say("memalign", memalign(ALIGNMENT, SIZE));
  int Error = posix_memalign(&Object, ALIGNMENT, SIZE);
  if ((uintptr_t)Object % ALIGNMENT != 0)
    return 1;
  say("posix_memalign", Object);
  // Alignments that are none.
  void *None = NULL;
  int Third = posix_memalign(&None, 24, SIZE);
  printf("errors: %d %d %d\n", posix_memalign(&None, 4, SIZE), Third, Error);
  return None != NULL;
}
