// Loaded before libc: says at each fork whether a timer is to send this process
// a signal later.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

pid_t fork(void) {
  struct itimerval Left = {};
  getitimer(ITIMER_REAL, &Left);
  const int Runs = Left.it_value.tv_sec || Left.it_value.tv_usec;
  dprintf(STDERR_FILENO, "fork: %s\n", Runs ? "a timer runs" : "no timer");
  return ((pid_t (*)(void))dlsym(RTLD_NEXT, "fork"))();
}
