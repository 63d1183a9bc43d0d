/*===- bench/gain/drivers/phase.h - The steady phase of a program -*- C -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A driver calls phaseBegin when it has loaded what it works on, and phaseEnd
// when it has worked on it. If the bench runs it, the driver tells the bench
// through pipes, and waits until the bench has counted pages. A profile has the
// phase by its name.
//
//===----------------------------------------------------------------------===*/

#ifndef GAIN_PHASE_H
#define GAIN_PHASE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C"
#else
extern
#endif
    __attribute__((weak)) void __thermocline_phase(const char *Name);

/* The phase of a profile; null ends it. */
static inline void phaseName(const char *Name) {
  if (__thermocline_phase)
    __thermocline_phase(Name);
}

static struct timespec PhaseWall, PhaseProcessor;

/* Writes a line to the bench and waits for its answer of one byte. */
static inline void phaseTell(const char *Line, int Length) {
  const char *Pipes = getenv("GAIN_PIPES");
  int In, Out;
  char Answer;
  if (!Pipes)
    return;
  if (sscanf(Pipes, "%d,%d", &In, &Out) != 2 ||
      write(Out, Line, Length) != Length || read(In, &Answer, 1) != 1) {
    perror("GAIN_PIPES");
    exit(2);
  }
}

static inline void phaseBegin(void) {
  phaseName("steady");
  phaseTell("begin\n", 6);
  clock_gettime(CLOCK_MONOTONIC, &PhaseWall);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &PhaseProcessor);
}

static inline double phaseSeconds(clockid_t Clock, struct timespec Since) {
  struct timespec Now;
  clock_gettime(Clock, &Now);
  return (double)(Now.tv_sec - Since.tv_sec) +
         1e-9 * (double)(Now.tv_nsec - Since.tv_nsec);
}

/* Prints what was found, so that builds can be compared. */
static inline void phaseEnd(unsigned long Checksum) {
  char Line[128];
  double Wall = phaseSeconds(CLOCK_MONOTONIC, PhaseWall);
  double Processor = phaseSeconds(CLOCK_PROCESS_CPUTIME_ID, PhaseProcessor);
  phaseName(NULL);
  phaseTell(Line,
            snprintf(Line, sizeof(Line), "end %.6f %.6f\n", Wall, Processor));
  printf("checksum %016lx\n", Checksum);
}

#endif
