// Where the library that profiles programs is preloaded, a program with this
// allocator keeps its heaps: of all functions, in threads and children, what is
// hinted is cold, also what is watched, and what is resized is what the last
// call asked for. On a busy machine, a few allocations may be missing in a
// profile that is written beside a fork, which is said.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -pthread %s -I%srcroot/runtime/alloc/include %liballoc -lm -o archive
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -pthread %s -I%srcroot/runtime/alloc/include -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o shared
// RUN: for program in archive shared; do for more in "" ":page_touches=1" ":page_touches=1:sample=1" ":page_touches=1:order"; do \
// RUN:   env THERMOCLINE_ALLOC_STATS=1 THERMOCLINE_ALLOC_ORDER=$(echo $more | grep -c order) MEMPROF_OPTIONS=sample=5:log_path=%t/raw${more%%:order} LD_PRELOAD=%preload ./$program || exit 1; \
// RUN: done; done 2>&1 | awk -F'[= ]' '/kind=total/ { print $7 - $11, "are not cold" } /could not wait for a fork|forked beside its other threads/ { next } /warning|Thermocline|all is right/' | sort | uniq -c | %FileCheck %s
// Those of more than a MiB are the profiler's.
// CHECK:      8 15 are not cold
// CHECK-NEXT: 8 3 are not cold
// CHECK-NEXT: 16 all is right
// CHECK-NOT:  {{.}}
// RUN: ls raw.* | wc -l | grep -x 16
//
// mold fills in null for what is weak and in a library.
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -pthread %s -I%srcroot/runtime/alloc/include %liballoc -lm -fuse-ld=mold -o mold
// RUN: env THERMOCLINE_ALLOC_STATS=1 MEMPROF_OPTIONS=page_touches=1:sample=5:log_path=%t/mold.raw LD_PRELOAD=%preload ./mold 2>&1 | awk -F'[= ]' '/kind=total/ { print $7 - $11, "are not cold" } /could not wait for a fork|forked beside its other threads/ { next } /warning|Thermocline/' | sort | %FileCheck %s --check-prefix=MOLD
// MOLD:      15 are not cold
// MOLD-NEXT: 3 are not cold
// MOLD-NOT:  {{.}}
//
// A plugin that would take libc's functions before the program's.
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -shared -fPIC -DPLUGIN %s -I%srcroot/runtime/alloc/include -o plugin.so
// RUN: env DEEPBIND=%t/plugin.so MEMPROF_OPTIONS=sample=5:log_path=%t/deep.raw LD_PRELOAD=%preload ./archive | grep -c right | grep -x 2
//
// Without a cold heap all is ordinary.
// RUN: env THERMOCLINE_ALLOC_COLD_MIB=0 MEMPROF_OPTIONS=page_touches=1:sample=5:log_path=%t/none.raw LD_PRELOAD=%preload ./archive | grep -c right | grep -x 2
//
// An allocator of before asks for what serves instead of it; so does one that
// comes when memory has been given out. Nothing lands cold, and it is said why.
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -DOLDER %s -o older
// RUN: env MEMPROF_OPTIONS=page_touches=1:sample=1:log_path=%t/older.raw LD_PRELOAD=%preload ./older > older.said 2>&1 && %FileCheck %s --check-prefix=OLDER --input-file=older.said
// OLDER: Thermocline: the program's libthermocline_alloc does not serve it while it is profiled, and nothing lands cold: it is of an older version, or came late
// OLDER: older: 1
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -DLATE %s -I%srcroot/runtime/alloc/include -o late
// RUN: env GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536 MEMPROF_OPTIONS=page_touches=1:sample=5:log_path=%t/late.raw LD_PRELOAD=%preload ./late %build/lib/libthermocline_alloc.so > late.said 2>&1 && %FileCheck %s --check-prefix=LATE --input-file=late.said
// LATE: nothing lands cold: it is of an older version, or came late
// LATE: late: cold 0
//
// Hooks want to see each call, which an allocator of its own does not show.
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin -DHOOKED %s -I%srcroot/runtime/alloc/include %liballoc -lm -Wl,--export-dynamic -o hooked
// RUN: env MEMPROF_OPTIONS=page_touches=1:sample=5:log_path=%t/hooked.raw LD_PRELOAD=%preload ./hooked > hooked.said 2>&1 && %FileCheck %s --check-prefix=HOOKED --input-file=hooked.said
// HOOKED: nothing lands cold: the options and the program do not let it
// HOOKED: hooked: cold 0, seen all
//
// A program that is not to be profiled keeps its cold heap, in silence.
// RUN: rm raw.* && for program in archive shared; do env THERMOCLINE_ALLOC_STATS=1 MEMPROF_OPTIONS=programs=others:log_path=%t/raw LD_PRELOAD=%preload ./$program || exit 1; done 2>&1 | sed -nE 's/.*kind=total .*cold_calls=[1-9].*/some cold/p;t;/thermocline-alloc/!p' | sort | %FileCheck %s --check-prefix=UNLISTED
// UNLISTED-COUNT-4: all is right
// UNLISTED-COUNT-4: some cold
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

#ifndef OLDER
#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#endif
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(PLUGIN)
void usePlugin(void) { free(strdup("some")); }
#elif defined(OLDER)
// What an older allocator does.
static struct {
  void *(*Malloc)(size_t);
  void *(*Calloc)(size_t, size_t);
  void *(*Realloc)(void *, size_t);
  void (*Free)(void *);
} const *Profiler;
static char Early[4096];
static size_t Used;
static int isServed(void) {
  static int Asks;
  if (!Profiler && !Asks) {
    Asks = 1;
    Profiler = ((void *(*)(void))dlsym(RTLD_DEFAULT,
                                       "thermocline_profiler_functions_v1"))();
    Asks = 0;
  }
  return Profiler != NULL;
}
void *malloc(size_t Size) {
  return isServed() ? Profiler->Malloc(Size) : &Early[Used += 64 + Size];
}
void *calloc(size_t Count, size_t Size) {
  return isServed() ? Profiler->Calloc(Count, Size) : malloc(Count * Size);
}
void *realloc(void *Old, size_t Size) {
  return isServed() ? Profiler->Realloc(Old, Size) : malloc(Size);
}
void free(void *Old) {
  if ((char *)Old < Early || (char *)Old >= Early + sizeof(Early))
    Profiler->Free(Old);
}
int main(void) {
  char *Some = strdup("some");
  Some = realloc(Some, 5000);
  printf("older: %d\n", strcmp(Some, "some") == 0);
  free(Some);
}
#elif defined(HOOKED)
static unsigned Seen;
void __sanitizer_malloc_hook(const volatile void *Object, size_t Size) {
  Seen += Object && Size == 32;
}
void __sanitizer_free_hook(const volatile void *Object) { (void)Object; }
int main(void) {
  int Number = 0;
  for (unsigned I = 0; I != 1000; ++I) {
    void *Object = malloc_cold(32);
    Number += thermocline_alloc_is_cold(Object) == 1;
    free(Object);
  }
  printf("hooked: cold %d, seen %s\n", Number, Seen == 1000 ? "all" : "few");
}
#elif defined(LATE)
int main(int Count, char **Arguments) {
  void *First = malloc(10);
  void *Library = dlopen(Arguments[Count - 1], RTLD_NOW | RTLD_GLOBAL);
  void *(*Cold)(size_t) = (void *(*)(size_t))dlsym(Library, "malloc_cold");
  int (*IsCold)(const void *) =
      (int (*)(const void *))dlsym(Library, "thermocline_alloc_is_cold");
  int Number = 0;
  for (unsigned I = 0; I != 1000; ++I) {
    void *Object = Cold(32);
    Number += IsCold(Object);
    free(Object);
  }
  free(First);
  printf("late: cold %d\n", Number);
}
#else
static void check(int IsRight, const char *What) {
  if (!IsRight) {
    printf("wrong: %s\n", What);
    exit(1);
  }
}

static int HasCold;

/// Objects of all sizes up to some MiB, which grow and shrink.
static void useLarge(void) {
  for (size_t Size = 1000; Size < 8 << 20; Size = Size * 3 + 1) {
    char *Zeros = calloc(1, Size), *Some = malloc(Size / 2);
    for (size_t I = 0; I < Size; I += 499)
      check(Zeros[I] == 0, "zeros of a large object");
    strcpy(Some, "some");
    Some = realloc(Some, Size);
    Some[Size - 1] = 1;
    Some = realloc_cold(Some, 2 * Size);
    check(Some[Size - 1] == 1, "end of what grew");
    Some = realloc(Some, 10);
    check(strcmp(Some, "some") == 0, "beginning of what shrank");
    free(Zeros);
    free(Some);
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
  for (unsigned I = 0; I != Count; ++I)
    check(thermocline_alloc_is_cold(All[I]) == (HasCold && I % 2), "heap");
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
    check(thermocline_alloc_is_cold(All[I]) == (HasCold && (I + Size) % 2 == 0),
          "heap of what was resized");
  }
  for (unsigned I = 0; I != Count; ++I)
    free(All[I]);
}

static void *useMuch(void *Unused) {
  for (unsigned I = 0; I != 500; ++I)
    useAll(8 + I % 5000);
  useLarge();
  return Unused;
}

int main(void) {
  const char *ColdMiB = getenv("THERMOCLINE_ALLOC_COLD_MIB");
  HasCold = !ColdMiB || strcmp(ColdMiB, "0") != 0;
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
#endif
