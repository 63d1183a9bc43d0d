// Where the profile cannot be written, one message says why, and the program's
// output and status stay what they are: no signal of a failed write reaches it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program
// RUN: %S/Inputs/check_failures.sh %t/program > out && %FileCheck %s --input-file=out
//
// CHECK: no directory: status 7, output as ever, 0 profiles
// CHECK-NEXT: Thermocline: cannot write /nonexistent/raw.PID: No such file or directory; this profile is lost
// CHECK-NEXT: no files there: status 7, output as ever, 0 profiles
// CHECK-NEXT: Thermocline: cannot write /proc/raw.PID: {{.+}}; this profile is lost
// CHECK-NEXT: no directory, continuous: status 7, output as ever, 0 profiles
// CHECK-NEXT: Thermocline: cannot write /nonexistent/raw.PID: No such file or directory; this profile is lost
// CHECK-NEXT: small files only: status 7, output as ever, 0 profiles
// CHECK-NEXT: Thermocline: cannot write raw.PID: File too large; this profile is lost
// CHECK-NEXT: small files only, continuous: status 7, output as ever, 0 profiles
// CHECK-NEXT: Thermocline: cannot write raw.PID: File too large; this profile is lost
// The file cannot grow, and keeps what it had; the final one is small enough.
// CHECK-NEXT: file cannot grow: status 7, output as ever, 1 profile
// CHECK-NEXT: Thermocline: cannot write raw.PID: File too large; the file keeps what was written before
// CHECK-NEXT: file cut off: status 7, output as ever, 1 profile
// CHECK-NEXT: full device: status 7, output as ever, 0 profiles
// CHECK-NEXT: Thermocline: cannot write the profile to stdout: No space left on device
// CHECK-NEXT: closed pipe: status 7, output as ever, 0 profiles
// CHECK-NEXT: Thermocline: cannot write the profile to stdout: Broken pipe
// CHECK-NEXT: no standard error: status 7, output as ever, 0 profiles

#include "../Inputs/many_contexts.h"
#include "../Inputs/pass_time.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *Output = argv[1];
  for (unsigned Path = 0; Path != 16; ++Path)
    free(many(Path, 10));
  passMilliseconds(60);
  if (argc > 2)
    truncate(argv[2], 100);
  for (unsigned Path = 0; Path != 1024; ++Path)
    free(many(Path, 10));
  passMilliseconds(60);
  FILE *F = fopen(Output, "w");
  fputs("the output\n", F);
  fclose(F);
  return 7;
}
