// Where the library is preloaded into a service, programs that it starts and
// that are not to be profiled keep the default actions of signals, and have no
// thread of the library's.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin %s -o server && cp server other
// RUN: for program in server other; do \
// RUN:   env MEMPROF_OPTIONS=page_touches=1:sample=10:continuous=1:dump_signal=USR2:programs=server:log_path=%t/raw LD_PRELOAD=%preload ./$program $program || exit 1; \
// RUN: done > said && %FileCheck %s --input-file=said
// CHECK:      server: some signals handled, some threads, also in a child
// CHECK-NEXT: other: no signals handled, no threads, nor in a child
// RUN: ls raw.* | wc -l | grep -x 2

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/// As the kernel says: the program itself sees no handlers.
static int handledSignals(void) {
  char Line[1000];
  unsigned long Signals = 0;
  FILE *File = fopen("/proc/self/status", "r");
  while (File && fgets(Line, sizeof(Line), File))
    sscanf(Line, "SigCgt: %lx", &Signals);
  if (File)
    fclose(File);
  return Signals != 0;
}

static int threadsBeside(void) {
  int Count = 0;
  DIR *Tasks = opendir("/proc/self/task");
  for (struct dirent *Entry; Tasks && (Entry = readdir(Tasks));)
    Count += Entry->d_name[0] != '.';
  return Count - 1;
}

int main(int Count, char **Arguments) {
  for (int I = 0; I != 1000; ++I)
    free(malloc(100));
  pid_t Child = fork();
  if (Child == 0)
    return threadsBeside() != 0;
  int Status = 0;
  if (waitpid(Child, &Status, 0) != Child || !WIFEXITED(Status))
    return 1;
  printf("%s: %s signals handled, %s threads, %s in a child\n",
         Arguments[Count - 1], handledSignals() ? "some" : "no",
         threadsBeside() ? "some" : "no", WEXITSTATUS(Status) ? "also" : "nor");
  return 0;
}
