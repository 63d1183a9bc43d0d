// Time as a test sets it, with MEMPROF_OPTIONS=test_clock=1: it stands still but
// for these calls. When one returns, the runtime's threads have done all that is
// due by then.

#ifndef PASS_TIME_H
#define PASS_TIME_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C"
#endif
    __attribute__((weak)) bool
    __thermocline_pass_time(unsigned long Microseconds);

static inline void passMicroseconds(unsigned long Microseconds) {
  if (__thermocline_pass_time)
    __thermocline_pass_time(Microseconds);
}

static inline void passMilliseconds(unsigned long Milliseconds) {
  passMicroseconds(Milliseconds * 1000);
}

#endif
