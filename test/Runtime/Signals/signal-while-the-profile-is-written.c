// A signal that ends the program while it writes its profile at its end: the
// profile is whole, and there is one; then the signal acts as it would have.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program
// RUN: for signal in 0 15 1 14 10 6 40; do python3 %S/Inputs/signal_while_writing.py $signal %t/program; done > %t/out
// RUN: %FileCheck %s --input-file=%t/out
// CHECK: status 7: [[CONTEXTS:[1-9][0-9]+]] contexts
// CHECK-NEXT: SIGTERM: [[CONTEXTS]] contexts
// CHECK-NEXT: SIGHUP: [[CONTEXTS]] contexts
// CHECK-NEXT: SIGALRM: [[CONTEXTS]] contexts
// CHECK-NEXT: SIGUSR1: [[CONTEXTS]] contexts
// CHECK-NEXT: SIGABRT: [[CONTEXTS]] contexts
// CHECK-NEXT: signal 40: [[CONTEXTS]] contexts

#include "../Inputs/many_contexts.h"

int main(void) {
  for (unsigned Path = 0; Path != 1024; ++Path)
    free(many(Path, 10));
  return 7;
}
