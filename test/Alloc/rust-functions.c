// What Rust's functions become for cold memory keeps what they promise: alignment,
// zeros, contents, and memory that free takes. With the allocator it is cold, without it
// is ordinary.
//
// RUN: %clang -O1 -I%srcroot/runtime/alloc/include %s %libhints -fuse-ld=lld -o %t.plain && %t.plain 0
// RUN: %clang -O1 -I%srcroot/runtime/alloc/include -DHAS_HEAP %s %liballoc %libhints -lm -fuse-ld=lld -o %t.cold && %t.cold 1
// RUN: %clang -O1 -I%srcroot/runtime/alloc/include -DHAS_HEAP %s %liballoc %libhints -lm -fuse-ld=bfd -o %t.bfd && %t.bfd 1

#include "thermocline/alloc.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__rust_alloc_cold(size_t size, size_t align);
void *__rust_alloc_zeroed_cold(size_t size, size_t align);
void *__rust_realloc_cold(void *ptr, size_t old, size_t align, size_t size);

static int HasHeap;

static void check(const void *P, size_t Size, size_t Align, const char *What) {
#ifdef HAS_HEAP
  int IsCold = thermocline_alloc_is_cold(P);
#else
  int IsCold = 0;
#endif
  if (P && (uintptr_t)P % Align == 0 && IsCold == HasHeap)
    return;
  fprintf(stderr, "%s(%zu, %zu): %p\n", What, Size, Align, P);
  exit(1);
}

int main(int argc, char **argv) {
  HasHeap = atoi(argv[1]);
  for (size_t Align = 1; Align <= 8192; Align *= 2)
    for (size_t Size = 1; Size <= 3000; Size = Size * 3 + 1) {
      char *P = __rust_alloc_cold(Size, Align);
      check(P, Size, Align, "alloc");
      memset(P, 7, Size);
      char *Larger = __rust_realloc_cold(P, Size, Align, 2 * Size);
      check(Larger, 2 * Size, Align, "realloc");
      for (size_t I = 0; I != Size; ++I)
        if (Larger[I] != 7)
          return fprintf(stderr, "realloc lost byte %zu\n", I);
      char *Smaller = __rust_realloc_cold(Larger, 2 * Size, Align, 1);
      check(Smaller, 1, Align, "realloc");
      if (*Smaller != 7)
        return fprintf(stderr, "realloc to less lost a byte\n");
      free(Smaller);
      char *Zero = __rust_alloc_zeroed_cold(Size, Align);
      check(Zero, Size, Align, "alloc_zeroed");
      for (size_t I = 0; I != Size; ++I)
        if (Zero[I])
          return fprintf(stderr, "byte %zu is not zero\n", I);
      memset(Zero, 7, Size);
      free(Zero);
    }
  // Of memory that there is not, null is said, and the old object stays.
  char *Kept = __rust_alloc_cold(40, 32);
  memset(Kept, 7, 40);
  if (__rust_alloc_cold(SIZE_MAX / 2, 1) || __rust_alloc_cold(SIZE_MAX / 2, 64) ||
      __rust_alloc_zeroed_cold(SIZE_MAX / 2, 64) ||
      __rust_realloc_cold(Kept, 40, 32, SIZE_MAX / 2) || Kept[39] != 7)
    return fprintf(stderr, "there is no such memory\n");
  free(Kept);
  return 0;
}
