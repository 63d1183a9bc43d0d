// What a program says to the runtime by symbols holds however it hides them:
// the name of the profile, options, hooks, histograms, handlers, and that it has a
// sanitizer. So it does for objects that clang's own -fmemory-profile made.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: echo '{ local: *; };' > all.map && echo '{ global: main; local: *; };' > main.map
// RUN: histogram="-Xclang -mllvm -Xclang -thermocline-generate-histogram"
// RUN: file="-Xclang -mllvm -Xclang -thermocline-generate-file=%t/raw.named"
// RUN: options="-Xclang -mllvm -Xclang -memprof-runtime-default-options=atexit=1"
// RUN: ours="%clangxx --config=%generate-cfg -std=c++17 -O1 -fno-builtin $histogram $file $options"
// RUN: $ours -c %s -o ours.o && $ours -fvisibility=hidden -c %s -o hidden.o && %llvm-ar rc ours.a ours.o
// RUN: $ours -fPIC -flto -c %s -o bitcode.o
// RUN: %clangxx -fmemory-profile=%t -mllvm -memprof-histogram -mllvm -memprof-runtime-default-options=atexit=1 -std=c++17 -O1 -fno-builtin -g -c %s -o stock.o
// RUN: link() { %clangxx --config=%generate-cfg "$@" -o program; }
//
// RUN: run() { \
// RUN:   rm -rf raw.* memprof.profraw.*; \
// RUN:   ./program > out 2>&1 && cat out | %FileCheck %s && [ -f $1.*.own ] && \
// RUN:   %not --crash ./program misuse 2>&1 | %FileCheck %s --check-prefix=MISUSE; }
// CHECK-NOT: Thermocline
// CHECK: hooks 1 1, new handler 1, thrown 1
// CHECK-NEXT: Stats: {{[0-9]+}}M malloced
// MISUSE: {{^}}told
// MISUSE-NEXT: Thermocline: free(): not an address from malloc
// RUN: for linker in lld bfd gold mold; do \
// RUN:   for flags in "ours.o -Wl,--version-script=all.map" "ours.o -Wl,--version-script=main.map -no-pie" \
// RUN:       "-Wl,--whole-archive ours.a -Wl,--no-whole-archive -Wl,--exclude-libs,ALL" "hidden.o -Wl,--gc-sections -Wl,-Bsymbolic" \
// RUN:       "ours.o -Wl,--version-script=all.map -static-libstdc++ -static-libgcc" "ours.o"; do \
// RUN:     link -fuse-ld=$linker -Wl,-rpath,%build/lib $flags && run raw.named || { echo $linker $flags; exit 1; }; \
// RUN:   done; \
// RUN:   link -fuse-ld=$linker -Wl,-rpath,%build/lib -Wl,--version-script=all.map stock.o && run memprof.profraw || exit 1; \
// RUN: done
// RUN: link -fuse-ld=lld -flto -Wl,--version-script=all.map bitcode.o && run raw.named
// RUN: link -fuse-ld=lld ours.o -static && run raw.named
//
// A library's holds for a program that says nothing.
// RUN: echo '{ global: library; local: *; };' > library.map
// RUN: $ours -fPIC -shared -fuse-ld=lld -Wl,--version-script=library.map -DLIBRARY %s -o library.so
// RUN: %clangxx -std=c++17 -DPROGRAM -c %s -o plain.o && link -fuse-ld=lld -Wl,--version-script=all.map plain.o ./library.so && run raw.named
//
// A linker may be told to drop the note. Then the runtime hears what is exported alone.
// RUN: echo 'SECTIONS { /DISCARD/ : { *(.note.thermocline) } } INSERT AFTER .text;' > discard
// RUN: link -fuse-ld=lld -Wl,-T,discard -Wl,-rpath,%build/lib ours.o && run raw.named
// RUN: link -fuse-ld=lld -Wl,-T,discard -Wl,-rpath,%build/lib -Wl,--version-script=all.map ours.o
// RUN: ./program 2>&1 | %FileCheck %s --check-prefix=LOST
// LOST: {{^}}hooks 0 0, new handler 1, thrown 1
//
// A sanitizer is noticed.
// RUN: for hidden in "" -Wl,--version-script=main.map; do for sanitizer in address thread leak; do \
// RUN:   link -fuse-ld=lld $hidden -fsanitize=$sanitizer ours.o && %not --crash ./program 2>&1 | %FileCheck %s --check-prefix=SANITIZER || exit 1; \
// RUN: done; done
// SANITIZER: {{^}}Thermocline: a program cannot be profiled and have {{[A-Z][a-z]*}}Sanitizer

#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>
#include <vector>

#ifndef PROGRAM
static int Allocated, Freed;

extern "C" {
void __sanitizer_malloc_hook(const volatile void *, size_t Size) {
  Allocated += Size == 1234;
}
void __sanitizer_free_hook(const volatile void *) { ++Freed; }
const char *__memprof_default_options() { return "log_suffix=.own"; }
void __memprof_on_error() {
  if (write(2, "told\n", 5) != 5)
    std::abort();
}
}

static int Handled;

extern "C" int library(int ArgumentCount) {
  static char NoBlock[64];
  if (ArgumentCount > 1)
    std::free(NoBlock + 16);
  char *volatile P = static_cast<char *>(std::malloc(1234));
  P[0] = 1;
  Freed = 0;
  std::free(P);
  int FreedOnce = Freed;
  std::set_new_handler([] {
    ++Handled;
    std::set_new_handler(nullptr);
  });
  // What throws in a static C++ library is there if the program may throw.
  std::vector<int>().resize(static_cast<unsigned>(ArgumentCount));
  int Thrown = 0;
  try {
    ::operator delete(::operator new(size_t(1) << 60));
  } catch (const std::bad_alloc &) {
    Thrown = 1;
  }
  std::fprintf(stderr, "hooks %d %d, new handler %d, thrown %d\n", Allocated, FreedOnce, Handled, Thrown);
  return 0;
}
#endif

#ifndef LIBRARY
#ifdef PROGRAM
extern "C" int library(int);
#endif
int main(int ArgumentCount, char **) { return library(ArgumentCount); }
#endif
