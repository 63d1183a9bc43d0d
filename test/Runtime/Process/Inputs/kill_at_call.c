/* usage: kill-at-call N PROGRAM
 * Runs PROGRAM and kills it when the thread that it did not start with stands
 * for the Nth time before or after a system call that changes files. Exits with
 * 0 if it was killed so, with 1 if it ended before. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static int changesFiles(long Number) {
  return Number == SYS_openat || Number == SYS_write || Number == SYS_lseek ||
         Number == SYS_ftruncate || Number == SYS_linkat ||
         Number == SYS_unlinkat || Number == SYS_renameat2 ||
         Number == SYS_close;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  long Wanted = atol(argv[1]), Seen = 0;
  pid_t Main = fork();
  if (Main == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execl(argv[2], argv[2], (char *)0);
    _exit(127);
  }
  int Status;
  waitpid(Main, &Status, 0);
  ptrace(PTRACE_SETOPTIONS, Main, 0,
         PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, Main, 0, 0);
  for (;;) {
    pid_t Thread = waitpid(-1, &Status, __WALL);
    if (Thread < 0 ||
        (Thread == Main && (WIFEXITED(Status) || WIFSIGNALED(Status))))
      return 1;
    if (!WIFSTOPPED(Status))
      continue;
    int Signal = WSTOPSIG(Status);
    if (Signal == (SIGTRAP | 0x80)) {
      struct user_regs_struct Registers;
      ptrace(PTRACE_GETREGS, Thread, 0, &Registers);
      if (changesFiles((long)Registers.orig_rax) && ++Seen == Wanted) {
        kill(Main, SIGKILL);
        while (waitpid(-1, &Status, __WALL) > 0)
          ;
        return 0;
      }
      Signal = 0;
    } else if (Signal == SIGTRAP || Signal == SIGSTOP) {
      Signal = 0; // Of ptrace itself.
    }
    // Only the other thread is stopped at each of its calls.
    ptrace(Thread == Main ? PTRACE_CONT : PTRACE_SYSCALL, Thread, 0, Signal);
  }
}
