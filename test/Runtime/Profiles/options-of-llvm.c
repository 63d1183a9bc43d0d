// Options of LLVM's runtime do the same where they mean something here, and are
// named, in one line, where they do not.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang --config=%generate-cfg -O1 %s -o program
// RUN: env MEMPROF_OPTIONS=log_path=raw:log_exe_name=1:log_suffix=.memprof:verbosity=2:atexit=1 ./program 2>&1 | %FileCheck %s --check-prefix=NAME
// NAME: {{^}}Stats: 0M malloced by 1 calls
// NAME: {{^}}Thermocline: profile written to {{.*}}/raw.program.{{[0-9]+}}.memprof
// RUN: ls | grep -x 'raw\.program\.[0-9]*\.memprof'
// RUN: env MEMPROF_OPTIONS=symbolize=1:print_legend=0:handle_segv=0:dump_at_exit=0:nonsense=1 ./program 2>&1 | %FileCheck %s --check-prefix=WITHOUT
// WITHOUT: {{^}}Thermocline: MEMPROF_OPTIONS: unknown option 'nonsense', ignored
// WITHOUT-NEXT: {{^}}Thermocline: MEMPROF_OPTIONS: without meaning here, as options of LLVM's runtime: symbolize, print_legend, handle_segv
// WITHOUT-NOT: Thermocline
//
// All that LLVM's runtime says it has are known, and ours are listed too.
// RUN: %clang -fmemory-profile %s -o stock && env MEMPROF_OPTIONS=help=1:dump_at_exit=0 ./stock 2>&1 | grep -E '^.[a-z_0-9]+$' > names && test $(wc -l < names) -gt 90
// RUN: env MEMPROF_OPTIONS="dump_at_exit=0 $(sed 's/$/=0/' names | tr '\n' ' ')" ./program > all 2>&1; %not grep unknown all
// RUN: env MEMPROF_OPTIONS=help=1:dump_at_exit=0:sample=7 ./program 2>&1 | %FileCheck %s --check-prefix=HELP
// HELP: {{^}}Thermocline: options in MEMPROF_OPTIONS, as name=value separated by ':'
// HELP: {{^}}  continuous: keep a valid profile in the file all the time (now 0)
// HELP: {{^}}  sample: record one of so many allocations (now 7, from 1 to 65535)

#include <stdlib.h>

int main(void) {
  char *volatile P = malloc(1);
  free(P);
  return 0;
}
