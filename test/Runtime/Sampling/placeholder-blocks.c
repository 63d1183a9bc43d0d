// What is recorded or shadow-tracked has a placeholder block in libc's heap, so
// that all else lies where it would lie without profiler. The placeholder is
// freed when the allocation ends; those of what a library allocates before the
// program starts stay.
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: %clang -O1 -DLIBRARY -shared -fPIC %s -o %t.dir/library.so
// RUN: %clang -O1 --config=%generate-sampling-cfg %s %t.dir/library.so -o %t
// RUN: cd %t.dir && env MEMPROF_OPTIONS=sample=3 %t | %FileCheck %s
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Count = 20000, BlockBytes = 40, ChunkBytes = 48, EarlyBytes = 50000 };

#ifdef LIBRARY

void *allocatedBeforeMain;

__attribute__((constructor)) static void start(void) {
  allocatedBeforeMain = malloc(EarlyBytes);
}

#else

extern void *allocatedBeforeMain;

static int isRecorded(const void *Block) {
  return !((uintptr_t)Block >> 46 & 1);
}

/// Of libc, placeholder blocks among them.
static size_t inUse(void) {
  struct mallinfo2 Info = mallinfo2();
  return Info.uordblks + Info.hblkhd;
}

/// Nobody ever accesses these, so that they are shadow-tracked.
static void untouched(void) {
  static void *volatile Blocks[Count];
  size_t Before = inUse();
  for (int I = 0; I < Count; ++I)
    Blocks[I] = malloc(BlockBytes);
  // What its thread keeps for reuse is in use for libc before.
  long Missing = (long)Count * ChunkBytes - (long)(inUse() - Before);
  // CHECK-DAG: tracked without placeholder: 0
  printf("tracked without placeholder: %d\n", Missing > 64 * ChunkBytes);
  for (int I = 0; I < Count; ++I)
    free(Blocks[I]);
}

/// From the top of the heap, one behind the other, as in glibc's plain heap.
static void layout(void) {
  static char *Blocks[Count];
  int First = -1, Recorded = 0, Wrong = 0;
  for (int I = 0; I < Count; ++I) {
    Blocks[I] = malloc(BlockBytes);
    Blocks[I][0] = 1;
  }
  for (int I = 0; I < Count; ++I)
    if (isRecorded(Blocks[I]))
      ++Recorded;
    else if (First < 0)
      First = I;
    else
      Wrong += Blocks[I] - Blocks[First] != (long)(I - First) * ChunkBytes;
  // CHECK-DAG: hundreds recorded: 1, elsewhere than expected: 0
  printf("hundreds recorded: %d, elsewhere than expected: %d\n", Recorded > 500,
         Wrong);
  for (int I = 0; I < Count; ++I)
    free(Blocks[I]);
}

static size_t inUseAfter(int Rounds) {
  static void *Blocks[64];
  unsigned Seed = 1;
  for (int I = 0; I < Rounds; ++I) {
    Seed = Seed * 1664525 + 1013904223;
    void **Block = &Blocks[Seed >> 26];
    size_t Size = (Seed >> 8) % 3000 + 1;
    switch (Seed >> 20 & 7) {
    case 0:
      *Block = realloc(*Block, Size);
      break;
    case 1:
      free(*Block);
      *Block = calloc(3, Size);
      break;
    case 2:
      free(*Block);
      if (posix_memalign(Block, 256, Size))
        abort();
      break;
    case 3:
      free(*Block);
      *Block = malloc(Size * 60);
      break;
    default:
      free(*Block);
      *Block = malloc(Size);
    }
    memset(*Block, 1, Size);
  }
  for (int I = 0; I < 64; ++I) {
    free(Blocks[I]);
    Blocks[I] = NULL;
  }
  return inUse();
}

int main(void) {
  // CHECK-DAG: placeholder of what came before main: 1
  printf("placeholder of what came before main: %d\n",
         isRecorded(allocatedBeforeMain) && inUse() >= EarlyBytes);
  layout();
  untouched();
  size_t Few = inUseAfter(1000), Many = inUseAfter(300000);
  // CHECK-DAG: left behind: 0
  printf("left behind: %d\n", Many > Few + (1 << 20));
  return 0;
}

#endif
