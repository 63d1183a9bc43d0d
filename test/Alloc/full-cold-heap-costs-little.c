/* When the cold heap has no room left, hinted calls do not ask for some each
   time: they neither give back memory of the ordinary heap, nor read how many
   addresses the process has. What is freed in the cold heap is given out again.

   RUN: %clang -O1 -fno-builtin %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: env THERMOCLINE_ALLOC_COLD_MIB=16 %t | %FileCheck %s
   RUN: %t limit | %FileCheck %s
   CHECK: few system calls
   CHECK-NEXT: cold again
   CHECK-NEXT: longer again
*/

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void *malloc_cold(size_t size);
void *realloc_cold(void *object, size_t size);
int thermocline_alloc_is_cold(const void *memory);

enum { MOST = 1 << 20, CALLS = 100000, LARGE = 40000, MIB = 1 << 20 };

static unsigned calls;

/* All of these are in front of libc's. */
int madvise(void *start, size_t bytes, int advice) {
  ++calls;
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

int open(const char *name, int flags, ...) {
  ++calls;
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  return (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
}

void *mmap(void *place, size_t size, int rights, int flags, int file,
           off_t offset) {
  ++calls;
  return (void *)syscall(SYS_mmap, place, size, rights, flags, file, offset);
}

static void *objects[MOST];
static int count;

/* Fills the cold heap with objects of this size, or of this and more. */
static void fill(size_t size) {
  for (;;) {
    void *object = malloc_cold(size);
    if (!object || count == MOST)
      abort();
    if (!thermocline_alloc_is_cold(object)) {
      free(object);
      return;
    }
    objects[count++] = object;
  }
}

int main(int argument_count, char **arguments) {
  (void)arguments;
  if (argument_count > 1) {
    struct rlimit limit = {256 * MIB, 256 * MIB};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
      abort();
  }
  /* Memory of the ordinary heap that could go back. */
  enum { ORDINARY = 300 };
  void *ordinary[ORDINARY];
  for (int i = 0; i != ORDINARY; ++i)
    ordinary[i] = memset(malloc(100000), 1, 100000);
  for (int i = 0; i != ORDINARY; ++i)
    if (i % 4)
      free(ordinary[i]);

  fill(LARGE);
  int large = count;
  fill(4096);
  fill(64);
  calls = 0;
  for (int i = 0; i != CALLS; ++i) {
    char *object = malloc_cold(i % 2 ? 64 : LARGE);
    if (!object || thermocline_alloc_is_cold(object))
      abort();
    free(object);
  }
  if (calls <= CALLS / 50)
    puts("few system calls");
  else
    printf("%u system calls\n", calls);

  /* Two neighbours. */
  free(objects[large / 2]);
  free(objects[large / 2 + 1]);
  char *again = malloc_cold(LARGE);
  puts(thermocline_alloc_is_cold(again) ? "cold again" : "not cold");
  again = realloc_cold(again, LARGE + 4000);
  puts(thermocline_alloc_is_cold(again) ? "longer again" : "not cold");
  return 0;
}
