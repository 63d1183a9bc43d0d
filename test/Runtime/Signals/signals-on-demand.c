// Signals that the options name write the profile and begin a new round; a
// program may be anywhere then, in malloc too. One signal can do both.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program -pthread
// RUN: cd %t && env MEMPROF_OPTIONS=test_clock=1:log_path=raw:print_text=1:print_terse=1:dump_signal=USR1:reset_signal=SIGUSR2 ./program 10 12 > out
// RUN: cat %t/raw.* | grep /22.00/ | wc -l | %FileCheck %s --check-prefix=ROUNDS
// RUN: cd %t && rm raw.* && env MEMPROF_OPTIONS=test_clock=1:log_path=raw:print_text=1:print_terse=1:dump_signal=10:reset_signal=10 ./program 10 10 > out2
// RUN: cat %t/raw.* | grep /22.00/ | wc -l | %FileCheck %s --check-prefix=ROUNDS
// ROUNDS: {{^}}5
// RUN: %FileCheck %s --input-file=%t/out && %FileCheck %s --input-file=%t/out2
// CHECK: read the whole pipe
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0:dump_signal=KILL:reset_signal=99:dump_signal=SEGV:dump_signal= %t/program 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: MEMPROF_OPTIONS: option 'dump_signal' cannot be 'KILL', ignored
// BAD: MEMPROF_OPTIONS: option 'reset_signal' cannot be '99', ignored
// BAD: MEMPROF_OPTIONS: option 'dump_signal' cannot be 'SEGV', ignored
// BAD: MEMPROF_OPTIONS: option 'dump_signal' cannot be '', ignored

#include "../Inputs/pass_time.h"
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int countFiles(void) {
  int Count = 0;
  DIR *D = opendir(".");
  for (struct dirent *E; (E = readdir(D));)
    Count += strncmp(E->d_name, "raw.", 4) == 0;
  closedir(D);
  return Count;
}

static volatile int Stop;
static void *allocate(void *Unused) {
  while (!Stop)
    free(malloc(11));
  return Unused;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 0;
  pthread_t T;
  pthread_create(&T, NULL, allocate, NULL);
  // The runtime's own thread keeps no end of the program's pipes open.
  int Pipe[2];
  char Byte;
  if (pipe(Pipe) != 0)
    return 1;
  for (int Round = 1; Round <= 4; ++Round) {
    char *volatile P = malloc(22);
    free(P);
    kill(getpid(), atoi(argv[1]));
    passMilliseconds(0);
    if (countFiles() != Round)
      return 1;
    if (strcmp(argv[1], argv[2]) != 0)
      kill(getpid(), atoi(argv[2]));
    passMilliseconds(0);
  }
  char *volatile P = malloc(22);
  free(P);
  close(Pipe[1]);
  if (read(Pipe[0], &Byte, 1) == 0)
    puts("read the whole pipe");
  Stop = 1;
  pthread_join(T, NULL);
  return 0;
}
