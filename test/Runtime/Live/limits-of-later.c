// What a program takes from itself later does not make busy objects look idle,
// nor does it take memory from its children.
// RUN: rm -rf %t && mkdir -p %t/%t && cd %t
// RUN: %clang -O1 -fno-builtin -gmlt -fdebug-info-for-profiling -Wl,--build-id %s -o program
// DEFINE: %{run} = env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:page_touches=1:log_path=%t/raw ./program
// RUN: %{run} root 2> errors && %{run} files 2>> errors && %{run} space 2>> errors
// RUN: %FileCheck %s --input-file=errors --allow-empty --check-prefix=QUIET
// QUIET-NOT: Thermocline
// RUN: for f in raw.* %t/%t/raw.*; do %thermo-profdata show --all --binary=program $f || exit 1; done | %FileCheck %s
// CHECK-COUNT-3: objects touched, in % of each window: 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0{{$}}
//
// Runs that were too short for windows, as of most of a shell's children, are
// of the same kind, and say nothing.
// RUN: %{run} short && test $(ls raw.* | wc -l) -eq 5
// RUN: %thermo-profdata merge --quiet --binary=program -o prof raw.* && %thermo-profdata show prof | grep 'Cold contexts: *0 '
// RUN: rm raw.* && %{run} short && %thermo-profdata merge --quiet --binary=program -o short raw.* && %thermo-profdata show short | grep 'Cold contexts: *0 '
// RUN: %thermo-profdata merge --quiet -o both short prof && %thermo-profdata show both | grep 'Cold contexts: *0 '

#include "../Inputs/pass_time.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Number = 500, Size = 64 };
static char *Busy[Number];

static int isWhole(void) {
  for (int I = 0; I != Number; ++I)
    if (Busy[I][0] != 1)
      return 0;
  return 1;
}

static int limit(int What, rlim_t Most) {
  struct rlimit Limit;
  getrlimit(What, &Limit);
  Limit.rlim_cur = Most;
  return setrlimit(What, &Limit);
}

static int takeAway(const char *What) {
  if (strcmp(What, "root") == 0)
    return chroot(".") || chdir("/");
  if (strcmp(What, "files") == 0)
    return limit(RLIMIT_NOFILE, 3);
  return limit(RLIMIT_AS, 1 << 30);
}

static int forks(void) {
  const pid_t Child = fork();
  // It writes a profile as well.
  if (Child == 0)
    _exit(!isWhole() || limit(RLIMIT_NOFILE, 100));
  int Status;
  return Child > 0 && waitpid(Child, &Status, 0) == Child && Status == 0;
}

int main(int Count, char **Arguments) {
  (void)Count;
  for (int I = 0; I != Number; ++I)
    Busy[I] = memset(malloc(Size), 1, Size);
  if (strcmp(Arguments[1], "short") == 0)
    return !isWhole();
  for (int Window = 0; Window != 10; ++Window) {
    if (!isWhole() || (Window == 3 && takeAway(Arguments[1])) ||
        (Window == 5 && !forks()))
      return 1;
    passMilliseconds(10);
  }
  // A profile is written after this.
  return limit(RLIMIT_NOFILE, 100);
}
