/* Under a limit on its address space a program gets hinted and ordinary memory
   until there is none, at any limit, and about as much as without the
   allocator. Two heaps begin with some space of their own, 20 MiB or more as
   the kernel places it, which is much of a small limit and little of a large
   one.

   RUN: %clang -O1 -fno-builtin %s -o %t.plain
   RUN: %clang -O1 -fno-builtin -DHINTED %s %liballoc -fuse-ld=lld -o %t.hinted
   RUN: for limit in 60000 80000 113000 160000 260000 400000 540000 777000 1100000 1700000 2600000 4000000; do \
   RUN:   plain=$(ulimit -v $limit; %t.plain) && hinted=$(ulimit -v $limit; %t.hinted) || exit 1; \
   RUN:   echo "of $limit KiB, $plain MiB without and $hinted MiB with the allocator"; \
   RUN:   test $((hinted + 36)) -ge $plain || test $((hinted * 10)) -ge $((plain * 9)) || exit 1; \
   RUN:   test $limit -lt 540000 || test $((hinted * 10)) -ge $((plain * 8)) || exit 1; done
   Programs so small that nothing is left for them end as well.
   RUN: for limit in 10000 11000 13000 16000 20000 26000 33000 45000; do \
   RUN:   (ulimit -v $limit; %t.hinted) || exit 1; done
   A limit that the program itself sets when it runs, and one on its data.
   RUN: %t.hinted as | %FileCheck %s
   RUN: %t.hinted data | %FileCheck %s
   CHECK: {{^[1-9][0-9]*$}}
*/

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#ifdef HINTED
void *malloc_cold(size_t size);
#else
#define malloc_cold malloc
#endif

enum { STEP = 1 << 20 };

int main(int argc, char **argv) {
  if (argc > 1) {
    struct rlimit limit = {256 << 20, 256 << 20};
    setrlimit(strcmp(argv[1], "as") == 0 ? RLIMIT_AS : RLIMIT_DATA, &limit);
  }
  /* One part in eight is cold, and all of it is used. */
  unsigned long count = 0;
  for (;; ++count) {
    char *memory = count % 8 == 0 ? malloc_cold(STEP) : malloc(STEP);
    if (memory == NULL)
      break;
    memory[0] = memory[STEP - 1] = 1;
  }
  /* What is left is too little for that, and for anything at last. */
  for (size_t size = STEP / 2; size >= 16; size /= 2)
    while (malloc_cold(size) && malloc(size))
      ;
  char line[32];
  snprintf(line, sizeof(line), "%lu", count);
  puts(line);
  return 0;
}
