; A module that has another copy of a function is compiled by what was decided on
; the copy that prevails, so the cache must know that it is. Here nothing is
; imported, and nothing else of b.o changes when a.o gets another profile.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in a b; do %opt -thinlto-bc -module-hash $f.ll -o $f.o; done
; RUN: cd %t && sed '/step(i64 8)/s/, !callsite !8//; /step(i64 9)/s/, !callsite !9//; s/, !memprof !1, !callsite !6//' a.ll > none.ll && %opt -thinlto-bc -module-hash none.ll -o none.o
; RUN: echo '%clangxx --ld-path=%ld.lld -flto=thin "$1" b.o %libhints -o program -Wl,--thinlto-cache-dir=cache -Wl,-mllvm,-import-instr-limit=0 -Wl,-mllvm,-thermocline-stats' > %t/link
; RUN: cd %t && sh link a.o 2>&1 | %FileCheck %s --check-prefix=TWO && ./program
; TWO: 1 clone of 1 function
; TWO: 2 modules compiled
; RUN: cd %t && sh link a.o 2>&1 | %FileCheck %s --check-prefix=NOTHING
; NOTHING: 0 modules compiled
; RUN: cd %t && cp a.o kept.o && cp none.o a.o && sh link a.o 2>&1 | %FileCheck %s --check-prefix=BOTH && ./program
; BOTH: 2 modules compiled
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=ORIGINAL
; ORIGINAL-NOT: memprof
; ORIGINAL: T main

;--- a.ll
source_filename = "a.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
declare void @other()
define ptr @step(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !1, !callsite !6
  ret ptr %p
}
define linkonce_odr void @both() {
  %a = call ptr @step(i64 8), !callsite !8
  %b = call ptr @step(i64 9), !callsite !9
  store volatile i8 1, ptr %a
  store volatile i8 1, ptr %b
  ret void
}
define i32 @main() {
  call void @both()
  call void @other()
  ret i32 0
}
!1 = !{!2, !4}
!2 = !{!3, !"cold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"notcold", !10}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 64}
!8 = !{i64 10}
!9 = !{i64 11}
!10 = !{i64 101, i64 64}
;--- b.ll
source_filename = "b.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @step(i64)
define linkonce_odr void @both() {
  %a = call ptr @step(i64 8), !callsite !8
  %b = call ptr @step(i64 9), !callsite !9
  store volatile i8 1, ptr %a
  store volatile i8 1, ptr %b
  ret void
}
define void @other() noinline {
  call void @both()
  ret void
}
!8 = !{i64 10}
!9 = !{i64 11}
