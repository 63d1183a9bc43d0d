/* How many KiB of the process are in memory. */
#ifndef RESIDENT_H
#define RESIDENT_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long resident_kib(void) {
  long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &total, &resident) != 2)
    abort();
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

#endif
