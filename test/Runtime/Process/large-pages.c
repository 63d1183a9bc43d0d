// Kernels for AArch64 may have larger pages, of up to 64 KiB. (The program says
// here itself what the kernel would: memory is mapped and given back by whole
// pages of that size, also where they are smaller.) A program that is profiled
// where they are larger still ends with a message.
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o %t && %clang --config=%generate-cfg -O1 -fno-builtin -DKIB=128 %s -o %t.larger
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1 %t | %FileCheck %s
// CHECK-DAG: alloc_count 20, size (ave/min/max) 1000000.00 / 1000000 / 1000000{{[[:space:]]+}}access_count (ave/min/max): 15625.00 / 15625 / 15625
// CHECK-DAG: alloc_count 20, size (ave/min/max) 65536.00 / 65536 / 65536{{[[:space:]]+}}access_count (ave/min/max): 1.00 / 1 / 1
// RUN: %not --crash %t.larger 2>&1 | %FileCheck %s --check-prefix=LARGER
// LARGER: {{^}}Thermocline: programs can be profiled only where memory has pages of up to 64 KiB: this kernel's have 128 KiB{{$}}

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef KIB
#define KIB 64
#endif

unsigned long getauxval(unsigned long Type) {
  return Type == AT_PAGESZ ? KIB * 1024 : 0;
}

int main(void) {
  for (int I = 0; I != 20; ++I) {
    char *volatile Large = malloc(1000000);
    for (int I = 0; I < 1000000; I += 64)
      Large[I] = 1;
    free(Large);
    char *volatile Page = valloc(1);
    if ((uintptr_t)Page % 65536)
      return 1;
    free(Page);
    char *volatile Rounded = pvalloc(1);
    *Rounded = 1;
    if (malloc_usable_size(Rounded) != 65536)
      return 2;
    free(Rounded);
  }
  return 0;
}
