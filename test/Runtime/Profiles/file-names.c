// Patterns in the profile's name, in the option and as compiled in; a bad one is
// reported once, by one line, and the profile still goes somewhere.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program
// RUN: env MEMPROF_OPTIONS=log_path=%t/a-%%p-b ./program > pid && ls a-$(cat pid)-b
// RUN: env MEMPROF_OPTIONS=log_path=%t/plain ./program > pid && ls plain.$(cat pid)
// RUN: env MEMPROF_OPTIONS=log_path=%t/%%h.%%%% ./program > pid && ls "$(uname -n).%.$(cat pid)"
// RUN: %llvm-readelf -n program | sed -n 's/ *Build ID: //p' > id
// RUN: env MEMPROF_OPTIONS=log_path=x%%b ./program > pid && ls x$(cat id).$(cat pid)
// RUN: env MEMPROF_OPTIONS=log_path=x%%4m-%%p ./program > pid && ls x$(cut -c1-16 id)-$(cat pid)
// RUN: env MEMPROF_OPTIONS=log_path=%%m ./program > pid && ls $(cut -c1-16 id).$(cat pid)
// RUN: mkdir tmp && env TMPDIR=%t/tmp MEMPROF_OPTIONS=log_path=%%t/in-tmp ./program > pid && ls tmp/in-tmp.$(cat pid)
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-file=compiled-%%p.raw -O1 %s -o %t/named
// RUN: ./named > pid && ls compiled-$(cat pid).raw
//
// Relative names begin where the program started.
// RUN: env MEMPROF_OPTIONS=log_path=here ./program chdir > pid && ls here.$(cat pid)
//
// RUN: env MEMPROF_OPTIONS=log_path=bad-%%q ./program fork 2>err > pid && ls memprof.profraw.$(head -n1 pid) && %FileCheck %s --input-file=err --check-prefix=UNKNOWN
// UNKNOWN: Thermocline: the profile's name bad-%q has the unknown pattern %q (known are %p, %h, %m, %b, %t, %c and %%); profiles go to memprof.profraw.PID
// UNKNOWN-NOT: Thermocline
// RUN: env MEMPROF_OPTIONS=log_path=bad-%% ./program 2>err > pid && ls memprof.profraw.$(cat pid) && %FileCheck %s --input-file=err --check-prefix=LONE
// LONE: Thermocline: the profile's name bad-% has the unknown pattern % (known
// RUN: env -u TMPDIR MEMPROF_OPTIONS=log_path=%%t/x ./program 2>err > pid && ls memprof.profraw.$(cat pid) && %FileCheck %s --input-file=err --check-prefix=TMPDIR
// TMPDIR: Thermocline: the profile's name %t/x has %t, but TMPDIR is not set; profiles go to memprof.profraw.PID
// RUN: %clang -O1 %s -Wl,--whole-archive %libprofile -Wl,--no-whole-archive -Wl,--build-id=none -o %t/no-id
// RUN: env MEMPROF_OPTIONS=log_path=%%m ./no-id 2>err > pid && ls memprof.profraw.$(cat pid) && %FileCheck %s --input-file=err --check-prefix=NO-ID
// NO-ID: Thermocline: the profile's name %m has %m, but the program has no build id; profiles go to memprof.profraw.PID
//
// Nothing but profiles is left.
// RUN: ls -A | grep tmp | %FileCheck %s --check-prefix=LEFT
// LEFT: {{^tmp$}}
// LEFT-NOT: {{.}}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char *volatile P = malloc(10);
  free(P);
  printf("%d\n", getpid());
  fflush(stdout);
  if (argc > 1 && strcmp(argv[1], "chdir") == 0)
    return chdir("/");
  if (argc > 1 && fork() == 0)
    return 0;
  while (wait(NULL) > 0)
    ;
  return 0;
}
