// The memory for watched objects is large, and the kernel would make all of its
// pages for a core file. So core files leave it out, but for the objects, when
// a signal ends the program. A process that traces another sees what they would
// have, wherever they go on this machine.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -D_GNU_SOURCE -O1 -fno-builtin %s -o program
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:page_touches=1:log_path=%t/raw ./program | %FileCheck %s
// CHECK:      before: 0 of 100 objects, 0 KiB of shared memory
// CHECK-NEXT: at its end: 100 of 100 objects, {{[0-9]?[0-9]?[0-9]?[0-9]}} KiB of shared memory

#include "../Inputs/pass_time.h"
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Number = 100 };

static void look(const char *When, pid_t Process, const uintptr_t *Objects) {
  char Path[100], Line[1000];
  snprintf(Path, sizeof(Path), "/proc/%d/smaps", Process);
  FILE *File = fopen(Path, "r");
  uintptr_t Begin = 0, End = 0;
  int IsShared = 0, Seen = 0;
  size_t Bytes = 0;
  while (fgets(Line, sizeof(Line), File)) {
    char Rights[10];
    uintptr_t First, Last;
    if (sscanf(Line, "%lx-%lx %9s", &First, &Last, Rights) == 3) {
      Begin = First;
      End = Last;
      IsShared = Rights[3] == 's';
      continue;
    }
    // Flags come last of each part of the memory.
    if (strncmp(Line, "VmFlags:", 8) || !IsShared || strstr(Line, " dd "))
      continue;
    Bytes += End - Begin;
    for (int I = 0; I != Number; ++I)
      Seen += Objects[I] - Begin < End - Begin;
  }
  fclose(File);
  printf("%s: %d of %d objects, %zu KiB of shared memory\n", When, Seen, Number,
         Bytes / 1024);
}

static void waitForAbort(pid_t Process) {
  int Status;
  if (waitpid(Process, &Status, 0) < 0 || !WIFSTOPPED(Status) ||
      WSTOPSIG(Status) != SIGABRT) {
    printf("status %x\n", (unsigned)Status);
    exit(1);
  }
}

int main(void) {
  int Pipe[2];
  uintptr_t Objects[Number];
  if (pipe(Pipe) < 0)
    return 1;
  const pid_t Child = fork();
  if (Child == 0) {
    // In a child objects are watched once something was allocated.
    free(malloc(64));
    passMilliseconds(1);
    for (int I = 0; I != Number; ++I)
      Objects[I] = (uintptr_t)memset(malloc(64), 1, 64);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    write(Pipe[1], Objects, sizeof(Objects));
    abort();
  }
  read(Pipe[0], Objects, sizeof(Objects));
  waitForAbort(Child);
  look("before", Child, Objects);
  ptrace(PTRACE_CONT, Child, 0, SIGABRT);
  // The runtime's handler has done its work, and lets the signal act.
  waitForAbort(Child);
  look("at its end", Child, Objects);
  kill(Child, SIGKILL);
  return 0;
}
