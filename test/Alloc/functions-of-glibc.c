/* Every function by which glibc, C23 and C++ give or take memory is the
   allocator's, in both of its forms; each takes what each other gave, cold or
   not.

   RUN: %llvm-nm --defined-only --extern-only --format=just-symbols %liballoc > %t.archive
   RUN: %llvm-nm -D --defined-only --format=just-symbols %build/lib/libthermocline_alloc.so > %t.shared
   RUN: for name in malloc calloc realloc reallocarray free cfree aligned_alloc memalign posix_memalign valloc pvalloc \
   RUN:     malloc_usable_size free_sized free_aligned_sized malloc_trim mallopt malloc_stats malloc_info mallinfo mallinfo2 \
   RUN:     _Znwm _ZnwmRKSt9nothrow_t _ZnwmSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t \
   RUN:     _Znam _ZnamRKSt9nothrow_t _ZnamSt11align_val_t _ZnamSt11align_val_tRKSt9nothrow_t \
   RUN:     _ZdlPv _ZdlPvm _ZdlPvRKSt9nothrow_t _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t _ZdlPvSt11align_val_tRKSt9nothrow_t \
   RUN:     _ZdaPv _ZdaPvm _ZdaPvRKSt9nothrow_t _ZdaPvSt11align_val_t _ZdaPvmSt11align_val_t _ZdaPvSt11align_val_tRKSt9nothrow_t; do \
   RUN:   grep -qx $name %t.archive && grep -qx $name %t.shared || { echo $name; exit 1; }; done
   RUN: %clang -O0 -fno-builtin -Wno-deprecated-declarations -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t.dynamic
   RUN: %clang -O0 -fno-builtin -Wno-deprecated-declarations -I%srcroot/runtime/alloc/include %s -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.so
   RUN: %clang -O0 -fno-builtin -Wno-deprecated-declarations -static -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t.static
   RUN: for program in %t.dynamic %t.so %t.static; do \
   RUN:   env THERMOCLINE_ALLOC_STATS=1 $program 2>&1 | %FileCheck %s && env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 $program 2>&1 | %FileCheck %s || exit 1; done
   CHECK: freed in 100 ways
   CHECK: kind=malloc calls=55 bytes=5500 cold_calls=55 cold_bytes=5500
   CHECK: heap=cold live_bytes=0
*/

#include "thermocline/hints.h"
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void free_sized(void *memory, size_t size);
void free_aligned_sized(void *memory, size_t alignment, size_t size);
void cfree(void *memory);

static void *give(int way) {
  void *memory = NULL;
  switch (way) {
  case 0:
    return malloc(100);
  case 1:
    return calloc(10, 10);
  case 2:
    return realloc(NULL, 100);
  case 3:
    return reallocarray(NULL, 10, 10);
  case 4:
    return aligned_alloc(64, 100);
  case 5:
    return memalign(64, 100);
  case 6:
    return posix_memalign(&memory, 64, 100) ? NULL : memory;
  case 7:
    return valloc(100);
  case 8:
    return pvalloc(100);
  default:
    return malloc_cold(100);
  }
}

static void take(int way, void *memory) {
  switch (way % 5) {
  case 0:
    return free(memory);
  case 1:
    return free_sized(memory, 100);
  case 2:
    return free_aligned_sized(memory, 64, 100);
  case 3:
    return cfree(memory);
  default:
    return free(realloc(memory, 5000));
  }
}

int main(void) {
  int ways = 0;
  for (int from = 0; from != 20; ++from)
    for (int to = 0; to != 5; ++to, ++ways) {
      void *memory = give(from < 9 ? from : 9);
      if (memory == NULL || malloc_usable_size(memory) < 100)
        return 1;
      take(to, memory);
    }

  printf("freed in %d ways\n", ways);
  fflush(stdout);
  /* What speaks of the heap speaks of this one. */
  void *large = malloc(10 << 20);
  if (mallinfo2().uordblks < 10 << 20 || mallinfo().uordblks < 10 << 20)
    return 2;
  free(large);
  if (mallinfo2().uordblks >= 10 << 20)
    return 3;
  if (malloc_trim(0) != 1 || mallopt(M_TRIM_THRESHOLD, 1) != 1)
    return 4;
  FILE *nothing = fopen("/dev/null", "w");
  if (malloc_info(0, nothing) != 0 || malloc_info(1, nothing) != EINVAL)
    return 5;
  fclose(nothing);
  malloc_stats();
  return 0;
}
