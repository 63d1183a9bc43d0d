; A chain of tail calls with a cycle in it: how often a run went round is not known,
; so the calls on the cycle do not count, nor does what only they connect.
;
; RUN: rm -rf %t && mkdir %t && %opt -thinlto-bc %s -o %t/a.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin a.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s
; CHECK: 0 clones of 0 functions; cold->cold 0 contexts, 0 B; cold->not 1 context, 32 B; not->cold 0 contexts, 0 B; not->not 1 context, 8 B
; RUN: %t/program

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define internal ptr @leaf(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !1, !callsite !6
  ret ptr %p
}
define internal ptr @even(i64 %n) noinline {
  %small = icmp ult i64 %n, 3
  br i1 %small, label %done, label %on
done:
  %p = tail call ptr @leaf(i64 %n)
  ret ptr %p
on:
  %m = lshr i64 %n, 1
  %q = tail call ptr @odd(i64 %m)
  ret ptr %q
}
define internal ptr @odd(i64 %n) noinline {
  %p = tail call ptr @even(i64 %n)
  ret ptr %p
}
define internal ptr @enter(i64 %n) noinline {
  %p = tail call ptr @odd(i64 %n)
  ret ptr %p
}
define i32 @main() {
  %hot = call ptr @enter(i64 8), !callsite !9
  %cold = call ptr @enter(i64 32), !callsite !10
  store volatile i8 1, ptr %hot
  store volatile i8 1, ptr %cold
  ret i32 0
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 8}
!8 = !{i64 101, i64 32}
!9 = !{i64 10}
!10 = !{i64 11}
