// The functions of C23 that free, libc's own names of the malloc family and what
// programs ask of their allocator: all are about the same heap, and a static
// program links.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for mode in -pie -static; do %clang --config=%generate-cfg -O1 -fno-builtin -w $mode %s -o program && env MEMPROF_OPTIONS=log_path=raw:print_text=1 ./program 2> stats && cat raw.* | python3 %S/../Inputs/count_sizes.py 5001 5002 5003 5004 5005 5006 5007 5008 12288 && %FileCheck %s --check-prefix=STATS < stats && rm raw.* || exit 1; done | %FileCheck %s
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -w %s -o program && env MEMPROF_OPTIONS=dump_at_exit=0:sample=10 ./program sampled
// CHECK-COUNT-2: 5001: 1{{[[:space:]]}}5002: 1{{[[:space:]]}}5003: 1{{[[:space:]]}}5004: 1{{[[:space:]]}}5005: 1{{[[:space:]]}}5006: 1{{[[:space:]]}}5007: 1{{[[:space:]]}}5008: 1{{[[:space:]]}}12288: 1
// STATS: Stats: 3M malloced by {{[0-9]+}} calls

#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void *__libc_valloc(size_t);
void *__libc_pvalloc(size_t);
void __libc_free(void *);

int main(int Count, char **Arguments) {
  free_sized(malloc(5001), 5001);
  free_sized(NULL, 0);
  free_aligned_sized(aligned_alloc(64, 5002), 64, 5002);
  free(__libc_malloc(5003));
  char *Zeros = __libc_calloc(1, 5004);
  if (Zeros[5003])
    return 1;
  free(Zeros);
  __libc_free(__libc_realloc(__libc_malloc(5005), 5006));
  free(__libc_memalign(64, 5007));
  free(__libc_valloc(5008));
  free(__libc_pvalloc(12287));

  // With sampling these are libc's.
  int IsSampled = Count > 1;
  size_t Before = mallinfo2().uordblks;
  char *volatile Large = malloc(3 << 20);
  struct mallinfo2 Info = mallinfo2();
  if (!IsSampled &&
      (Info.uordblks != Before + (3 << 20) || Info.hblkhd < 3 << 20) ||
      mallinfo().uordblks != (int)Info.uordblks)
    return 2;
  if (mallopt(M_MMAP_THRESHOLD, 1 << 20) != 1)
    return 3;
  malloc_trim(0);
  char *Text = NULL;
  size_t Size = 0;
  FILE *Stream = open_memstream(&Text, &Size);
  if (malloc_info(0, Stream) != 0 || malloc_info(1, Stream) != EINVAL)
    return 4;
  fclose(Stream);
  if (strncmp(Text, "<malloc version=", 16) != 0)
    return 5;
  malloc_stats();
  return 0;
}
