// Of 300 objects of 1 MiB that are to be cold, all are, however few addresses
// the kernel gives.
#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  int Cold = 0;
  for (int I = 0; I != 300; ++I) {
    char *Object = malloc_cold(1 << 20);
    if (!Object)
      return 1;
    memset(Object, I, 4096);
    Cold += thermocline_alloc_is_cold(Object);
  }
  printf("%d of 300 MiB are cold\n", Cold);
  return 0;
}
