// A program says itself where its profiles go, by the functions that LLVM's
// runtime has for it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for options in continuous=0 continuous=1; do for mode in -pie -static; do %clang --config=%generate-cfg -O1 -fno-builtin -w $mode %s -o program && env MEMPROF_OPTIONS=log_path=%t/first:$options ./program %t/second %t/third 2> errors && for file in first second third; do %thermo-profdata show %t/$file.[0-9]* && rm %t/$file.[0-9]* || exit 1; done && %thermo-profdata show descriptor && rm descriptor || exit 1; done || exit 1; done | grep Bytes: | %FileCheck %s
// The first dump; that and one more; to a descriptor; what ends later, too.
// CHECK: Bytes: 1.0 KiB
// CHECK-NEXT: Bytes: 3.0 KiB
// CHECK-NEXT: Bytes: 10.0 KiB
// CHECK-NEXT: Bytes: 6.0 KiB
//
// RUN: %not --crash ./program wrong 2>&1 | %FileCheck %s --check-prefix=DEATH
// DEATH: {{^}}on error
// DEATH-NEXT: {{^}}on death
// DEATH-NEXT: {{^}}Thermocline: free(): the allocation was freed before

#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/memprof_interface.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile P;

static void use(size_t Size) {
  P = malloc(Size);
  free(P);
}

void __memprof_on_error(void) { write(2, "on error\n", 9); }
static void onDeath(void) { write(2, "on death\n", 9); }

int main(int Count, char **Arguments) {
  if (Count == 2) {
    __sanitizer_set_death_callback(onDeath);
    use(1);
    free(P);
  }
  use(1024);
  if (__memprof_profile_dump() != 0)
    return 1;
  __sanitizer_set_report_path(Arguments[1]);
  char Expected[4096];
  snprintf(Expected, sizeof(Expected), "%s.%d", Arguments[1], getpid());
  if (strcmp(__sanitizer_get_report_path(), Expected) != 0)
    return 2;
  use(2048);
  if (__memprof_profile_dump() != 0)
    return 3;
  int Descriptor = open("descriptor", O_WRONLY | O_CREAT, 0666);
  __sanitizer_set_report_fd((void *)(intptr_t)Descriptor);
  use(3072);
  if (__memprof_profile_dump() != 0)
    return 4;
  close(Descriptor);
  __sanitizer_set_report_path(Arguments[2]);
  __sanitizer_sandbox_on_notify(NULL);
  use(4096);
  return 0;
}
