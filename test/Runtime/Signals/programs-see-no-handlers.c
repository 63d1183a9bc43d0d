// A program sees of signals what it would see without the runtime: the default
// action where nobody else has set another, and no stack for handlers. What it
// sets, it sees again. And if it sets the default action, a signal that ends it
// still writes the profile.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -Wno-deprecated-declarations -O1 -fno-builtin %s -o plain -pthread
// RUN: %clang --config=%generate-cfg -Wno-deprecated-declarations -O1 -fno-builtin %s -o profiled && %clang --config=%generate-cfg -Wno-deprecated-declarations -static -O1 -fno-builtin %s -o static
// RUN: %clang --config=%generate-archive-cfg -Wno-deprecated-declarations -O1 -fno-builtin %s -o archive
// RUN: env --default-signal ./plain > expected && %FileCheck %s --input-file=expected
// CHECK:      at first: 2 of 2: default, flags 0, mask 0
// CHECK:      at first: 15 of 15: default, flags 0, mask 0
// CHECK:      stack: (nil), flags 2
// CHECK:      set: by signal(): default, handled, ignored, default
// DEFINE: %{options} = log_path=raw
// DEFINE: %{run-all} = for run in "./profiled" "./static" "./archive" "env LD_PRELOAD=%preload ./plain"; do rm -f raw.*; env --default-signal MEMPROF_OPTIONS=%{options} $run > said || exit 1; diff expected said || exit 1; ls raw.* > files && wc -l < files; done > counts && %FileCheck %s --input-file=counts --check-prefix=FILES
// RUN: %{run-all}
// FILES-COUNT-4: {{^}}5{{$}}
// REDEFINE: %{options} = log_path=raw:dump_signal=USR2:reset_signal=TERM
// RUN: %{run-all}
// REDEFINE: %{options} = log_path=raw:dump_signal=HUP:dump_on_signal=0
// RUN: for run in "./profiled" "./static" "env LD_PRELOAD=%preload ./plain"; do env --default-signal MEMPROF_OPTIONS=%{options} $run > said || exit 1; diff expected said || exit 1; done
// What was ignored when it began is ignored.
// RUN: sh -c 'trap "" INT HUP; exec ./plain' > expected; sh -c 'trap "" INT HUP; exec env MEMPROF_OPTIONS=log_path=raw ./profiled' > said; diff expected said
//
// So an interpreter takes Ctrl-C for itself, and a program is not told that it
// has another's handler.
// RUN: rm -f raw.* && env --default-signal LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw python3 -c "import os, signal; print(repr(signal.getsignal(signal.SIGTERM)), flush=True); os.kill(os.getpid(), signal.SIGINT)" > said 2>&1; %FileCheck %s --input-file=said --check-prefix=PYTHON
// PYTHON: Handlers.SIG_DFL
// PYTHON: KeyboardInterrupt

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern sighandler_t __sysv_signal(int, sighandler_t);

static volatile sig_atomic_t Handled;
static void handle(int Signal) { Handled = Signal; }

static const char *nameOf(sighandler_t Handler) {
  return Handler == SIG_DFL    ? "default"
         : Handler == SIG_IGN  ? "ignored"
         : Handler == SIG_ERR  ? "error"
         : Handler == handle   ? "handled"
         : Handler == SIG_HOLD ? "held"
                               : "another";
}

static void show(const char *When) {
  for (int Signal = 1; Signal != NSIG; ++Signal) {
    struct sigaction Old;
    memset(&Old, 1, sizeof(Old));
    if (sigaction(Signal, NULL, &Old) != 0) {
      printf("%s: %d: no action\n", When, Signal);
      continue;
    }
    unsigned long Mask;
    memcpy(&Mask, &Old.sa_mask, sizeof(Mask));
    printf("%s: %d of %d: %s, flags %x, mask %lx\n", When, Signal, Signal,
           nameOf(Old.sa_handler), (unsigned)Old.sa_flags, Mask);
  }
}

static void showStack(void) {
  stack_t Old;
  memset(&Old, 1, sizeof(Old));
  if (sigaltstack(NULL, &Old) == 0)
    printf("stack: %p, flags %x, %zu bytes\n", Old.ss_sp,
           (unsigned)Old.ss_flags, Old.ss_size);
}

/// Sets what programs set, and restores what they saw.
static void change(int Signal) {
  printf("set: by signal(): %s", nameOf(signal(Signal, handle)));
  printf(", %s", nameOf(signal(Signal, SIG_IGN)));
  printf(", %s", nameOf(signal(Signal, SIG_DFL)));
  printf(", %s\n", nameOf(signal(Signal, SIG_DFL)));
  show("after signal()");
  printf("by sysv_signal(): %s", nameOf(__sysv_signal(Signal, handle)));
  show("after sysv_signal()");
  raise(Signal);
  printf("%d, then %s\n", Handled, nameOf(__sysv_signal(Signal, SIG_DFL)));
  printf("by sigset(): %s", nameOf(sigset(Signal, SIG_HOLD)));
  printf(", %s", nameOf(sigset(Signal, handle)));
  printf(", %s\n", nameOf(sigset(Signal, SIG_DFL)));
  printf("errors: %s %s %s\n", nameOf(signal(SIGKILL, handle)),
         nameOf(sigset(0, handle)), nameOf(signal(33, SIG_DFL)));
  struct sigaction New = {}, Old;
  New.sa_flags = SA_RESTART;
  sigaddset(&New.sa_mask, SIGCHLD);
  sigaction(Signal, &New, &Old);
  show("after sigaction()");
  sigaction(Signal, &Old, NULL);
  siginterrupt(Signal, 1);
  signal(Signal, handle);
  show("after siginterrupt()");
  signal(Signal, Old.sa_handler);
  static char Room[1 << 16];
  stack_t Stack = {.ss_sp = Room, .ss_size = sizeof(Room)}, Before;
  sigaltstack(&Stack, &Before);
  printf("%s\n", Before.ss_flags == SS_DISABLE ? "no stack" : "a stack");
  sigaltstack(&Before, &Stack);
  printf("%s\n", Stack.ss_sp == Room ? "its own stack" : "another");
  showStack();
}

/// How a child ends that sets the default action in different ways.
static void end(int Way) {
  const pid_t Child = fork();
  if (Child == 0) {
    free(malloc(100));
    if (Way == 1) {
      signal(SIGINT, handle);
      signal(SIGINT, SIG_DFL);
    } else if (Way == 2) {
      struct sigaction New = {}, Old;
      New.sa_handler = SIG_IGN;
      sigaction(SIGINT, &New, &Old);
      sigaction(SIGINT, &Old, NULL);
    } else if (Way == 3) {
      sigset(SIGINT, SIG_DFL);
    }
    raise(SIGINT);
    _exit(1);
  }
  int Status;
  waitpid(Child, &Status, 0);
  printf("way %d: signal %d, status %d\n", Way,
         WIFSIGNALED(Status) ? WTERMSIG(Status) : 0,
         WIFEXITED(Status) ? WEXITSTATUS(Status) : 0);
}

int main(void) {
  setvbuf(stdout, malloc(1 << 16), _IOFBF, 1 << 16);
  show("at first");
  showStack();
  change(SIGINT);
  change(SIGTERM);
  show("at last");
  fflush(stdout);
  for (int Way = 0; Way != 4; ++Way)
    end(Way);
  return 0;
}
