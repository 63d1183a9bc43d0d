// The thread that looks at watched objects is not known to libc. When the
// program gives up rights, it gives them up as well, and goes on to look. So it
// does in the child of a fork, for a user of many groups, and in a namespace of
// processes that is not that of /proc. The same holds for the thread that
// writes continuously.
// RUN: rm -rf %t && mkdir %t && chmod 777 %t && cd %t
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -gmlt -fdebug-info-for-profiling -Wl,--build-id %s -o program
// DEFINE: %{run} = env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:page_touches=1:log_path=%t/raw ./program
// DEFINE: %{run-both} = env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:page_touches=1:continuous=1:sync_interval_ms=5:log_path=%t/both.raw ./program
// RUN: %{run} all > said 2>&1 && %{run} user >> said 2>&1 && %{run} apart >> said 2>&1 && %{run} some >> said 2>&1 && %{run} sometimes >> said 2>&1 && %FileCheck %s --input-file=said
// CHECK-COUNT-5: 2 threads, the same rights
// CHECK-NOT: {{.}}
// RUN: %{run-both} all > both 2>&1 && %{run-both} user >> both 2>&1 && %{run-both} apart >> both 2>&1 && %{run-both} some >> both 2>&1 && %{run-both} sometimes >> both 2>&1 && %FileCheck %s --input-file=both --check-prefix=BOTH
// BOTH-COUNT-5: 3 threads, the same rights
// BOTH-NOT: {{.}}
// RUN: for f in raw.*; do %thermo-profdata show --all --binary=program $f || exit 1; done | %FileCheck %s --check-prefix=RAW
// RAW-COUNT-5: objects touched, in % of each window:{{( 100\.0){9,10}$}}

#include "../Inputs/pass_time.h"
#include <dirent.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Number = 500, Size = 64, Nobody = 65534, Somebody = 1234 };
static char *Busy[Number];

static void check(int IsRight, const char *What) {
  if (!IsRight) {
    perror(What);
    exit(1);
  }
}

static void touch(void) {
  for (int I = 0; I != Number; ++I)
    ++*(volatile char *)Busy[I];
  passMilliseconds(10);
}

/// The lines of a thread's status that tell of rights.
static void readRights(const char *Thread, char *Text) {
  char Path[300], Line[1000];
  snprintf(Path, sizeof(Path), "/proc/self/%s/status", Thread);
  FILE *File = fopen(Path, "r");
  check(File != NULL, Path);
  *Text = 0;
  while (fgets(Line, sizeof(Line), File))
    if (!strncmp(Line, "Uid:", 4) || !strncmp(Line, "Gid:", 4) ||
        !strncmp(Line, "Groups:", 7) || !strncmp(Line, "CapPrm:", 7) ||
        !strncmp(Line, "CapEff:", 7))
      strcat(Text, Line);
  fclose(File);
}

/// \returns how many threads there are.
static int compareThreads(void) {
  static char First[5000], Each[5000];
  char Name[300];
  readRights(".", First);
  int Count = 0;
  DIR *Threads = opendir("/proc/self/task");
  check(Threads != NULL, "threads");
  for (struct dirent *Entry; (Entry = readdir(Threads));)
    if (*Entry->d_name != '.') {
      snprintf(Name, sizeof(Name), "task/%s", Entry->d_name);
      readRights(Name, Each);
      if (strcmp(First, Each)) {
        printf("%s\nand\n%s\n", First, Each);
        exit(1);
      }
      ++Count;
    }
  closedir(Threads);
  return Count;
}

static void giveUpCapabilities(void) {
  struct __user_cap_header_struct Head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct Own[2] = {};
  Own[0].permitted = Own[0].effective = 1U << CAP_CHOWN;
  check(syscall(SYS_capset, &Head, Own) == 0, "capset");
}

/// Gives up all rights, but not groups, as if the program had begun so.
static void becomeUser(void) {
  static gid_t Groups[1000];
  for (int I = 0; I != 1000; ++I)
    Groups[I] = Somebody + (gid_t)I;
  check(setgroups(1000, Groups) == 0, "setgroups");
  check(setresgid(Nobody, Nobody, Nobody) == 0, "setresgid");
  check(setresuid(Nobody, Nobody, Nobody) == 0, "setresuid");
  check(prctl(PR_SET_DUMPABLE, 1) == 0, "dumpable");
}

/// Goes on in a child, where objects are watched once something was allocated.
static void goOnInChild(void) {
  const pid_t Child = fork();
  int Status = 0;
  if (Child == 0) {
    free(malloc(Size));
    passMilliseconds(1);
    return;
  }
  check(waitpid(Child, &Status, 0) == Child && Status == 0, "child");
  exit(0);
}

int main(int Count, char **Arguments) {
  const char *What = Count > 1 ? Arguments[1] : "";
  if (!strcmp(What, "user"))
    becomeUser();
  if (!strcmp(What, "apart"))
    check(unshare(CLONE_NEWPID) == 0, "unshare");
  if (!strcmp(What, "user") || !strcmp(What, "apart"))
    goOnInChild();
  for (int I = 0; I != Number; ++I)
    Busy[I] = memset(malloc(Size), 1, Size);
  touch();
  touch();
  const gid_t Groups[] = {Nobody, Somebody};
  if (!strcmp(What, "some"))
    giveUpCapabilities();
  if (!strcmp(What, "sometimes")) {
    check(setgroups(2, Groups) == 0, "setgroups");
    check(setegid(Somebody) == 0 && seteuid(Somebody) == 0, "seteuid");
    touch();
    compareThreads();
    check(seteuid(0) == 0 && setegid(0) == 0, "root");
    touch();
    compareThreads();
    // Both at once, for who looks seldom.
    check(seteuid(Somebody) == 0 && seteuid(0) == 0, "seteuid");
  } else {
    touch();
    touch();
  }
  if (strcmp(What, "some") && strcmp(What, "user")) {
    check(setgroups(!strcmp(What, "all"), Groups) == 0, "setgroups");
    check(setresgid(Nobody, Nobody, Nobody) == 0, "setresgid");
    check(setresuid(Nobody, Nobody, Nobody) == 0, "setresuid");
    check(setuid(0) != 0, "root again");
  }
  for (int Window = 0; Window != 6; ++Window)
    touch();
  printf("%d threads, the same rights\n", compareThreads());
  return 0;
}
