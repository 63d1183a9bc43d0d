// A library that finds the table of an allocator of another version says so
// once, and calls nothing of it, whether a symbol or a note tells of the table.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fPIC -shared -DLIBRARY %s %libhints -o library.so
// RUN: %clang -O1 -DVERSION=2 -rdynamic %s -o exported
// RUN: ./exported 2>&1 | %FileCheck --check-prefix=NEWER %s
// RUN: %clang -O1 -DVERSION=2 -DNOTE -I %S/../../../include %s -o noted
// RUN: ./noted 2>&1 | %FileCheck --check-prefix=NEWER %s
// RUN: %clang -O1 -DVERSION=0 -rdynamic %s -o older
// RUN: ./older 2>&1 | %FileCheck --check-prefix=OLDER %s
//
// NEWER: {{^}}thermocline: warning: hints are of version 1, but the allocator knows version 2: they are ignored{{$}}
// NEWER-NOT: {{.}}
// OLDER: {{^}}thermocline: warning: hints are of version 1, but the allocator knows version 0: they are ignored{{$}}
// OLDER-NOT: {{.}}
//
// Its own version is used without a word.
// RUN: %clang -O1 -DVERSION=1 -rdynamic %s -o same
// RUN: ./same 2>&1 | %FileCheck --check-prefix=SAME %s
// SAME: {{^}}the table is used{{$}}
// SAME-NOT: {{.}}

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef LIBRARY
void *malloc_cold(size_t);
void *calloc_cold(size_t, size_t);
void *make(void) {
  free(calloc_cold(10, 100));
  free(malloc_cold(10));
  return malloc_cold(1000);
}
#else
static void used(void) {
  static const char Text[] = "the table is used\n";
  write(STDERR_FILENO, Text, sizeof(Text) - 1);
  _exit(0);
}

// Whatever is called of it ends here.
struct Table {
  unsigned Version;
  void (*Members[32])(void);
};
#define EIGHT used, used, used, used, used, used, used, used
extern const struct Table thermocline_alloc_hints;
#ifdef NOTE
#include "thermocline/Format/ProgramNotes.h"
__attribute__((visibility("hidden")))
#endif
const struct Table thermocline_alloc_hints = {VERSION,
                                              {EIGHT, EIGHT, EIGHT, EIGHT}};
#ifdef NOTE
THERMOCLINE_NOTE(THERMOCLINE_NOTE_ALLOCATOR,
                 ".long thermocline_alloc_hints - 2b");
#endif

int main(void) {
  void *Library = dlopen("./library.so", RTLD_NOW);
  if (!Library)
    return 1;
  void *(*Make)(void) = (void *(*)(void))dlsym(Library, "make");
  char *Memory = Make();
  Memory[999] = 1;
  free(Memory);
  return 0;
}
#endif
