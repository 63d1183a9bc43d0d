// An allocation function of the program's own, named by option or in the source. Its
// calls are annotated, and marked with the twin, which the link is to keep.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 %annotate -mllvm -thermocline-alloc-function=pool_alloc:pool_alloc_cold -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=STATS
// RUN: %annotations --names %t.ll | %FileCheck %s --check-prefix=CALLS
// RUN: %FileCheck %s --check-prefix=IR < %t.ll
// Said in the source, and with several names in one option.
// RUN: %clangxx -O2 %annotate -DSAID='[[clang::annotate("alloc-variant-cold=pool_alloc_cold")]]' -fmemory-profile-use=%t.prof %s -o %t.said.ll
// RUN: %FileCheck %s --check-prefix=IR < %t.said.ll
// RUN: %clangxx -O2 %annotate -mllvm -thermocline-alloc-function=other:other_cold,pool_alloc:pool_alloc_cold -fmemory-profile-use=%t.prof %s -o %t.list.ll
// RUN: %FileCheck %s --check-prefix=IR < %t.list.ll
// -fno-builtin is of functions that the compiler knows.
// RUN: %clangxx -O2 %annotate -fno-builtin -mllvm -thermocline-alloc-function=pool_alloc:pool_alloc_cold -fmemory-profile-use=%t.prof %s -o %t.nobuiltin.ll
// RUN: %FileCheck %s --check-prefix=IR < %t.nobuiltin.ll
// So at every level, and with the body in this module: it is neither inlined, nor
// does its ignoring the tag make the tag poison.
// RUN: for level in 1 2 3 s; do %clangxx -O$level %annotate -DBODY -mllvm -thermocline-alloc-function=pool_alloc:pool_alloc_cold -fmemory-profile-use=%t.prof %s -o %t.body.ll && %FileCheck %s --check-prefix=IR < %t.body.ll || exit 1; done
// RUN: %FileCheck %s --check-prefix=BODY < %t.body.ll
// Not named, it is a function like others.
// RUN: %clangxx -O2 %annotate -fmemory-profile-use=%t.prof %s -o %t.plain.ll
// RUN: %not grep -E 'memprof|variant' %t.plain.ll

// PROFILE: cold    2000: _Z4makej+1:10 < main+0:21
// PROFILE: notcold 1000: _Z4makej+1:10 < main+1:21

// clang-format off
#ifndef SAID
#define SAID
#endif
extern "C" SAID void *pool_alloc(unsigned Tag, unsigned long N);
extern "C" SAID void *other(unsigned long N);
void *make(unsigned N) {
  return pool_alloc(7, N);
}
// Not in the profile.
void *never(unsigned N) {
  return pool_alloc(8, N);
}
#ifdef BODY
extern "C" char Arena[], *Top;
void *pool_alloc(unsigned, unsigned long N) {
  return Top += N; }
#endif

// STATS: allocation calls 2
// STATS: matched 1
// STATS: attached 2

// CALLS:      _Z4makej: @pool_alloc at _Z4makej+1:10
// CALLS-NEXT:   cold _Z4makej+1:10 < {{.*}} (2000)
// CALLS-NEXT:   notcold _Z4makej+1:10 < {{.*}} (1000)
// CALLS:      1 annotated calls

// IR-NOT:  thermocline.pool_alloc
// IR:      @llvm.compiler.used = appending global [3 x ptr] [ptr @pool_alloc_cold, ptr @__thermocline_linked_by_another_linker, ptr @__thermocline_linked_by_another_linker_note]
// IR:      define {{.*}} @_Z4makej
// IR:      call {{.*}} @pool_alloc(i32 noundef 7, {{.*}} #[[MARK:[0-9]+]], {{.*}}!memprof
// IR:      define {{.*}} @_Z5neverj
// IR-NOT:  memprof
// IR:      declare ptr @pool_alloc_cold(i32{{.*}}, i64{{.*}})
// IR:      attributes #[[MARK]] = { {{.*}}"alloc-variant-cold"="pool_alloc_cold"
// IR-NOT:  thermocline-hides
// BODY:    define {{.*}} @pool_alloc(
