// LLVM's options for its own instrumentation mean the same here where there is
// such a meaning; the others are named, which fails no build.
// RUN: rm -rf %t && mkdir %t && cd %t
// DEFINE: %{compile} = %clang --config=%generate-cfg -Werror -O1 -c %s -o object.o
// RUN: %clang --config=%generate-cfg -mllvm -memprof-runtime-default-options=log_path=stdout:print_text=1 -O1 %s -o program && ./program | %FileCheck %s
// CHECK: Memory allocation stack id
// RUN: %clang --config=%generate-cfg -mllvm -memprof-histogram -O1 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=HISTOGRAM
// HISTOGRAM: @__memprof_histogram = {{.*}} i1 true
// Our own option holds.
// RUN: %clang --config=%generate-cfg -mllvm -memprof-runtime-default-options=print_text=1 -Xclang -mllvm -Xclang -thermocline-generate-runtime-options=print_text=0 -O1 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=OWN
// OWN: @__memprof_default_options_str = {{.*}}c"print_text=0\00"
// RUN: %{compile} -mllvm -memprof-use-callbacks -mllvm -memprof-instrument-reads=0 2>&1 | %FileCheck %s --check-prefix=NOTE
// NOTE: note: without meaning here, as options of clang's -fmemory-profile: -memprof-instrument-reads, -memprof-use-callbacks
// NOTE-NOT: without meaning
// RUN: %{compile} 2> errors && test ! -s errors

#include <stdlib.h>

int main(void) {
  char *volatile P = malloc(10);
  P[0] = 1;
  free(P);
  return 0;
}
