/* An allocator that counts its cold calls and prints their number at exit. */
#include <stdio.h>
#include <stdlib.h>

static int Calls;

void *malloc_cold(size_t Size) {
  ++Calls;
  return malloc(Size);
}

__attribute__((destructor)) static void print(void) {
  printf("cold calls %d\n", Calls);
}
