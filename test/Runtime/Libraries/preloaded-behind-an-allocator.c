// Where the program or a library before the preloaded one has the allocator,
// nothing is recorded. The message says whose it is, as far as that is known,
// and what to do: not what was done already.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin -DALLOCATOR -fPIC -shared %s -o allocator.so
// RUN: %clang -O1 -fno-builtin %s -o plain && %clang -O1 -fno-builtin -no-pie -fno-pic %s -o fixed && %clang -O1 -fno-builtin -DALLOCATOR -DPROGRAM %s -o own
// DEFINE: %{run} = env MEMPROF_OPTIONS=log_path=raw
// RUN: %{run} LD_PRELOAD="$PWD/allocator.so %preload" ./plain 2> said
// RUN: %{run} LD_PRELOAD="$PWD/allocator.so %preload" ./fixed 2>> said
// RUN: %{run} LD_PRELOAD=%preload ./own 2>> said
// RUN: %FileCheck %s --match-full-lines --input-file=said && %not ls raw.*
// CHECK:      Thermocline: malloc is that of {{.*}}/allocator.so in this program: nothing is recorded. A program that has an allocator of its own cannot be profiled like this; a library with one has to come behind {{.*}}/libthermocline_preload.so in LD_PRELOAD
// CHECK-NEXT: Thermocline: malloc is that of another library in this program: nothing is recorded. A program {{.*}}
// CHECK-NEXT: Thermocline: malloc is that of ./own in this program: nothing is recorded. A program {{.*}}
// CHECK-NOT:  {{.}}
// RUN: %{run} LD_PRELOAD="%preload $PWD/allocator.so" ./fixed 2>&1 | wc -c | grep -x 0 && ls raw.*

#include <stdlib.h>

#ifdef ALLOCATOR
/// Each block has its size in front of it, and none is used again.
static _Alignas(16) char Room[1 << 20];
static size_t Used;
void *malloc(size_t Size) {
  const size_t Bytes = (Size + 31) & ~(size_t)15;
  char *Block = Room + Used;
  if (sizeof(Room) - Used < Bytes)
    return NULL;
  Used += Bytes;
  *(size_t *)Block = Size;
  return Block + 16;
}
void *calloc(size_t Count, size_t Size) { return malloc(Count * Size); }
void *realloc(void *Old, size_t Size) {
  char *New = malloc(Size);
  const size_t Before = Old ? ((size_t *)Old)[-2] : 0;
  for (size_t I = 0; New && I != Size && I != Before; ++I)
    New[I] = ((char *)Old)[I];
  return New;
}
void free(void *Object) { (void)Object; }
#endif

#if !defined(ALLOCATOR) || defined(PROGRAM)
// Code that is not to be moved has their addresses, which are stubs then.
void *(*volatile Allocate)(size_t);
void (*volatile Free)(void *);

int main(void) {
  Allocate = malloc;
  Free = free;
  Free(Allocate(100));
}
#endif
