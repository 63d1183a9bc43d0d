// The raw profile says when the run began and ended, so that its length does
// not hang on when its contexts allocated last. LLVM's tools read the file all
// the same.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -O1 -DCHURN_MS=310 %s -o %t/churn
// RUN: env MEMPROF_OPTIONS=touch_windows=0:log_path=%t/churn.raw %t/churn
// RUN: %thermo-profdata show %t/churn.raw.* | %FileCheck %s --check-prefix=RAW
// RAW: Run: [[LENGTH:[3-9][0-9][0-9]|[1-9][,0-9]+]] ms, from 0 ms to [[LENGTH]] ms after the program's start
// RUN: %thermo-profdata merge --binary=%t/churn %t/churn.raw.* -o %t/churn.memprofdata | %FileCheck %s --check-prefix=MERGE
// MERGE: from 1 run of {{[3-9][0-9][0-9]|[1-9][,0-9]+}} ms; cold: 0 contexts
// RUN: %thermo-profdata show --binary=%t/churn %t/churn.memprofdata | %FileCheck %s --check-prefix=SHOW
// SHOW: Runs: {{1, ([3-9][0-9][0-9]|[1-9][,0-9]+) ms$}}
// SHOW: Cold contexts:  0 (
// RUN: %clang -O1 -DCHURN_MS=310 %s -o %t/plain && env LD_PRELOAD=%preload MEMPROF_OPTIONS=touch_windows=0:log_path=%t/preloaded %t/plain
// RUN: %thermo-profdata show %t/preloaded.* | %FileCheck %s --check-prefix=RAW
// RUN: %llvm-profdata show --memory --profiled-binary=%t/churn %t/churn.raw.* > /dev/null
// RUN: %llvm-profdata merge --profiled-binary=%t/churn %t/churn.raw.* -o %t/stock.memprofdata
//
// LLVM's runtime does not say; its runs are estimated.
// RUN: %clang -fmemory-profile -gmlt -fdebug-info-for-profiling -Wl,--build-id -O1 -DCHURN_MS=310 %s -o %t/stock
// RUN: env MEMPROF_OPTIONS=log_path=%t/stock.raw %t/stock
// RUN: %thermo-profdata show %t/stock.raw.* | %FileCheck %s --check-prefix=STOCK-RAW
// STOCK-RAW: Run: not recorded
// RUN: %thermo-profdata merge --quiet --binary=%t/stock %t/stock.raw.* -o %t/estimated.memprofdata
// RUN: %thermo-profdata show %t/estimated.memprofdata | %FileCheck %s --check-prefix=ESTIMATED
// ESTIMATED: Runs: {{.*}}; estimated from the times of allocations
//
// A round is a run: what follows a reset is compared with the time since then.
// A child of fork begins one, too.
// RUN: %clang --config=%generate-cfg -O1 -DCHURN_MS=150 -DROUNDS %s -o %t/rounds
// RUN: for mode in exact:sample=1 sampled:sample=50 continuous:continuous=1:sync_interval_ms=5; do mkdir %t/${mode%%%%:*} && env MEMPROF_OPTIONS=touch_windows=0:log_path=%t/${mode%%%%:*}/raw:${mode#*:} %t/rounds && for file in $(ls -v %t/${mode%%%%:*}); do %thermo-profdata show %t/${mode%%%%:*}/$file | grep Run:; done || exit 1; done > %t/rounds.txt
// RUN: python3 %S/Inputs/check_rounds.py 150 %t/rounds.txt
//
// Each second of three runs of 150, 300 and 150 ms counts alike: 225.
// RUN: %thermo-profdata merge --quiet --binary=%t/rounds %t/exact/raw.* -o %t/rounds.memprofdata
// RUN: %thermo-profdata show %t/rounds.memprofdata | %FileCheck %s --check-prefix=THREE
// THREE: Runs: {{3, [23][0-9][0-9] ms on average \(1[0-9][0-9] to 3[0-9][0-9]\); lifetimes are compared with 2[0-9][0-9] ms$}}

#include <sanitizer/memprof_interface.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long milliseconds(void) {
  struct timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  return Now.tv_sec * 1000 + Now.tv_nsec / 1000000;
}

static void churn(void) {
  for (long End = milliseconds() + CHURN_MS; milliseconds() < End;) {
    char *volatile P = malloc(100);
    usleep(1000);
    free(P);
  }
}

int main(void) {
  churn();
#ifdef ROUNDS
  if (__memprof_profile_dump() != 0)
    return 1;
  __memprof_profile_reset();
  churn();
  pid_t Child = fork();
  if (Child == 0) {
    churn();
    exit(0);
  }
  int Status;
  return waitpid(Child, &Status, 0) != Child || Status != 0;
#endif
}
