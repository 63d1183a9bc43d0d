// A signal that ends a program in the midst of malloc or free, as it does one
// that allocates all the time, costs no more than the allocation it came upon,
// and no time. The program notes itself how many allocations ended.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o %t/program
// RUN: env MEMPROF_OPTIONS=log_path=%t/text:print_text=1 %t/program > %t/pids
// RUN: python3 %S/Inputs/check_interrupted.py %t/text < %t/pids | %FileCheck %s
// CHECK: 40 profiles right

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  volatile long *Ended = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int Round = 0; Round != 40; ++Round) {
    *Ended = 0;
    pid_t Child = fork();
    if (Child == 0) {
      struct itimerval Soon = {{0, 0}, {0, 2000 + 97 * Round}};
      setitimer(ITIMER_REAL, &Soon, NULL);
      for (size_t I = 0;; ++I) {
        free(I % 2 ? malloc(4001) : calloc(4001, 1));
        ++*Ended;
      }
    }
    int Status;
    waitpid(Child, &Status, 0);
    if (!WIFSIGNALED(Status) || WTERMSIG(Status) != SIGALRM)
      return 1;
    printf("%d %ld\n", (int)Child, *Ended);
  }
  return 0;
}
