; Calls that --wrap, --defsym or scripts send elsewhere keep their wrapper: the
; allocator's cold variant would go past it. Other functions are hinted as ever. The names count
; for the cache, too.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc main.ll -o main.o && %clang -O1 -fno-builtin -c wrapper.c
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o wrapper.o %liballoc -Wl,-mllvm,-thermocline-stats -Wl,--thinlto-cache-dir=%t/cache -o program 2>&1 | %FileCheck %s --check-prefix=PLAIN
; PLAIN: 2 calls made cold (1 malloc, 1 calloc)
; RUN: env THERMOCLINE_ALLOC_STATS=1 %t/program 2>&1 | %FileCheck %s --check-prefix=BOTH
; BOTH: kind=malloc calls=1
; BOTH: kind=calloc calls=1

; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o wrapper.o %liballoc -Wl,--wrap=malloc -Wl,-mllvm,-thermocline-stats -Wl,--thinlto-cache-dir=%t/cache -o program 2>&1 | %FileCheck %s
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o wrapper.o %liballoc -Wl,--wrap=malloc -Rpass-missed=memprof -o program 2>&1 | %FileCheck %s --check-prefix=REMARK
; REMARK: call in clone {{.*}}, marked cold, keeps its function: redefined by --wrap, --defsym or a script
; RUN: env THERMOCLINE_ALLOC_STATS=1 %t/program 2>&1 | %FileCheck %s --check-prefix=ONE
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o wrapper.o %liballoc -Wl,--wrap -Wl,malloc -Wl,-mllvm,-thermocline-stats -o program 2>&1 | %FileCheck %s
; RUN: env THERMOCLINE_ALLOC_STATS=1 %t/program 2>&1 | %FileCheck %s --check-prefix=ONE
; RUN: cd %t && echo "-wrap malloc" > arguments && %clang --ld-path=%ld.lld -flto=thin main.o wrapper.o %liballoc -Wl,@arguments -Wl,-mllvm,-thermocline-stats -o program 2>&1 | %FileCheck %s
; RUN: env THERMOCLINE_ALLOC_STATS=1 %t/program 2>&1 | %FileCheck %s --check-prefix=ONE
; CHECK: 1 call made cold (1 calloc); 1 not, redefined by --wrap, --defsym or a script
; ONE: wrapped 100
; ONE: kind=malloc calls=0
; ONE: kind=calloc calls=1

; With the fallback of the hints, --defsym may replace the C library's function.
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o wrapper.o %libhints -Wl,--defsym=malloc=mine -Wl,-mllvm,-thermocline-stats -o program 2>&1 | %FileCheck %s
; RUN: %t/program | %FileCheck %s --check-prefix=MINE
; MINE: mine 100
; So may a script, as an input or by -T.
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o wrapper.o %libhints first.lds -Wl,-mllvm,-thermocline-stats -o program 2>&1 | %FileCheck %s
; RUN: %t/program | %FileCheck %s --check-prefix=MINE
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o wrapper.o %libhints -Wl,-T,assignments.lds -Wl,-mllvm,-thermocline-stats -o program 2>&1 | %FileCheck %s
; RUN: %t/program | %FileCheck %s --check-prefix=MINE

;--- main.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@sink = global ptr null
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
define i32 @main() {
  %p = call ptr @malloc(i64 100) "memprof"="cold"
  store volatile ptr %p, ptr @sink
  %q = call ptr @calloc(i64 10, i64 10) "memprof"="cold"
  store volatile ptr %q, ptr @sink
  ret i32 0
}

;--- first.lds
INCLUDE assignments.lds
;--- assignments.lds
/* calloc = mine; */
PROVIDE(malloc = mine);
;--- wrapper.c
#include <unistd.h>
#include <stdio.h>
#include <string.h>
extern void *__real_malloc(unsigned long) __attribute__((weak));
static void say(const char *Text) { write(1, Text, strlen(Text)); }
void *__wrap_malloc(unsigned long N) {
  say(N == 100 ? "wrapped 100\n" : "");
  return __real_malloc(N);
}
static char Memory[1 << 16] __attribute__((aligned(64)));
static unsigned long Used;
void *mine(unsigned long N) {
  say(N == 100 ? "mine 100\n" : "");
  void *P = Memory + Used;
  Used += (N + 63) / 64 * 64;
  return P;
}
