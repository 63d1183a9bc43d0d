// A program that was not linked with the runtime loads a plugin that was, again
// and again: it goes on as ever with the malloc that it has, whatever is
// allocated and freed where, and one message says that nothing is recorded and
// what to do. Then all is.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -DPLUGIN -fPIC -shared -fuse-ld=lld %s -o plugin.so
// RUN: %clang -O1 -fno-builtin %s -o plain && %clang -O1 -fno-builtin -no-pie -fno-pic %s -o fixed
// RUN: %clang -O1 -fno-builtin -DLINKED %s ./plugin.so -o linked
// RUN: for program in "plain now" "plain deep" "plain apart" "fixed now" "fixed deep" linked; do \
// RUN:   echo "$program"; env MEMPROF_OPTIONS=log_path=raw ./$program 2>&1 || exit 1; done > said
// RUN: %FileCheck %s --match-full-lines --implicit-check-not=Thermocline < said && ls | %FileCheck %s --check-prefix=FILES
// FILES-NOT: raw
// CHECK: plain now
// CHECK-NEXT: Thermocline: malloc is that of {{.*}}libc.so.6 in this program: nothing is recorded. Link the program, and not its libraries alone, by thermocline-generate.cfg, or run it under LD_PRELOAD={{.*}}/libthermocline_runtime.so
// CHECK-NEXT: plain deep
// CHECK-NEXT: Thermocline: malloc is that of {{.*}} in this program: nothing is recorded. {{.*}}
// CHECK-NEXT: plain apart
// CHECK-NEXT: Thermocline: malloc is that of {{.*}} in this program: nothing is recorded. {{.*}}
// CHECK-NEXT: fixed now
// CHECK-NEXT: Thermocline: malloc is that of {{.*}} in this program: nothing is recorded. {{.*}}
// CHECK-NEXT: fixed deep
// CHECK-NEXT: Thermocline: malloc is that of {{.*}} in this program: nothing is recorded. {{.*}}
// CHECK-NEXT: linked
// CHECK-NEXT: Thermocline: malloc is that of {{.*}} in this program: nothing is recorded. {{.*}}
//
// RUN: env LD_PRELOAD=%runtime MEMPROF_OPTIONS=log_path=raw ./plain deep
// RUN: %thermo-profdata merge --binary=plugin.so raw.* -o prof && %thermo-profdata show --all --binary=plugin.so prof | %FileCheck %s --check-prefix=PRELOADED
// PRELOADED: 187.5 KiB in 300 allocations, lifetime {{[0-9]+}} ms, 0.10 accesses per byte
// PRELOADED-NEXT: make

#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLUGIN

__attribute__((noinline)) char *make(void) {
  volatile char *P = malloc(640);
  for (int I = 0; I < 64; ++I)
    P[I * 8] = 1;
  return (char *)P;
}
// Grows, aligns and copies what is the program's.
char *change(char *P) {
  if (malloc_usable_size(P) < 640)
    return 0;
  P = realloc(P, 3000);
  char *Aligned = aligned_alloc(256, 512);
  memcpy(Aligned, P, 64);
  free(P);
  P = strdup("text");
  free(Aligned);
  return P;
}

#else

#ifdef LINKED
char *make(void);
char *change(char *);
#endif

// What a program that is not position independent has in its place is its own.
void *(*const volatile Allocate)(size_t) = malloc;

static int use(char *(*Make)(void), char *(*Change)(char *)) {
  char *P = realloc(Make(), 2000);
  free(Change(P));
  P = Change(Allocate(700));
  int Result = !P || strcmp(P, "text");
  free(P);
  return Result;
}

int main(int Count, char **Arguments) {
#ifdef LINKED
  return use(make, change);
#else
  int Deep = strcmp(Arguments[1], "deep") ? 0 : RTLD_DEEPBIND;
  int Apart = !strcmp(Arguments[1], "apart");
  for (int I = 0; I < (Apart ? 3 : 300); ++I) {
    void *Plugin = Apart ? dlmopen(LM_ID_NEWLM, "./plugin.so", RTLD_NOW)
                         : dlopen("./plugin.so", RTLD_NOW | Deep);
    if (!Plugin)
      return 1;
    void *Make = dlsym(Plugin, "make"), *Change = dlsym(Plugin, "change");
    if (!Apart && use((char *(*)(void))Make, (char *(*)(char *))Change))
      return 2;
    // Each namespace has a libc of its own, and its memory.
    if (Apart)
      ((char *(*)(void))Make)();
    dlclose(Plugin);
  }
  return 0;
#endif
}

#endif
