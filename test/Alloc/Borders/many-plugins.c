// Four hundred hinted plugins are open at once, linked as they should be or with
// the shared allocator by hand, in processes with and without an allocator. One
// that brings the shared allocator into a process without one needs room for the
// allocator's thread-local memory.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 %s -o plain && %clang -O1 %s %liballoc -lm -o archive && %clang -O1 %s -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -Wl,--no-as-needed -o shared
// RUN: fill() { for i in $(seq 0 399); do cp plugin.so plugin$i.so || return 1; done; }
// RUN: %clang -O1 -DPLUGIN -fPIC -shared %s %libhints -o plugin.so && fill
// RUN: ./plain && ./archive && ./shared
// RUN: %clang -O1 -DPLUGIN -fPIC -shared %s -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o plugin.so && fill
// RUN: ./shared && env LD_PRELOAD=%build/lib/libthermocline_alloc.so ./plain
// RUN: env GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192 ./plain
// RUN: env GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192 ./archive
// RUN: %not ./plain | %FileCheck %s
// CHECK: {{^}}{{.*}}libthermocline_alloc.so.{{[0-9.]+}}: cannot allocate memory in static TLS block{{$}}

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *malloc_cold(size_t);

#ifdef PLUGIN
void *make(void) { return malloc_cold(100); }
#else
int main(void) {
  for (int I = 0; I < 400; ++I) {
    char Name[32];
    snprintf(Name, sizeof(Name), "./plugin%d.so", I);
    void *Plugin = dlopen(Name, RTLD_NOW);
    if (!Plugin) {
      puts(dlerror());
      return 1;
    }
    free(((void *(*)(void))dlsym(Plugin, "make"))());
  }
  return 0;
}
#endif
