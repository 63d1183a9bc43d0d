// Allocates, and ends as its first argument says.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

_Bool __thermocline_pass_time(unsigned long microseconds)
    __attribute__((weak));

#ifndef SIZE
#define SIZE 1000
#endif

int main(int argc, char **argv) {
  char *volatile memory = malloc(SIZE);
  memset(memory, 1, SIZE);
  if (!strcmp(argv[1], "fork")) {
    if (!fork())
      return 0;
    wait(0);
    return 0;
  }
  if (!strcmp(argv[1], "wait")) {
    puts("waiting");
    fflush(stdout);
    for (;;)
      pause();
  }
  if (!strcmp(argv[1], "abort"))
    abort();
  if (!strcmp(argv[1], "kill"))
    raise(SIGKILL);
  if (!strcmp(argv[1], "late")) {
    __thermocline_pass_time(500000);
    raise(SIGKILL);
  }
  if (!strcmp(argv[1], "leave"))
    syscall(SYS_exit_group, 0);
  return atoi(argv[1]);
}
