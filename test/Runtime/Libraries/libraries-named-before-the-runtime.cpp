// A program may name libc and libstdc++ itself (rustc always does). The runtime
// still comes before them, or their functions would be called in place of its
// own.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cpp && cd %t
// RUN: for LD in bfd lld mold gold; do CFG=%generate-cfg; \
// RUN:   if [ $LD = gold ]; then CFG=%build/config/thermocline-generate-gold.cfg; fi; \
// RUN:   for LIBS in "-lc" "-lstdc++ -lpthread -lm -ldl -lc" "-nodefaultlibs -lstdc++ -lgcc_s -lrt -lm -lc" "-Wl,--as-needed -lc" "-static-libstdc++ -static-libgcc -lc"; do \
// RUN:     rm -f raw.* && %clangxx --config=$CFG -Werror -O1 -fuse-ld=$LD a.cpp $LIBS -o a && \
// RUN:     env MEMPROF_OPTIONS=log_path=raw ./a > messages 2>&1 && test ! -s messages && \
// RUN:     %thermo-profdata merge --binary=a -o prof raw.* > /dev/null && \
// RUN:     %thermo-profdata show --binary=a --by=allocation prof | grep -c -E '(malloc|operator new)' | grep -q -x 2 || \
// RUN:     { echo "$LD $LIBS"; cat messages; exit 1; }; done; done
// In a static program two mallocs are an error.
// RUN: %not %clangxx --config=%generate-cfg -static a.cpp -lc -o static 2>&1 | %FileCheck %s
// CHECK: {{duplicate symbol|multiple definition}}

#include <cstdlib>

int main() {
  auto *volatile Object = new int(1);
  void *volatile Block = malloc(10);
  delete Object;
  free(Block);
}
