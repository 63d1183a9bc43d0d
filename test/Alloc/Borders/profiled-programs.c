// Where the library that profiles programs is preloaded, it serves a program
// with this allocator: all functions, hinted ones as well, in threads and
// children.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -pthread %s -I%srcroot/runtime/alloc/include %liballoc -lm -o archive
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -pthread %s -I%srcroot/runtime/alloc/include -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o shared
// RUN: for program in archive shared; do for more in "" ":page_touches=1"; do \
// RUN:   env THERMOCLINE_ALLOC_STATS=1 MEMPROF_OPTIONS=sample=5:log_path=%t/raw$more LD_PRELOAD=%preload ./$program || exit 1; \
// RUN: done; done 2>&1 | sed -nE 's/.*kind=total .*cold_calls=0 .*/none cold/p; s/.*kind=total .*/some cold/p; s/.*(all is right|warning: .*)/\1/p' | sort | uniq -c | %FileCheck %s
// CHECK:      8 all is right
// CHECK-NEXT: 8 none cold
// CHECK-NEXT: 8 warning: nothing lands cold: the process is profiled
// CHECK-NOT:  {{.}}
// RUN: ls raw.* | wc -l | grep -x 8
//
// mold fills in null for what is weak and in a library.
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -pthread %s -I%srcroot/runtime/alloc/include %liballoc -lm -fuse-ld=mold -o mold
// RUN: env THERMOCLINE_ALLOC_STATS=1 MEMPROF_OPTIONS=page_touches=1:sample=5:log_path=%t/mold.raw LD_PRELOAD=%preload ./mold 2>&1 | grep -c 'nothing lands cold: the process is profiled' | grep -x 2
//
// A plugin that would take libc's functions before the program's.
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -shared -fPIC -DPLUGIN %s -I%srcroot/runtime/alloc/include -o plugin.so
// RUN: env DEEPBIND=%t/plugin.so MEMPROF_OPTIONS=sample=5:log_path=%t/deep.raw LD_PRELOAD=%preload ./archive | grep -c right | grep -x 2
//
// A program that is not to be profiled keeps its cold heap, in silence.
// RUN: rm raw.* && env THERMOCLINE_ALLOC_STATS=1 MEMPROF_OPTIONS=programs=others:log_path=%t/raw LD_PRELOAD=%preload ./archive 2>&1 | sed -nE 's/.*kind=total .*cold_calls=[1-9].*/some cold/p;t;/thermocline-alloc/!p' | sort | %FileCheck %s --check-prefix=UNLISTED
// UNLISTED:      all is right
// UNLISTED-NEXT: all is right
// UNLISTED-NEXT: some cold
// UNLISTED-NEXT: some cold
// UNLISTED-NOT:  {{.}}
// RUN: %not ls raw.*
//
// A library of the name that lacks the functions, as it is of another version,
// leaves all to the allocator, and no error behind. So does a folder of the
// name.
// RUN: echo 'int other;' | %clang -shared -x c - -o libthermocline_preload.so && mkdir libthermocline_preload.so.d && cp libthermocline_preload.so libthermocline_preload.so.d/libother.so
// RUN: for library in libthermocline_preload.so libthermocline_preload.so.d/libother.so; do \
// RUN:   env THERMOCLINE_ALLOC_STATS=1 LD_PRELOAD=%t/$library ./archive || exit 1; \
// RUN: done 2>&1 | sed -nE 's/.*kind=total .*cold_calls=0 .*/none cold/p; s/.*kind=total .*/some cold/p; s/.*(all is right|warning: .*)/\1/p' | sort | uniq -c | %FileCheck %s --check-prefix=OTHER
// OTHER:      4 all is right
// OTHER-NEXT: 4 some cold
// OTHER-NOT:  {{.}}

#include "thermocline/hints.h"
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PLUGIN
static void check(int IsRight, const char *What) {
  if (!IsRight) {
    printf("wrong: %s\n", What);
    exit(1);
  }
}

static void useAll(unsigned Size) {
  char *All[14];
  unsigned Count = 0;
  void *Aligned;
  All[Count++] = malloc(Size);
  All[Count++] = malloc_cold(Size);
  All[Count++] = calloc(1, Size);
  All[Count++] = calloc_cold(1, Size);
  check(All[2][Size - 1] == 0 && All[3][Size - 1] == 0, "zeros");
  check(posix_memalign(&Aligned, 64, Size) == 0, "posix_memalign");
  All[Count++] = Aligned;
  check(posix_memalign_cold(&Aligned, 64, Size) == 0, "posix_memalign_cold");
  All[Count++] = Aligned;
  All[Count++] = memalign(256, Size);
  All[Count++] = memalign_cold(256, Size);
  All[Count++] = aligned_alloc(128, Size);
  All[Count++] = aligned_alloc_cold(128, Size);
  for (unsigned I = 4; I != Count; ++I)
    check((uintptr_t)All[I] % 64 == 0, "alignment");
  All[Count++] = strdup("some");
  All[Count++] = strdup_cold("some");
  All[Count++] = strndup_cold("some more", 4);
  All[Count++] = realloc(NULL, Size);
  for (unsigned I = 0; I != Count; ++I) {
    check(malloc_usable_size(All[I]) >= (I < 10 || I == 13 ? Size : 5), "size");
    strcpy(All[I], "some");
    // From either kind to the other.
    All[I] = (I + Size) % 2 ? realloc(All[I], 3 * Size)
                            : realloc_cold(All[I], 3 * Size);
    check(strcmp(All[I], "some") == 0, "contents");
  }
  for (unsigned I = 0; I != Count; ++I)
    free(All[I]);
}

static void *useMuch(void *Unused) {
  for (unsigned I = 0; I != 500; ++I)
    useAll(8 + I % 5000);
  return Unused;
}

int main(void) {
  if (getenv("DEEPBIND")) {
    void *Plugin = dlopen(getenv("DEEPBIND"), RTLD_NOW | RTLD_DEEPBIND);
    check(Plugin != NULL, "dlopen");
    ((void (*)(void))dlsym(Plugin, "usePlugin"))();
  }
  check(dlerror() == NULL, "an error is left");
  pthread_t Threads[4];
  for (unsigned I = 0; I != 4; ++I)
    pthread_create(&Threads[I], NULL, useMuch, NULL);
  pid_t Child = fork();
  if (Child != 0)
    for (unsigned I = 0; I != 4; ++I)
      pthread_join(Threads[I], NULL);
  useMuch(NULL);
  if (Child != 0) {
    int Status;
    check(waitpid(Child, &Status, 0) == Child && Status == 0, "child");
  }
  puts("all is right");
}
#else
void usePlugin(void) { free(strdup("some")); }
#endif
