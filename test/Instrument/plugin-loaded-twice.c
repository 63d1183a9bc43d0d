// Two config files, or one given twice, may both load the plugin: its passes
// run once.
//
// RUN: rm -f %t*
// RUN: for config in %generate-cfg %release-cfg; do \
// RUN:   %clang --config=$config -O1 -S -emit-llvm %s -o %t.once.ll && \
// RUN:   %clang --config=$config --config=$config -O1 -S -emit-llvm %s -o %t.twice.ll && \
// RUN:   diff %t.once.ll %t.twice.ll || exit 1; done
// RUN: %clang --config=%generate-cfg %s -O1 -o %t && env MEMPROF_OPTIONS=log_path=%t.raw %t && %thermo-profdata merge --binary=%t %t.raw.* -o %t.memprofdata
// RUN: %clang --config=%use-cfg -fmemory-profile-use=%t.memprofdata -O1 -S -emit-llvm %s -o %t.once.ll
// RUN: %clang --config=%use-cfg --config=%use-cfg -fmemory-profile-use=%t.memprofdata -O1 -S -emit-llvm %s -o %t.twice.ll
// RUN: diff %t.once.ll %t.twice.ll && grep -q memprof %t.once.ll

#include <stdlib.h>

char *volatile Kept;

int main(void) {
  Kept = malloc(100);
  Kept[1] = 1;
  return 0;
}
