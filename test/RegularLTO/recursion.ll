; Direct and mutual recursion, with a cold and a warm entry, and an unprofiled caller,
; which reaches the original.
;
; RUN: rm -rf %t && mkdir %t && cd %t && %llvm-as %s -o a.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--lto-O0,--thinlto-memprof=on a.o %libhints -o program -Wl,--save-temps=opt \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %llvm-dis < program.0.4.opt.bc | %FileCheck %s

; STATS: cold->cold 2 contexts, 0 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 2 contexts
; CHECK-LABEL: @main(
; CHECK: call ptr @even(i64 4)
; CHECK: call ptr @even.memprof.{{[0-9]}}(i64 4)
; CHECK: call ptr @even(i64 2)

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define i32 @main() {
  %a = call ptr @even(i64 4), !callsite !20
  %b = call ptr @even(i64 4), !callsite !21
  %c = call ptr @even(i64 2)
  store volatile i64 1, ptr %a
  store volatile i64 1, ptr %b
  ret i32 0
}
define internal ptr @even(i64 %n) {
  %last = icmp eq i64 %n, 0
  br i1 %last, label %allocate, label %further
allocate:
  %p = call ptr @malloc(i64 64), !memprof !0, !callsite !9
  ret ptr %p
further:
  %m = sub i64 %n, 1
  %q = call ptr @odd(i64 %m), !callsite !30
  ret ptr %q
}
define internal ptr @odd(i64 %n) {
  %m = sub i64 %n, 1
  %q = call ptr @even(i64 %m), !callsite !31
  ret ptr %q
}
!0 = !{!1, !3, !5, !7}
!1 = !{!2, !"notcold"}
!2 = !{i64 1, i64 31, i64 30, i64 31, i64 30, i64 20}
!3 = !{!4, !"cold"}
!4 = !{i64 1, i64 31, i64 30, i64 31, i64 30, i64 21}
!5 = !{!6, !"notcold"}
!6 = !{i64 1, i64 20}
!7 = !{!8, !"cold"}
!8 = !{i64 1, i64 21}
!9 = !{i64 1}
!20 = !{i64 20}
!21 = !{i64 21}
!30 = !{i64 30}
!31 = !{i64 31}
