// Without /proc the options are honoured all the same, from the first allocation
// on, and profiles are written. What cannot be done is said.
// RUN: rm -rf %t && mkdir %t && %clang -O1 %s -o %t/plain -pthread
// DEFINE: %{run} = python3 %S/../Inputs/run_without_proc.py
//
// RUN: for mode in -pie -no-pie -static -static-pie; do %clang --config=%generate-cfg -O1 $mode %s -o %t/program -pthread && mkdir %t/root && env MEMPROF_OPTIONS=log_path=/raw:print_text=1:sync_interval_ms=x %{run} %t/root %t/program 2> %t/errors && %FileCheck %s --check-prefix=BAD < %t/errors && cat %t/root/raw.* | python3 %S/../Inputs/count_sizes.py 11 22 && rm -rf %t/root || exit 1; done | %FileCheck %s
// BAD: {{^}}Thermocline: MEMPROF_OPTIONS: option 'sync_interval_ms' cannot be 'x', ignored
// BAD-NOT: Thermocline
// CHECK-COUNT-4: 11: 1{{[[:space:]]}}22: 1
//
// RUN: mkdir %t/root && env MEMPROF_OPTIONS=log_path=/raw %{run} --preload=%preload %t/root %t/plain
// RUN: %thermo-profdata show %t/root/raw.* | grep 'Allocations: *2$'
//
// There the file has a hidden name until it is whole. If somebody has put a link
// of that name there, what it leads to stays as it is.
// RUN: rm -rf %t/root && mkdir %t/root && echo precious > %t/root/precious
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program -pthread && env MEMPROF_OPTIONS=log_path=/raw %{run} --link=precious:.raw.{pid}.tmp %t/root %t/program
// RUN: grep -x precious %t/root/precious && %thermo-profdata show %t/root/raw.* | grep 'Allocations: *2$' && %not ls %t/root/.raw.*
//
// What rights the program has cannot be seen, which the thread that writes
// continuously must not exceed.
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program -pthread -Wl,--no-as-needed -lgcc_s
// RUN: rm -rf %t/root && mkdir %t/root && env MEMPROF_OPTIONS=test_clock=1:log_path=/raw:continuous=1 timeout 60 python3 %S/../Inputs/run_without_proc.py %t/root %t/program leave 2>&1 | %FileCheck %s --check-prefix=LEAVE
// RUN: %thermo-profdata show %t/root/raw.*
// LEAVE: {{^}}Thermocline: the thread that writes profiles cannot tell, or not give up, the rights that the program gave up: from now on profiles are not written continuously, nor by signals
// LEAVE-NOT: Thermocline

#include "../Inputs/pass_time.h"
#include <pthread.h>
#include <stdlib.h>

static void *volatile Kept;

static void beforeLibc(int Count, char **Arguments, char **Environment) {
  (void)Count, (void)Arguments, (void)Environment;
  Kept = malloc(11);
}
__attribute__((section(".preinit_array"),
               used)) static void (*First)(int, char **, char **) = beforeLibc;

static pthread_t MainThread;

static void *last(void *Nothing) {
  pthread_join(MainThread, NULL);
  passMilliseconds(10);
  return Nothing;
}

int main(int Count, char **Arguments) {
  (void)Arguments;
  Kept = malloc(22);
  if (Count > 1) {
    pthread_t Thread;
    MainThread = pthread_self();
    if (pthread_create(&Thread, NULL, last, NULL) != 0)
      return 1;
    pthread_exit(NULL);
  }
  return 0;
}
