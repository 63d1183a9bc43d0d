// A program that runs in one of two times, as some do by where they lie in the
// caches: compare says so.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 %s -o one && %clang -O1 -DTWO %s -o two
// RUN: %thermocline compare ./one ./two --pairs=8 --memory-pairs=0 | %FileCheck %s
// CHECK: wall time
// CHECK-NOT: Runs of ./one
// CHECK: {{^}}Runs of ./two take one of two processor times, near {{[2-9]}}{{.*}} and {{[6-9]}}{{.*}} ms: the ratio depends on how many of each came{{$}}

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  long Milliseconds = 20;
#ifdef TWO
  // A file that grows by a byte in each run.
  int File = open("runs", O_CREAT | O_WRONLY | O_APPEND, 0666);
  if (write(File, "", 1) != 1)
    return 1;
  if (lseek(File, 0, SEEK_CUR) % 2)
    Milliseconds = 60;
#endif
  struct timespec Now;
  do
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  while (Now.tv_sec * 1000 + Now.tv_nsec / 1000000 < Milliseconds);
  return 0;
}
