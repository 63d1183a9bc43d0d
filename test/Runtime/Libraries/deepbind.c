// A plugin that is loaded with RTLD_DEEPBIND, and not instrumented, frees what
// the program allocated, and gives it memory of its own. Its malloc and free
// are those of the process all the same, unless an option says otherwise.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -DPLUGIN -fPIC -shared %s -o plugin.so
// RUN: %clang -O1 -fno-builtin %s -o plain
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o profiled
// RUN: for options in touch_windows=0 touch_windows=1 sample=5 page_touches=1 continuous=1; do \
// RUN:   env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=plain.raw:$options ./plain swap || exit 1; \
// RUN:   env MEMPROF_OPTIONS=log_path=profiled.raw:$options ./profiled swap || exit 1; done
//
// The plugin's calls are in the profile.
// RUN: %thermo-profdata merge --binary=profiled profiled.raw.* -o profile 2>&1 | %FileCheck %s --check-prefix=MERGE
// MERGE: allocated inside shared libraries
//
// With the option it has libc's. That goes well where it frees its own.
// RUN: env MEMPROF_OPTIONS=log_path=kept.raw:deepbind=1 ./profiled keep
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=kept.raw:deepbind=1 ./plain keep
// A plugin beside the program is found where it was before.
// RUN: mkdir beside && mv plugin.so beside && %clang -O1 -fno-builtin -Wl,-rpath,'$ORIGIN/beside' -DNAME='"plugin.so"' %s -o plain
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=plain.raw ./plain swap

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLUGIN

void drop(char *Text) { free(Text); }
char *give(void) { return strcpy(malloc(6), "given"); }

#else

#ifndef NAME
#define NAME "./plugin.so"
#endif

int main(int Count, char **Arguments) {
  void *Plugin = dlopen(NAME, RTLD_NOW | RTLD_DEEPBIND);
  if (!Plugin)
    return 1;
  void (*Drop)(char *) = (void (*)(char *))dlsym(Plugin, "drop");
  char *(*Give)(void) = (char *(*)(void))dlsym(Plugin, "give");
  const int Swaps = Count > 1 && !strcmp(Arguments[1], "swap");
  for (int I = 0; I != 1000; ++I) {
    if (Swaps) {
      Drop(strdup("text"));
      free(Give());
      Drop(realloc(Give(), 1000));
    } else {
      Drop(Give());
      free(strdup("text"));
    }
  }
  return 0;
}

#endif
