// A process ends when its last thread has ended by the system call alone: the
// runtime's own threads go with it, be it the one that libc does not know, or
// the one that has descriptors of its own, or both. They block signals, so that
// only KILL would end them.
//
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -fno-builtin %s -o program
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o profiled
// RUN: for options in page_touches=1 sample=1:continuous=1 page_touches=1:continuous=1 dump_signal=10; do timeout -s KILL 100 env LD_PRELOAD=%preload MEMPROF_OPTIONS=$options:log_path=%t/raw ./program || exit 1; done
// RUN: for options in touch_windows=1 continuous=1 touch_windows=0:continuous=1; do timeout -s KILL 100 env MEMPROF_OPTIONS=$options:log_path=%t/raw ./profiled || exit 1; done

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  for (int I = 0; I != 100; ++I)
    memset(malloc(100), 1, 100);
  syscall(SYS_exit, 0);
}
