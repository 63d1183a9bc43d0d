/* With the setting, small objects lie one behind the other in the order of
   allocation, whatever their sizes and functions; larger and aligned ones do
   not. The environment or the program asks for it, whatever the linker and the
   sort of library.

   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: %t 0 2>&1 | %FileCheck %s --check-prefix=OFF
   RUN: env THERMOCLINE_ALLOC_ORDER=0 %t 0 2>&1 | %FileCheck %s --check-prefix=OFF
   RUN: env THERMOCLINE_ALLOC_ORDER= %t 0 2>&1 | %FileCheck %s --check-prefix=OFF
   RUN: env THERMOCLINE_ALLOC_ORDER=1 %t 1 2>&1 | %FileCheck %s --check-prefix=ON
   So too without a cold heap, and where the other heaps' settings are others.
   RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_COLD_MIB=0 %t 1 2>&1 | %FileCheck %s --check-prefix=ON
   RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_HUGE_PAGES=0 MALLOC_CONF=tcache:false,dirty_decay_ms:0 %t 1 2>&1 | %FileCheck %s --check-prefix=ON
   RUN: (ulimit -v 100000; env THERMOCLINE_ALLOC_ORDER=1 %t 1) 2>&1 | %FileCheck %s --check-prefix=ON
   RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 %t 1 2>&1 | %FileCheck %s --check-prefix=STATS
   STATS: heap=cold
   STATS-NEXT: heap=order live_bytes={{[1-9][0-9]*}} mapped_bytes={{[1-9][0-9]*}} reserved_bytes={{[1-9][0-9]*}}
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t 0 2>&1 | %FileCheck %s --check-prefix=NOSTATS
   NOSTATS-NOT: heap=order

   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include -DOPTIONS='"cold_mib=64 order=1"' -c %s -o %t.o
   RUN: %clang %t.o %liballoc -lm -fuse-ld=lld -o %t.own
   RUN: %t.own 1 2>&1 | %FileCheck %s --check-prefix=ON
   RUN: env THERMOCLINE_ALLOC_ORDER=0 %t.own 0 2>&1 | %FileCheck %s --check-prefix=OFF
   RUN: env THERMOCLINE_ALLOC_ORDER=0 python3 %S/../../Runtime/Inputs/run_with_more_rights.py %t.own 1 | %FileCheck %s --check-prefix=ON
   RUN: for linker in lld bfd gold mold; do \
   RUN:   %clang %t.o -fuse-ld=$linker -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.shared && %t.shared 1 2>&1 | %FileCheck %s --check-prefix=ON && \
   RUN:   %clang -static %t.o %liballoc -lm -fuse-ld=$linker -o %t.static && %t.static 1 2>&1 | %FileCheck %s --check-prefix=ON || exit 1; done
   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include %s -o %t.plain
   RUN: env THERMOCLINE_ALLOC_ORDER=1 LD_PRELOAD=%build/lib/libthermocline_alloc.so %t.plain 1 2>&1 | %FileCheck %s --check-prefix=ON

   Another value is refused, and the program runs.
   RUN: env THERMOCLINE_ALLOC_ORDER=yes %t 0 2>&1 | %FileCheck %s --check-prefix=BAD
   BAD: error: THERMOCLINE_ALLOC_ORDER=yes is neither 0 nor 1{{$}}
   BAD-NEXT: in order: 0
   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include -DOPTIONS='"order=2"' %s %liballoc -lm -fuse-ld=lld -o %t.bad
   RUN: %t.bad 0 2>&1 | %FileCheck %s --check-prefix=BADOWN
   BADOWN: error: thermocline_alloc_options: order=2 is neither 0 nor 1{{$}}
   BADOWN-NEXT: in order: 0
   OFF-NOT: error
   OFF: in order: 0
   ON-NOT: error
   ON: in order: 1
*/

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPTIONS
const char *thermocline_alloc_options = OPTIONS;
#endif

enum { CHUNK_BYTES = 32 << 10 };

static int in_order;

static void require(int condition, const char *what) {
  if (condition)
    return;
  printf("failed: %s\n", what);
  exit(1);
}

static int follows(void *before, size_t bytes, void *next) {
  return (char *)next == (char *)before + bytes;
}

/* What starts a program may leave freed objects of any size, which malloc gives
   out first; in static programs, as the length of their path has it. No cache
   has more than 200 of a size. What follows begins in an empty chunk. */
static void take_what_is_left(void) {
  for (size_t bytes = 16; bytes <= 1024; bytes += 16)
    for (int i = 0; i != 200; ++i)
      require(malloc(bytes) != NULL, "memory");
  while ((uintptr_t)malloc(16) % CHUNK_BYTES != 0)
    ;
}

static void try_functions(void) {
  void *p = malloc(40), *q = malloc(0), *r = calloc(7, 100), *s = strdup("abc");
  in_order = follows(p, 48, q) && follows(q, 16, r) && follows(r, 704, s);
  if (!in_order)
    return;
  void *t = NULL, *u = malloc(1024);
  require(posix_memalign(&t, 8, 600) == 0 && follows(u, 1024, t), "8 aligned");
  require(posix_memalign(&p, 24, 600) == EINVAL, "24 aligned");
  require(follows(t, 608, aligned_alloc(16, 32)), "16 aligned");
  require(malloc_usable_size(u) == 1024 && malloc_usable_size(t) == 608 &&
              malloc_usable_size(q) == 16,
          "sizes");
  for (int i = 0; i != 700; ++i)
    require(((char *)r)[i] == 0, "calloc");
  errno = 7;
  free(u);
  require(malloc(1024) == u && errno == 7, "what is freed is given out");
  memset(u, 'u', 1024);
  free(u);
  char *zeros = calloc(1, 1010);
  require((void *)zeros == u, "calloc of the same");
  for (int i = 0; i != 1010; ++i)
    require(zeros[i] == 0, "calloc of what was used");
}

static void try_larger(void) {
  char *p = malloc(16), *q = malloc(1025), *r = malloc(16), *s = malloc(16);
  require(q < p - (1 << 20) || q > p + (1 << 20), "larger ones elsewhere");
  require(follows(p, 16, r) || follows(r, 16, s), "and small ones in order");
  q = aligned_alloc(64, 64);
  require((uintptr_t)q % 64 == 0 && (q < p - (1 << 20) || q > p + (1 << 20)),
          "aligned ones elsewhere");
  free(q);
}

static void try_realloc(void) {
  char *p = realloc(NULL, 100), *q = realloc(p, 110);
  require(p == q, "within the granules");
  q = realloc(p, 1000);
  require(p == q && malloc_usable_size(p) == 1008, "the last one grows");
  memset(p, 'p', 1000);
  char *next = malloc(16);
  require(follows(p, 1008, next), "the next one behind it");
  memset(next, 'n', 16);
  q = realloc(p, 900);
  require(q == p, "a little smaller");
  q = realloc(p, 5000);
  require(q != p, "larger than small ones");
  for (int i = 0; i != 900; ++i)
    require(q[i] == 'p', "contents of a larger one");
  p = realloc(q, 60);
  require(p != q && malloc_usable_size(p) == 64, "small again");
  for (int i = 0; i != 60; ++i)
    require(p[i] == 'p', "contents of a smaller one");
  for (int i = 0; i != 16; ++i)
    require(next[i] == 'n', "contents of the neighbour");
  require(realloc(p, 0) == NULL, "realloc to nothing");
  errno = 0;
  require(realloc(next, SIZE_MAX / 2) == NULL && errno == ENOMEM,
          "realloc of too much");
  free(next);
}

int main(int count, char **arguments) {
  const int expected = count > 1 && arguments[1][0] == '1';
  if (expected)
    take_what_is_left();
  try_functions();
  require(in_order == expected, "the setting");
  if (in_order) {
    try_larger();
    try_realloc();
  }
  free(NULL);
  struct mallinfo2 info = mallinfo2();
  require(!in_order || info.uordblks > 2000, "mallinfo2");
  require(malloc_trim(0) == 1, "malloc_trim");
  printf("in order: %d\n", in_order);
  return 0;
}
