// A program that has more rights than who started it does not do what his
// environment says, and writes nothing where he says, the working directory
// included. What the program itself says holds.
// RUN: rm -rf %t && mkdir %t && cd %t
// DEFINE: %{run} = python3 %S/../Inputs/run_with_more_rights.py
// RUN: %clang -O1 %s -o plain && %clang --config=%generate-cfg -static -O1 %s -o program && env MEMPROF_OPTIONS=log_path=%t/wanted %{run} %t/program 2>&1 | %FileCheck %s --check-prefix=STATIC
// STATIC: {{^}}Thermocline: MEMPROF_OPTIONS: ignored
// STATIC-NEXT: {{^}}Thermocline: no profile is written
// RUN: %clang --config=%generate-cfg -O1 %s -o program
// RUN: mkdir work && cd work && env MEMPROF_OPTIONS=log_path=%t/wanted:print_text=1:verbosity=1 TMPDIR=%t %{run} %t/program %t/plain > ../out 2>&1
// RUN: %FileCheck %s --check-prefix=IGNORED < %t/out && test -z "$(ls -A %t/work)" && ls %t | %FileCheck %s --check-prefix=FILES
// IGNORED: {{^}}Thermocline: MEMPROF_OPTIONS: ignored, as this program has more rights than who started it
// IGNORED-NEXT: {{^}}Thermocline: no profile is written: this program has more rights than who started it and chose the directory; compile it with an absolute name for the profile
// What it runs must not do it either.
// IGNORED-NEXT: {{^}}child: no options
// IGNORED-NOT: Thermocline
// FILES-NOT: wanted
//
// RUN: cd %t && rm -rf work && mkdir work && cd work && env -u MEMPROF_OPTIONS %{run} %t/program 2>&1 | %FileCheck %s --check-prefix=UNASKED && test -z "$(ls -A %t/work)"
// UNASKED-NOT: MEMPROF_OPTIONS
// UNASKED: {{^}}Thermocline: no profile is written
//
// A name that was compiled in, or that the program gives, is the program's.
// RUN: cd %t && %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-file=%t/compiled -O1 %s -o compiled-in && %clang --config=%generate-cfg -DDEFAULTS='"log_path=%t/function:continuous=1"' -O1 %s -o function && %clang --config=%generate-cfg -DDEFAULTS='"log_path=%%t/temporary:continuous=1"' -O1 %s -o temporary
// RUN: cd %t/work && env MEMPROF_OPTIONS=log_path=%t/wanted %{run} %t/compiled-in && %{run} %t/function && test -z "$(ls -A %t/work)" && ls -l %t | %FileCheck %s --check-prefix=MODES
// MODES-NOT: wanted
// MODES: -rw-------{{.*}} compiled.{{[0-9]+$}}
// MODES: -rw-------{{.*}} function.{{[0-9]+$}}
// RUN: %thermo-profdata show %t/compiled.* && %thermo-profdata show %t/function.*
// Nor is there a directory that he may name.
// RUN: cd %t/work && env TMPDIR=%t/work %{run} %t/temporary 2>&1 | %FileCheck %s --check-prefix=TEMPORARY && test -z "$(ls -A %t/work)"
// TEMPORARY: {{^}}Thermocline: the profile's name %t/temporary has %t, but TMPDIR is not set

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef DEFAULTS
const char *__memprof_default_options(void) { return DEFAULTS; }
#endif

static void *volatile Kept;

int main(int Count, char **Arguments) {
  Kept = malloc(11);
  if (Count > 1) {
    // From here on there is one identity, and no sign of who started it.
    if (setreuid(0, 0) != 0)
      return 1;
    execl(Arguments[1], "child", NULL);
    return 1;
  }
  const char *Options = getenv("MEMPROF_OPTIONS");
  printf("child: %s\n", Options ? Options : "no options");
  return 0;
}
