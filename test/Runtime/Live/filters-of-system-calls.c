// A filter of system calls may kill the thread that looks at watched objects,
// and it alone, while it has a lock. The program goes on, can fork, and ends
// with a message and a profile that does not say when memory is touched. So it
// is if the filter comes while the thread runs, and of a child if the filter
// was there before. A filter that refuses what the thread asks for has the same
// end.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -gmlt -fdebug-info-for-profiling -Wl,--build-id %s -o program
// DEFINE: %{run} = timeout -s KILL 100 env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:page_touches=1:log_path=%t/raw ./program
// DEFINE: %{show} = for f in raw.*; do %thermo-profdata show --all --binary=program $f > $f.shown || exit 1; done
// RUN: %{run} present > said 2>&1 && %FileCheck %s --input-file=said
// CHECK:      Thermocline: the thread that looks when memory is touched was killed, as by a filter of system calls: the profile does not say when{{$}}
// CHECK-NEXT: child: 0
// CHECK-NEXT: Thermocline: the thread that looks when memory is touched was killed
// RUN: %{show} && grep -l 'allocate (' *.shown | wc -l | grep -x 2 && %not grep 'objects touched' *.shown
// So may the thread that writes continuously, in the child as well.
// RUN: rm raw.*; timeout -s KILL 100 env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:continuous=1:sync_interval_ms=5:log_path=%t/raw ./program present > said 2>&1 && %FileCheck %s --input-file=said --check-prefix=WRITER
// WRITER:      Thermocline: the thread that writes profiles was killed, as by a filter of system calls: the profile is that of the end only{{$}}
// WRITER-NEXT: child: 0
// WRITER-NEXT: Thermocline: the thread that writes profiles was killed
// RUN: %{show} && grep -l 'allocate (' *.shown | wc -l | grep -x 2 && grep -x 'Allocations: *[0-9]*' *.shown | wc -l | grep -x 2
// RUN: rm -f *.shown
// RUN: rm raw.*; %{run} later > said 2>&1 && %FileCheck %s --input-file=said --check-prefix=LATER
// LATER:      Thermocline: the thread that looks when memory is touched was killed
// LATER-NEXT: child: 0
// LATER-NOT:  {{.}}
// RUN: %{show} && grep -l 'allocate (' *.shown | wc -l | grep -x 2 && grep -l 'objects touched' *.shown | wc -l | grep -x 1
// RUN: rm raw.*; %{run} refused 2>&1 | cat > said && %FileCheck %s --input-file=said --check-prefix=REFUSED
// REFUSED:      Thermocline: the kernel does not take pages out of the page table any more: the profile does not say when memory is touched
// REFUSED-NEXT: child: 0
// RUN: %{show} && grep -l 'allocate (' *.shown | wc -l | grep -x 2 && %not grep 'objects touched' *.shown
// A filter may end the process for how it says that elsewhere. What it cannot
// say to a file is said at the end.
// RUN: %{run} refused silently > said 2>&1 && %FileCheck %s --input-file=said --check-prefix=KEPT
// KEPT:      child: 0
// KEPT-NEXT: Thermocline: the kernel does not take pages out of the page table any more: the profile does not say when memory is touched{{$}}
// KEPT-NOT:  {{.}}
// RUN: %{run} refused silently 2>&1 | cat > said && %FileCheck %s --input-file=said --check-prefix=REFUSED

#include "../Inputs/filter_calls.h"
#include "../Inputs/pass_time.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *Objects[100];

static void allocate(void) {
  for (int I = 0; I != 100; ++I) {
    free(Objects[I]);
    Objects[I] = memset(malloc(64), 1, 64);
  }
  passMilliseconds(20);
}

int main(int Count, char **Arguments) {
  int Status = 0;
  allocate();
  if (Count == 3)
    filterCall(SYS_pidfd_getfd, SECCOMP_RET_KILL_PROCESS,
               SECCOMP_FILTER_FLAG_TSYNC);
  // The thread reads /proc by the one call, and takes pages out by the other.
  if (!strcmp(Arguments[1], "present"))
    filterCall(SYS_pread64, SECCOMP_RET_KILL_THREAD, SECCOMP_FILTER_FLAG_TSYNC);
  else if (!strcmp(Arguments[1], "later"))
    filterCall(SYS_pread64, SECCOMP_RET_KILL_THREAD, 0);
  else
    filterCall(SYS_madvise, SECCOMP_RET_ERRNO | EPERM,
               SECCOMP_FILTER_FLAG_TSYNC);
  allocate();
  if (fork() == 0) {
    allocate();
    return 0;
  }
  wait(&Status);
  printf("child: %d\n", Status);
  fflush(stdout);
  allocate();
  return 0;
}
