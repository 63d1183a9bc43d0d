/* A program may carry settings of its own, also through link-time optimization,
   in a static program, and for the shared library. The environment goes before
   them, but not for programs with more rights than who started them.

   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include -DOPTIONS='" cold_mib=0  cold_nodes=0"' -c %s -o %t.o
   RUN: %clang %t.o %liballoc -lm -fuse-ld=lld -o %t
   RUN: %t 2>&1 | %FileCheck %s --check-prefix=OFF
   RUN: env THERMOCLINE_ALLOC_COLD_MIB= %t 2>&1 | %FileCheck %s --check-prefix=OFF
   RUN: env THERMOCLINE_ALLOC_COLD_MIB=64 %t 2>&1 | %FileCheck %s --check-prefix=ON
   RUN: env THERMOCLINE_ALLOC_COLD_MIB=64 python3 %S/../Runtime/Inputs/run_with_more_rights.py %t | %FileCheck %s --check-prefix=OFF
   RUN: for linker in lld bfd gold mold; do \
   RUN:   %clang %t.o -fuse-ld=$linker -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.shared && %t.shared 2>&1 | %FileCheck %s --check-prefix=OFF && \
   RUN:   %clang -static %t.o %liballoc -lm -fuse-ld=$linker -o %t.static && %t.static 2>&1 | %FileCheck %s --check-prefix=OFF || exit 1; done
   RUN: for mode in thin full; do \
   RUN:   %clang -O2 -flto=$mode -fno-builtin -I%srcroot/runtime/alloc/include -DOPTIONS='"cold_mib=0"' %s %liballoc -lm -fuse-ld=lld -o %t.lto && %t.lto 2>&1 | %FileCheck %s --check-prefix=OFF || exit 1; done

   jemalloc's options, of both heaps.
   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include -DOPTIONS='"malloc_conf=stats_print:true,narenas:3 cold_mib=64"' %s %liballoc -lm -fuse-ld=lld -o %t.conf
   RUN: %t.conf 2>&1 | %FileCheck %s --check-prefix=CONF
   RUN: env MALLOC_CONF=narenas:5 %t.conf 2>&1 | %FileCheck %s --check-prefix=MORE
   CONF-COUNT-2: opt.narenas: 3
   MORE-COUNT-2: opt.narenas: 5

   What cannot be is said, and the program runs. The last of a name holds.
   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include -DOPTIONS='"huge_pages=maybe cold_mib cold_mib=0 swap=1 cold_mib=few cold_advice="' %s %liballoc -lm -fuse-ld=lld -o %t.bad
   RUN: %t.bad 2>&1 | %FileCheck %s --check-prefix=BAD
   BAD: error: thermocline_alloc_options: no option 'cold_mib'{{$}}
   BAD-NEXT: error: thermocline_alloc_options: no option 'swap=1'{{$}}
   BAD-NEXT: error: thermocline_alloc_options: huge_pages=maybe is none of 0, 1 and auto{{$}}
   BAD-NEXT: error: thermocline_alloc_options: cold_mib=few is not a number of MiB; using 65536{{$}}
   BAD-NEXT: cold: 1
   RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include -DOPTIONS=0 %s %liballoc -lm -fuse-ld=lld -o %t.null
   RUN: %t.null 2>&1 | %FileCheck %s --check-prefix=ON
   OFF-NOT: error
   OFF: cold: 0
   ON-NOT: error
   ON: cold: 1
*/

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <stdio.h>
#include <stdlib.h>

const char *thermocline_alloc_options = OPTIONS;

int main(void) {
  void *memory = malloc_cold(10);
  printf("cold: %d\n", thermocline_alloc_is_cold(memory));
  free(memory);
  return 0;
}
