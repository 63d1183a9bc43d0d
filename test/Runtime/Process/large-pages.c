// Kernels for AArch64 may have larger pages. A program that is profiled there
// ends with a message. (It says here itself what the kernel would.)
// RUN: %clang --config=%generate-cfg %s -o %t
// RUN: %not --crash %t 2>&1 | %FileCheck %s
// CHECK: {{^}}Thermocline: programs can be profiled only where memory has pages of 4 KiB: this kernel's have 64 KiB{{$}}

#include <sys/auxv.h>

unsigned long getauxval(unsigned long Type) {
  return Type == AT_PAGESZ ? 65536 : 0;
}

int main(void) { return 0; }
