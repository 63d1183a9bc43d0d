; A context that passes a recursive function several times. Whatever is decided
; must be sound, and the program must run.
;
; RUN: %opt -thinlto-bc %s -o %t.o
; RUN: %clang --ld-path=%ld.lld -flto=thin %t.o %libhints -o %t.program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s
; RUN: %t.program
; CHECK: not->cold 0 contexts

source_filename = "recursion.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define ptr @descend(i64 %depth, i64 %n) noinline {
  %done = icmp eq i64 %depth, 0
  br i1 %done, label %leaf, label %inner
leaf:
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !0
  ret ptr %p
inner:
  %less = sub i64 %depth, 1
  %q = call ptr @descend(i64 %less, i64 %n), !callsite !9
  ret ptr %q
}
define i32 @main() {
  %hot = call ptr @descend(i64 3, i64 8), !callsite !10
  %cold = call ptr @descend(i64 4, i64 64), !callsite !11
  store volatile i32 1, ptr %hot
  store volatile i32 1, ptr %cold
  ret i32 0
}
!0 = !{i64 1}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 5, i64 5, i64 5, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 5, i64 5, i64 5, i64 5, i64 11}
!7 = !{i64 100, i64 800}
!8 = !{i64 101, i64 6400}
!9 = !{i64 5}
!10 = !{i64 10}
!11 = !{i64 11}
