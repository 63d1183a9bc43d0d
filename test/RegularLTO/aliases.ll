; Calls through aliases, of an alias even, reach versions of the function behind;
; calls through a weak alias reach what the program puts there, and no version.
;
; RUN: rm -rf %t && mkdir %t && cd %t && %llvm-as %s -o a.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--lto-O0,--thinlto-memprof=on -Wl,--export-dynamic a.o %libhints -o program -Wl,--save-temps=opt \
; RUN:   -Wl,-mllvm,-thermocline-stats -Wl,--thinlto-memprof-report=report.txt 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %llvm-dis < program.0.4.opt.bc | %FileCheck %s
; RUN: %FileCheck %s --check-prefix=REPORT < %t/report.txt

; STATS: cold->cold 3 contexts, 0 B; cold->not 1 context, 0 B; not->cold 0 contexts, 0 B; not->not 1 context
; REPORT: outside the link: 1 context

; CHECK-DAG: @nickname.memprof.1 = {{.*}}alias ptr (i64), ptr @make.memprof.1
; CHECK-DAG: @second.memprof.1 = {{.*}}alias ptr (i64), ptr @make.memprof.1
; CHECK-LABEL: @main(
; CHECK: call ptr @make(i64 1)
; CHECK: call ptr @make.memprof.1(i64 2)
; CHECK: call ptr @nickname.memprof.1(i64 3)
; CHECK: call ptr @second.memprof.1(i64 4)
; CHECK: call ptr @replaceable(i64 5)

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@nickname = alias ptr (i64), ptr @make
@second = internal alias ptr (i64), ptr @nickname
@replaceable = weak alias ptr (i64), ptr @make
declare ptr @malloc(i64)
define i32 @main() {
  %a = call ptr @make(i64 1), !callsite !20
  %b = call ptr @make(i64 2), !callsite !21
  %c = call ptr @nickname(i64 3), !callsite !22
  %d = call ptr @second(i64 4), !callsite !23
  %e = call ptr @replaceable(i64 5), !callsite !24
  store volatile i64 1, ptr %a
  store volatile i64 1, ptr %b
  store volatile i64 1, ptr %c
  store volatile i64 1, ptr %d
  store volatile i64 1, ptr %e
  ret i32 0
}
define ptr @make(i64 %n) {
  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !11
  ret ptr %p
}
!0 = !{!1, !3, !5, !7, !9}
!1 = !{!2, !"notcold"}
!2 = !{i64 1, i64 20}
!3 = !{!4, !"cold"}
!4 = !{i64 1, i64 21}
!5 = !{!6, !"cold"}
!6 = !{i64 1, i64 22}
!7 = !{!8, !"cold"}
!8 = !{i64 1, i64 23}
!9 = !{!10, !"cold"}
!10 = !{i64 1, i64 24}
!11 = !{i64 1}
!20 = !{i64 20}
!21 = !{i64 21}
!22 = !{i64 22}
!23 = !{i64 23}
!24 = !{i64 24}
