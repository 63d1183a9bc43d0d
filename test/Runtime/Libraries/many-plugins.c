// Four hundred profiled plugins are open at once, one of which has 2 KiB of
// thread-local memory: the runtime has its own once, and they need no room where
// programs have theirs.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -DPLUGIN -fPIC -shared -fuse-ld=lld %s -o plugin.so
// RUN: %clang --config=%generate-cfg -O1 -DPLUGIN -DTLS -fPIC -shared -fuse-ld=lld %s -o plugin0.so
// RUN: for i in $(seq 399); do cp plugin.so plugin$i.so; done
// RUN: %clang --config=%generate-cfg -O1 -fuse-ld=lld %s -o program
// RUN: env MEMPROF_OPTIONS=log_path=raw ./program
// RUN: %thermo-profdata show --all --binary=program raw.* | %FileCheck %s
// CHECK: 312.5 KiB in 400 allocations, lifetime {{[0-9]+}} ms, 0.12 accesses per byte
// CHECK-NEXT: allocate
// CHECK-NEXT: {{^}} main (
// RUN: %clang -O1 %s -o plain && ./plain 2>&1 | %FileCheck %s --check-prefix=PLAIN
// PLAIN: Thermocline: malloc is that of {{.*}}libc.so.6 in this program: nothing is recorded.
// PLAIN-NOT: Thermocline

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef PLUGIN

#ifdef TLS
static _Thread_local volatile char Own[2048];
#endif

void use(volatile char *P) {
#ifdef TLS
  Own[2047] = 1;
#endif
  for (int I = 0; I < 50; ++I)
    P[I * 8] = 1;
  free((void *)P);
}

#else

__attribute__((noinline)) void *allocate(void) { return malloc(800); }

int main(void) {
  for (int I = 0; I < 400; ++I) {
    char Name[32];
    snprintf(Name, sizeof(Name), "./plugin%d.so", I);
    void *Plugin = dlopen(Name, RTLD_NOW);
    if (!Plugin) {
      puts(dlerror());
      return 1;
    }
    void (*Use)(volatile char *) = (void (*)(volatile char *))dlsym(Plugin, "use");
    // Written 50 times here, 50 times there, and freed there.
    volatile char *P = allocate();
    for (int J = 0; J < 50; ++J)
      P[J * 8] = 1;
    Use(P);
  }
  return 0;
}

#endif
