/* Between compile and link, tools may take what nothing refers to, and names of what is
   local. The notes that tell the link of calls and edits outlive them.

   RUN: rm -rf %t && mkdir %t && cd %t
   RUN: %clang --config=%generate-cfg -O1 %s -o program && env MEMPROF_OPTIONS=touch_windows=0:log_path=raw ./program
   RUN: %thermo-profdata merge --quiet --binary=program -o profile raw.*
   RUN: %clang --config=%use-cfg -O1 -DEDITED -fmemory-profile-use=profile -c %s -o made.bc
   RUN: %llvm-dis made.bc -o - | grep -o '^@thermocline[^ ]*' | sort > notes
   RUN: %FileCheck %s < notes
   CHECK: @thermocline.calls.
   CHECK: @thermocline.entered.
   RUN: for passes in globaldce strip 'default<O2>' 'thinlto-pre-link<O2>' 'strip,globaldce'; do \
   RUN:   %opt -module-summary -passes="$passes" made.bc -o after.bc && \
   RUN:   %llvm-dis after.bc -o - | grep -o '^@thermocline[^ ]*' | sort | cmp - notes || exit 1; done
   RUN: %llvm-link made.bc -o after.bc && %llvm-dis after.bc -o - | grep -o '^@thermocline[^ ]*' | sort | cmp - notes

   None reaches the program.
   RUN: %clang --config=%use-cfg -O1 made.bc %libhints -o optimized && %llvm-nm -a optimized > symbols
   RUN: %not grep thermocline.calls symbols
*/
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void *make(int size) {
  return memset(malloc(size), 1, size);
}
__attribute__((noinline)) void *forward(int size) {
  [[clang::musttail]] return make(size);
}

int main(void) {
  void *volatile one = forward(10);
#ifdef EDITED
  void *volatile other = make(20);
  free(other);
#endif
  free(one);
  return 0;
}
