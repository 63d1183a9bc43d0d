; The frames of middle and last are missing in the contexts: they were left by tail
; calls. There is one chain only, and the calls of it are redirected.
;
; RUN: rm -rf %t && mkdir %t && cd %t && %llvm-as %s -o a.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--lto-O0,--thinlto-memprof=on a.o %libhints -o program -Wl,--save-temps=opt \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %llvm-dis < program.0.4.opt.bc | %FileCheck %s

; STATS: 3 clones of 3 functions; cold->cold 1 context, 0 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 1 context

; CHECK-LABEL: @main(
; CHECK: call ptr @middle(i64 8)
; CHECK: call ptr @middle.memprof.1(i64 64)
; CHECK-LABEL: define internal ptr @middle(
; CHECK: tail call ptr @last(
; CHECK-LABEL: define internal ptr @last(
; CHECK: musttail call ptr @node(
; CHECK-DAG: = tail call ptr @last.memprof.1(
; CHECK-DAG: = musttail call ptr @node.memprof.1(
; CHECK-DAG: = call ptr @malloc_cold(

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define i32 @main() {
  %hot = call ptr @middle(i64 8), !callsite !20
  %cold = call ptr @middle(i64 64), !callsite !21
  store volatile i64 1, ptr %hot
  store volatile i64 1, ptr %cold
  ret i32 0
}
define internal ptr @middle(i64 %n) {
  %p = tail call ptr @last(i64 %n)
  ret ptr %p
}
define internal ptr @last(i64 %n) {
  %p = musttail call ptr @node(i64 %n)
  ret ptr %p
}
define internal ptr @node(i64 %n) {
  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !9
  ret ptr %p
}
!0 = !{!1, !3}
!1 = !{!2, !"notcold"}
!2 = !{i64 1, i64 20}
!3 = !{!4, !"cold"}
!4 = !{i64 1, i64 21}
!9 = !{i64 1}
!20 = !{i64 20}
!21 = !{i64 21}
