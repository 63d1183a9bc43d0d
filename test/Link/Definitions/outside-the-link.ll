; Code outside the link calls functions of it, and is called by it. Its calls cannot
; be redirected: they reach the original, which stays as it was.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in main make; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %clang -c -x c outside.c -o outside.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o make.o outside.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats -Wl,--save-temps=precodegen 2>&1 | %FileCheck %s
; CHECK: 1 clone of 1 function; cold->cold 1 context, 64 B; cold->not 2 contexts, 30 B; not->cold 0 contexts, 0 B; not->not 2 contexts, 72 B
; CHECK: cold without a hint, unmatched frame: 2 contexts, 30 B
; RUN: %t/program
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=NM
; NM-NOT: given.memprof
; NM: t make.memprof.1
; NM-NOT: given.memprof

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @outside(ptr, i64)
declare ptr @make(i64)
declare ptr @given(i64)
define i32 @main() {
  %a = call ptr @outside(ptr @given, i64 8), !callsite !0
  %b = call ptr @make(i64 8), !callsite !1
  %c = call ptr @make(i64 9), !callsite !2
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
!2 = !{i64 12}
;--- make.ll
source_filename = "make.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @make(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !9, !callsite !10
  ret ptr %p
}
define ptr @given(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !17, !callsite !18
  ret ptr %p
}
!0 = !{i64 1, i64 11}
!1 = !{i64 100, i64 64}
!2 = !{!0, !"cold", !1}
!3 = !{i64 1, i64 12}
!4 = !{i64 101, i64 32}
!5 = !{!3, !"notcold", !4}
!6 = !{i64 1, i64 90}
!7 = !{i64 102, i64 10}
!8 = !{!6, !"cold", !7}
!9 = !{!2, !5, !8}
!10 = !{i64 1}
!11 = !{i64 2, i64 91, i64 10}
!12 = !{i64 103, i64 20}
!13 = !{!11, !"cold", !12}
!14 = !{i64 2, i64 92, i64 13}
!15 = !{i64 104, i64 40}
!16 = !{!14, !"notcold", !15}
!17 = !{!13, !16}
!18 = !{i64 2}
;--- outside.c
#include <stddef.h>
void *make(size_t);
void *outside(void *(*given)(size_t), size_t n) {
  return (char *)given(n) - (char *)make(n) ? given(n) : 0;
}
