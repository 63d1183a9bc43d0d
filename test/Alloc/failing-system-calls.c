/* Whenever the kernel refuses addresses or memory, from some call on, once, or
   every other time, calls give null or memory that can be used, in old threads
   and in such as make their first call then; and no crash.

   RUN: %clang -O1 -fno-builtin -pthread %s %liballoc -fuse-ld=lld -o %t
   RUN: for call in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 20 22 25 30 40 60; do \
   RUN:   for way in from only alternate; do for what in mmap mprotect; do \
   RUN:     env FAIL=$what-$way-$call %t > %t.out || { echo $what $way $call; exit 1; }; done; done; done
   RUN: for call in 0 1 2 3 4 5 6 7 8 9 10 12 15 20; do for way in from only alternate; do \
   RUN:   env THERMOCLINE_ALLOC_ORDER=1 FAIL=mmap-$way-$call %t > %t.out 2>&1 || { echo in order $way $call; exit 1; }; done; done
   The first calls of the process are not spared, and there was something to
   fail.
   RUN: env FAIL=mmap-from-0 %t | %FileCheck %s --check-prefix=NONE
   NONE: 0 objects, 0 cold
   RUN: env FAIL=mmap-from-1000000 %t | %FileCheck %s --check-prefix=ALL
   ALL: 12000 objects, 6000 cold
   RUN: env FAIL=mprotect-from-0 %t | %FileCheck %s --check-prefix=WARM
   WARM: 12000 objects, 0 cold
*/

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *malloc_cold(size_t size);
int thermocline_alloc_is_cold(const void *memory);

/* FAIL=SYSCALL-WAY-NUMBER; constructors of the allocator come before ours. */
static int fails(const char *call) {
  static atomic_int calls;
  const char *text = getenv("FAIL");
  size_t length = strlen(call);
  if (text == NULL || strncmp(text, call, length) || text[length] != '-')
    return 0;
  text += length + 1;
  int number = atomic_fetch_add(&calls, 1);
  int first = atoi(strchr(text, '-') + 1);
  switch (*text) {
  case 'f':
    return number >= first;
  case 'o':
    return number == first;
  default:
    return number >= first && (number - first) % 2 == 0;
  }
}

void *mmap(void *place, size_t size, int rights, int flags, int file,
           off_t offset) {
  if (fails("mmap")) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return (void *)syscall(SYS_mmap, place, size, rights, flags, file, offset);
}

int mprotect(void *place, size_t size, int rights) {
  if (fails("mprotect")) {
    errno = ENOMEM;
    return -1;
  }
  return (int)syscall(SYS_mprotect, place, size, rights);
}

static atomic_int objects, cold;
static atomic_int start;

static void *work(void *unused) {
  (void)unused;
  while (!start)
    sched_yield();
  enum { COUNT = 3000 };
  char **kept = (char **)syscall(SYS_mmap, NULL, COUNT * sizeof(char *),
                                 PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i != COUNT; ++i) {
    size_t size = i % 100 == 0 ? 300000 : (size_t)i % 700 + 1;
    kept[i] = i % 2 ? malloc_cold(size) : malloc(size);
    if (kept[i] == NULL)
      continue;
    memset(kept[i], i, size);
    objects++;
    cold += thermocline_alloc_is_cold(kept[i]);
  }
  for (int i = 0; i != COUNT; ++i)
    if (kept[i] && kept[i][0] != (char)i)
      abort();
    else if (i % 3)
      free(kept[i]);
    else if ((kept[i] = realloc(kept[i], 5000)))
      free(kept[i]);
  return NULL;
}

int main(void) {
  /* Threads have stacks of their own, which are not to fail. */
  static char stacks[4][1 << 18] __attribute__((aligned(4096)));
  pthread_t threads[4];
  int started = 0;
  for (int i = 0; i != 4; ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stacks[i], sizeof(stacks[i]));
    if (pthread_create(&threads[started], &attributes, work, NULL) == 0)
      ++started;
  }
  start = 1;
  for (int i = 0; i != started; ++i)
    pthread_join(threads[i], NULL);
  char text[64];
  int size =
      snprintf(text, sizeof(text), "%d objects, %d cold\n", objects, cold);
  return write(1, text, size) != size;
}
