// A process ends when its last thread has ended by the system call alone. The
// thread that looks at watched objects is not known to libc, and goes with it.
//
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -fno-builtin %s -o program
// RUN: timeout 100 env LD_PRELOAD=%preload MEMPROF_OPTIONS=page_touches=1:log_path=%t/raw ./program

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  for (int I = 0; I != 100; ++I)
    memset(malloc(100), 1, 100);
  syscall(SYS_exit, 0);
}
