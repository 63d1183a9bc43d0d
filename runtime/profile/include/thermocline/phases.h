/*===- thermocline/phases.h - Naming the phases of a profiled run
----------===*\
|*
|* Part of the Thermocline project, under the Apache License v2.0 with LLVM
|* Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* A program may say what it is doing, such as loading or serving. The profile
|* then says when memory was touched apart for each of these phases.
|*
\*===----------------------------------------------------------------------===*/

#ifndef THERMOCLINE_PHASES_H
#define THERMOCLINE_PHASES_H

#ifdef __cplusplus
extern "C" {
#endif

/* The process is in the phase NAME from now on, until the next call. A name
   that was given before goes on with that phase. NULL and "" end the phase, and
   begin no other. Any thread may call it, but not from a signal handler. A run
   has at most 15 phases, with names of at most 63 bytes. After others it is in
   none.

   A program that is not profiled does not have this function. Its address is
   then null. */
__attribute__((weak)) void __thermocline_phase(const char *name);

/* Calls the function if the program is profiled, and does nothing if it is not.
 */
static inline void thermocline_phase(const char *name) {
  if (__thermocline_phase)
    __thermocline_phase(name);
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
