// Somebody puts something else in the place of the file that is kept up to
// date: a pipe that nobody reads, or a link to another file. Neither is written
// to, nor waited for, and the profile takes its place again.
// RUN: rm -rf %t && mkdir %t && echo precious > %t/precious
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program
// RUN: for kind in pipe link; do env MEMPROF_OPTIONS=test_clock=1:log_path=%t/raw:continuous=1:sync_interval_ms=1 timeout 60 %t/program %t $kind && %thermo-profdata show %t/raw.* | grep 'Allocations: *1$' && rm %t/raw.* || exit 1; done
// RUN: grep -x precious %t/precious

#include "../Inputs/pass_time.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int Count, char **Arguments) {
  if (Count != 3)
    return 1;
  char *volatile Kept = malloc(11);
  Kept[0] = 0;
  char Profile[4096], Other[4096], Precious[4096];
  snprintf(Profile, sizeof(Profile), "%s/raw.%d", Arguments[1], getpid());
  snprintf(Other, sizeof(Other), "%s/other", Arguments[1]);
  snprintf(Precious, sizeof(Precious), "%s/precious", Arguments[1]);
  passMilliseconds(1);
  if (strcmp(Arguments[2], "pipe") ? symlink(Precious, Other)
                                   : mkfifo(Other, 0600))
    return 2;
  // In one step, so that the runtime never finds nothing there.
  if (rename(Other, Profile) != 0)
    return 3;
  passMilliseconds(1);
  return 0;
}
