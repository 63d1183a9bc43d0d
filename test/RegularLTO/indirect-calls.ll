; An indirect call reaches versions of the targets that its value profile names,
; where the module defines them; other indirect calls are not redirected.
;
; RUN: rm -rf %t && mkdir %t && cd %t && %llvm-as %s -o a.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--lto-O0,--thinlto-memprof=on a.o %libhints -o program -Wl,--save-temps=opt \
; RUN:   -Wl,-mllvm,-thermocline-stats -Wl,--thinlto-memprof-report=report.txt 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %llvm-dis < program.0.4.opt.bc | %FileCheck %s
; RUN: %FileCheck %s --check-prefix=REPORT < %t/report.txt

; STATS: cold->cold 1 context, 0 B; cold->not 1 context, 0 B; not->cold 0 contexts, 0 B; not->not 1 context
; STATS: 1 call made cold (1 malloc); 1 target of indirect calls called directly
; REPORT: indirect call: 1 context

; CHECK-LABEL: @main(
; CHECK: call ptr %f(i64 8)
; CHECK: %[[IS:.*]] = icmp eq ptr %f, @node
; CHECK: call ptr @node.memprof.1(i64 64)
; CHECK: call ptr %f(i64 64){{.*}}, !prof
; CHECK: call ptr %f(i64 7)

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@pointer = global ptr @node
declare ptr @malloc(i64)
define i32 @main() {
  %f = load volatile ptr, ptr @pointer
  %hot = call ptr %f(i64 8), !callsite !20, !prof !30
  %cold = call ptr %f(i64 64), !callsite !21, !prof !30
  %unknown = call ptr %f(i64 7), !callsite !22
  store volatile i64 1, ptr %hot
  store volatile i64 1, ptr %cold
  store volatile i64 1, ptr %unknown
  ret i32 0
}
define ptr @node(i64 %n) {
  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !9
  ret ptr %p
}
!0 = !{!1, !3, !5}
!1 = !{!2, !"notcold"}
!2 = !{i64 1, i64 20}
!3 = !{!4, !"cold"}
!4 = !{i64 1, i64 21}
!5 = !{!6, !"cold"}
!6 = !{i64 1, i64 22}
!9 = !{i64 1}
!20 = !{i64 20}
!21 = !{i64 21}
!22 = !{i64 22}
; The GUID of node, and one of nothing in the module.
!30 = !{!"VP", i32 0, i64 20, i64 1537639070154605622, i64 15, i64 1111, i64 5}
