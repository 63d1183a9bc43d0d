// The raw profile says when the run began and ended, so that its length does
// not hang on when its contexts allocated last. LLVM's tools read the file all
// the same.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -O1 -DCHURN_MS=310 %s -o %t/churn
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=%t/churn.raw %t/churn
// RUN: %thermo-profdata show %t/churn.raw.* | %FileCheck %s --check-prefix=RAW
// RAW: Run: 310 ms, from 0 ms to 310 ms after the program's start
// RUN: %thermo-profdata merge --binary=%t/churn %t/churn.raw.* -o %t/churn.memprofdata | %FileCheck %s --check-prefix=MERGE
// MERGE: from 1 run of 310 ms; cold: 0 contexts
// RUN: %thermo-profdata show --binary=%t/churn %t/churn.memprofdata | %FileCheck %s --check-prefix=SHOW
// SHOW: Runs: {{1, 310 ms$}}
// SHOW: Cold contexts:  0 (
// RUN: %clang -O1 -DCHURN_MS=310 -Wl,-z,dynamic-undefined-weak %s -o %t/plain && env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:log_path=%t/preloaded %t/plain
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
// RUN: for mode in exact:sample=1 sampled:sample=50 continuous:continuous=1:sync_interval_ms=5; do mkdir %t/${mode%%%%:*} && env MEMPROF_OPTIONS=test_clock=1:log_path=%t/${mode%%%%:*}/raw:${mode#*:} %t/rounds && for file in $(ls -v %t/${mode%%%%:*}); do %thermo-profdata show %t/${mode%%%%:*}/$file | grep Run:; done || exit 1; done | %FileCheck %s --check-prefix=ROUNDS
//
// ROUNDS:      Run: 150 ms, from 0 ms to 150 ms after the program's start
// ROUNDS-NEXT: Run: 300 ms, from 150 ms to 450 ms after the program's start
// ROUNDS-NEXT: Run: 150 ms, from 300 ms to 450 ms after the program's start
// ROUNDS-NEXT: Run: 150 ms, from 0 ms to 150 ms
// ROUNDS-NEXT: Run: 300 ms, from 150 ms to 450 ms
// ROUNDS-NEXT: Run: 150 ms, from 300 ms to 450 ms
// ROUNDS-NEXT: Run: 150 ms, from 0 ms to 150 ms
// ROUNDS-NEXT: Run: 300 ms, from 150 ms to 450 ms
// ROUNDS-NEXT: Run: 150 ms, from 300 ms to 450 ms
//
// Each second of three runs of 150, 300 and 150 ms counts alike: 225.
// RUN: %thermo-profdata merge --quiet --binary=%t/rounds %t/exact/raw.* -o %t/rounds.memprofdata
// RUN: %thermo-profdata show %t/rounds.memprofdata | %FileCheck %s --check-prefix=THREE
// THREE: Runs: {{3, 200 ms on average \(150 to 300\); lifetimes are compared with 225 ms$}}

#include "../Inputs/pass_time.h"
#include <sanitizer/memprof_interface.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void churn(void) {
  for (int I = 0; I != CHURN_MS; ++I) {
    char *volatile P = malloc(100);
    passMilliseconds(1);
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
  churn();
  int Status;
  return waitpid(Child, &Status, 0) != Child || Status != 0;
#endif
}
