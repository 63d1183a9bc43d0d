// Options come from the compiler, the program and the environment, in rising
// order of rank; unknown ones are named once and the rest holds.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-file=%t/compiled -O1 %s -o %t/plain
// RUN: %t/plain && ls %t | %FileCheck %s --check-prefix=FILE
// FILE: {{^}}compiled.{{[0-9]+$}}
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1 %t/plain | %FileCheck %s --check-prefix=TEXT
// TEXT: Recorded MIBs (incl. live on exit):
// TEXT: Memory allocation stack id = [[ID:[0-9]+]]
// TEXT-NEXT: alloc_count 1, size (ave/min/max) 123.00 / 123 / 123
// TEXT-NEXT: access_count (ave/min/max): 1.00 / 1 / 1
// TEXT-NEXT: lifetime (ave/min/max):
// TEXT-NEXT: num migrated:
// TEXT: Stack for id [[ID]]:
// TEXT-NEXT: #0 0x
// TEXT-NEXT: #1 0x
// TEXT-NEXT: #2 0x
// RUN: env "MEMPROF_OPTIONS=log_path='stdout',print_text=true print_terse=yes" %t/plain | %FileCheck %s --check-prefix=TERSE
// TERSE: MIB:[[ID:[0-9]+]]/1/123.00/123/123/1.00/1/1/{{[0-9.]+/[0-9]+/[0-9]+/[0-9]+/[0-9]+/[0-9]+/[0-9]+$}}
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1:malloc_context_size=2 %t/plain | %FileCheck %s --check-prefix=DEPTH
// DEPTH: Stacks:
// DEPTH: #1 0x
// DEPTH-NOT: #2
//
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-runtime-options=print_text=1:log_path=stdout -O1 %s -o %t/compiled-in
// RUN: %t/compiled-in | %FileCheck %s --check-prefix=TEXT
// RUN: %clang --config=%generate-cfg -DDEFAULTS='"log_path=stdout:print_text=1"' -O1 %s -o %t/function
// RUN: %t/function | %FileCheck %s --check-prefix=TEXT
// RUN: env MEMPROF_OPTIONS=print_text=0 %t/function > %t/stream && %llvm-profdata show --memory --profiled-binary=%t/function %t/stream > /dev/null
//
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0:no_such_option=1:malloc_context_size=0:print_text=maybe:verbosity %t/plain 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: Thermocline: MEMPROF_OPTIONS: unknown option 'no_such_option', ignored
// BAD-NEXT: Thermocline: MEMPROF_OPTIONS: option 'malloc_context_size' cannot be '0', ignored
// BAD-NEXT: Thermocline: MEMPROF_OPTIONS: option 'print_text' cannot be 'maybe', ignored
// BAD-NEXT: Thermocline: MEMPROF_OPTIONS: option 'verbosity' cannot be '', ignored
// BAD-NOT: Thermocline
//
// Once, however the program is linked: in a static one, libc's exit() calls the
// runtime's _exit().
// RUN: for mode in -static -static-pie -no-pie -pie; do %clang --config=%generate-cfg $mode -O1 %s -o %t/linked && env MEMPROF_OPTIONS=log_path=stdout:print_text=1 %t/linked | grep -c Stacks:; done | %FileCheck %s --check-prefix=ONCE
// ONCE: {{^}}1{{$}}
// ONCE-NEXT: {{^}}1{{$}}
// ONCE-NEXT: {{^}}1{{$}}
// ONCE-NEXT: {{^}}1{{$}}
//
// A directory that is not there: one message, and the program's own status.
// RUN: env MEMPROF_OPTIONS=log_path=%t/nowhere/raw %t/plain 2>&1 | %FileCheck %s --check-prefix=NOWHERE
// RUN: env MEMPROF_OPTIONS=log_path=%t/nowhere/raw %t/plain
// NOWHERE: Thermocline: cannot write {{.*}}/nowhere/raw.{{[0-9]+}}: No such file or directory; this profile is lost
// NOWHERE-NOT: Thermocline

#include <stdlib.h>

#ifdef DEFAULTS
const char *__memprof_default_options(void) { return DEFAULTS; }
#endif

__attribute__((noinline)) static char *allocate(void) { return malloc(123); }

int main(void) {
  volatile char *P = allocate();
  P[0] = 1;
  free((char *)P);
  return 0;
}
