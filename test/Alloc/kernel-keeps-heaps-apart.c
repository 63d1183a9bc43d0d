/* What the kernel is asked for the two heaps, as /proc has it: huge pages for
   ordinary objects and none for cold ones, a name for the first of these,
   paging and nodes for cold ones; by calls, and by the environment.

   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: env THERMOCLINE_ALLOC_HUGE_PAGES=0 %t | %FileCheck %s --check-prefix=NONE
   NONE: first: as the system has it, ordinary: as the system has it, cold: as the system has it
   NONE: cold: in use, bound in 0 of 2 parts, named as it can be

   RUN: %t huge-pages | %FileCheck %s --check-prefix=HUGE
   RUN: env THERMOCLINE_ALLOC_HUGE_PAGES=1 %t | %FileCheck %s --check-prefix=HUGE
   HUGE: first: huge pages if there are, ordinary: huge pages if there are, cold: small pages

   By default all but the first part of the ordinary heap.
   RUN: %t | %FileCheck %s --check-prefix=DEFAULT
   RUN: env THERMOCLINE_ALLOC_HUGE_PAGES=auto %t | %FileCheck %s --check-prefix=DEFAULT
   DEFAULT: first: as the system has it, ordinary: huge pages if there are, cold: small pages

   RUN: %t deactivate | %FileCheck %s --check-prefix=IDLE
   RUN: env THERMOCLINE_ALLOC_COLD_ADVICE=deactivate %t | %FileCheck %s --check-prefix=IDLE
   IDLE: cold: mostly not in use
   Without swap, nothing is paged out.
   RUN: %t page-out | %FileCheck %s --check-prefix=OUT
   RUN: env THERMOCLINE_ALLOC_COLD_ADVICE=pageout %t | %FileCheck %s --check-prefix=OUT
   OUT: to be paged out

   RUN: %t bind | %FileCheck %s --check-prefix=BOUND
   RUN: env THERMOCLINE_ALLOC_COLD_NODES=0 %t | %FileCheck %s --check-prefix=BOUND
   BOUND: bound in 2 of 2 parts

   What cannot be is said, once, and the program runs.
   RUN: env THERMOCLINE_ALLOC_HUGE_PAGES=yes THERMOCLINE_ALLOC_COLD_ADVICE=burn THERMOCLINE_ALLOC_COLD_NODES=1-x %t 2>&1 | %FileCheck %s --check-prefix=BAD
   BAD: error: THERMOCLINE_ALLOC_HUGE_PAGES=yes is none of 0, 1 and auto{{$}}
   BAD-NEXT: error: THERMOCLINE_ALLOC_COLD_ADVICE=burn is neither deactivate nor pageout{{$}}
   BAD-NEXT: error: THERMOCLINE_ALLOC_COLD_NODES=1-x is not a list of nodes like 0,2-3{{$}}
   BAD-NEXT: first: as
   RUN: env THERMOCLINE_ALLOC_COLD_NODES=1023 %t 2>&1 | %FileCheck %s --check-prefix=NODE
   NODE: error: cannot bind the cold heap to nodes: Invalid argument{{$}}
   NODE-NEXT: first: as
   RUN: env FAIL=1 THERMOCLINE_ALLOC_COLD_ADVICE=pageout THERMOCLINE_ALLOC_HUGE_PAGES=1 %t > %t.out 2>&1
   RUN: grep -c 'error: cannot advise on the cold heap: Operation not permitted$' %t.out | %FileCheck %s --check-prefix=ONCE
   ONCE: {{^1$}}
   RUN: %t bad-arguments | %FileCheck %s --check-prefix=ARGUMENTS
   ARGUMENTS: 22 22 22
   And there must be a cold heap.
   RUN: env THERMOCLINE_ALLOC_COLD_MIB=0 %t bad-arguments | %FileCheck %s --check-prefix=NOHEAP
   NOHEAP: 95 95 95
*/

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* More than the 64 MiB that the cold range starts with. */
enum { COUNT = 1500, BYTES = 60000 };

static void fail(const char *what) {
  puts(what);
  exit(1);
}

static FILE *open_proc(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file)
    fail(name);
  return file;
}

static const void *paged_out_start;
static size_t paged_out_bytes;

/* In front of libc's. */
int madvise(void *start, size_t bytes, int advice) {
  if (advice == 21 /* MADV_PAGEOUT */) {
    paged_out_start = start;
    paged_out_bytes = bytes;
    if (getenv("FAIL")) {
      errno = EPERM;
      return -1;
    }
  }
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

/* What /proc/self/smaps has of the part of memory with an address. */
struct part {
  unsigned long resident_kib, referenced_kib, swapped_kib;
  int is_huge, is_small, is_named;
};

static struct part part_of(const void *address) {
  struct part found = {0};
  unsigned long start, end, number;
  int is_it = 0;
  char line[512];
  FILE *file = open_proc("/proc/self/smaps");
  while (fgets(line, sizeof(line), file)) {
    if (sscanf(line, "%lx-%lx ", &start, &end) == 2) {
      is_it = (uintptr_t)address >= start && (uintptr_t)address < end;
      if (is_it)
        found.is_named = strstr(line, "[anon:thermocline-cold]") != NULL;
    } else if (!is_it)
      continue;
    else if (sscanf(line, "Rss: %lu", &number) == 1)
      found.resident_kib = number;
    else if (sscanf(line, "Referenced: %lu", &number) == 1)
      found.referenced_kib = number;
    else if (sscanf(line, "Swap: %lu", &number) == 1)
      found.swapped_kib = number;
    else if (strncmp(line, "VmFlags:", 8) == 0) {
      found.is_huge = strstr(line, " hg") != NULL;
      found.is_small = strstr(line, " nh") != NULL;
    }
  }
  fclose(file);
  return found;
}

/* Whether the memory at an address has a policy of its own. */
static int is_bound(const void *address) {
  char line[4096];
  unsigned long start, found = 0;
  int bound = 0;
  FILE *file = open_proc("/proc/self/numa_maps");
  while (fgets(line, sizeof(line), file))
    if (sscanf(line, "%lx ", &start) == 1 && start <= (uintptr_t)address &&
        start >= found) {
      found = start;
      bound = strstr(line, " bind:") != NULL;
    }
  fclose(file);
  return bound;
}

static int kernel_names_memory(void) {
  void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return prctl(0x53564d41 /* PR_SET_VMA */, 0, page, 4096, "x") == 0;
}

static int kernel_has_huge_pages(void) {
  char text[64] = "";
  FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
  if (!file)
    return 0;
  if (!fgets(text, sizeof(text), file))
    fail("cannot read");
  fclose(file);
  return strstr(text, "[never]") == NULL;
}

static void check(int error) {
  if (error != 0)
    fail(strerror(error));
}

int main(int argument_count, char **arguments) {
  const char *mode = argument_count > 1 ? arguments[1] : "";
  const char *setting = getenv("THERMOCLINE_ALLOC_HUGE_PAGES");
  int asks_for_huge =
      strcmp(mode, "huge-pages") == 0 || !setting || strcmp(setting, "0") != 0;
  int asks_for_all =
      strcmp(mode, "huge-pages") == 0 || (setting && strcmp(setting, "1") == 0);
  if (strcmp(mode, "bad-arguments") == 0) {
    int bind = thermocline_alloc_bind_cold("0-");
    printf("%d %d %d\n", thermocline_alloc_advise_cold(7), bind,
           thermocline_alloc_bind_cold("1023"));
    return 0;
  }
  if (strcmp(mode, "huge-pages") == 0 && kernel_has_huge_pages())
    check(thermocline_alloc_use_huge_pages(1));
  if (strcmp(mode, "bind") == 0)
    check(thermocline_alloc_bind_cold("0"));

  static char *cold[COUNT];
  char *first = NULL, *ordinary = NULL;
  for (int i = 0; i != COUNT; ++i) {
    cold[i] = memset(malloc_cold(BYTES), 1, BYTES);
    /* More than what the heap has from its start. */
    ordinary = memset(malloc(BYTES), 1, BYTES);
    if (i == 60)
      first = ordinary;
  }
  if (strcmp(mode, "deactivate") == 0)
    check(thermocline_alloc_advise_cold(THERMOCLINE_ALLOC_DEACTIVATE));
  if (strcmp(mode, "page-out") == 0)
    check(thermocline_alloc_advise_cold(THERMOCLINE_ALLOC_PAGE_OUT));

  struct part first_part = part_of(first), hot_part = part_of(ordinary);
  struct part part = part_of(cold[0]);
  struct part last = part_of(cold[COUNT - 1]);
  int has_huge = asks_for_huge && kernel_has_huge_pages();
  printf("first: %s, ordinary: %s, cold: %s\n",
         first_part.is_huge || (asks_for_all && !has_huge)
             ? "huge pages if there are"
             : "as the system has it",
         hot_part.is_huge || (asks_for_huge && !has_huge)
             ? "huge pages if there are"
             : "as the system has it",
         (part.is_small && last.is_small) || (asks_for_huge && !has_huge)
             ? "small pages"
             : "as the system has it");
  unsigned long all = part.resident_kib + part.swapped_kib;
  printf("cold: %s%s, bound in %d of 2 parts, %s\n",
         part.referenced_kib < all / 2       ? "mostly not in use"
         : part.referenced_kib > all * 3 / 4 ? "in use"
                                             : "half in use",
         (size_t)(cold[0] - (const char *)paged_out_start) < paged_out_bytes
             ? ", to be paged out"
             : "",
         is_bound(cold[0]) + is_bound(cold[COUNT - 1]),
         part.is_named == kernel_names_memory() ? "named as it can be"
                                                : "not named");
  return 0;
}
