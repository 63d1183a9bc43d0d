; Calls and allocations with several stack ids, duplicated calls with equal ids, and
; a context that ends inside what was inlined at a call.
;
; RUN: rm -rf %t && mkdir %t && cd %t && %llvm-as %s -o a.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--lto-O0,--thinlto-memprof=on a.o %libhints -o program -Wl,--save-temps=opt \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %llvm-dis < program.0.4.opt.bc | %FileCheck %s

; STATS: cold->cold 4 contexts, 0 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 2 contexts
; STATS: 3 calls made cold

; The source call 10 is inlined in main (as 20 in 10), and not in other.
; CHECK-LABEL: @main(
; CHECK: call ptr @make.memprof.1(i64 1)
; CHECK: call ptr @make.memprof.1(i64 2)
; CHECK: call ptr @make(i64 3)
; CHECK: call ptr @malloc_cold(i64 4)
; CHECK-LABEL: define internal ptr @make(
; CHECK: call ptr @malloc(
; CHECK-LABEL: define internal void @other(
; CHECK: call ptr @make(i64 5)
; CHECK: call ptr @malloc_cold(i64 6)
; CHECK-LABEL: define internal ptr @make.memprof.1(
; CHECK: call ptr @malloc_cold(

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define i32 @main() {
  ; Unrolled: the same call twice.
  %a = call ptr @make(i64 1), !callsite !20
  %b = call ptr @make(i64 2), !callsite !20
  %c = call ptr @make(i64 3), !callsite !21
  ; Its contexts end inside what was inlined, or at it.
  %d = call ptr @malloc(i64 4), !memprof !30, !callsite !36
  call void @other()
  store volatile i64 1, ptr %a
  store volatile i64 1, ptr %b
  store volatile i64 1, ptr %c
  store volatile i64 1, ptr %d
  ret i32 0
}
define internal void @other() {
  %a = call ptr @make(i64 5), !callsite !22
  %b = call ptr @malloc(i64 6), !memprof !40, !callsite !42
  store volatile i64 1, ptr %a
  store volatile i64 1, ptr %b
  ret void
}
define internal ptr @make(i64 %n) {
  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !9
  ret ptr %p
}
!0 = !{!1, !3, !5}
; Trimmed inside of the sequence that main has inlined.
!1 = !{!2, !"cold"}
!2 = !{i64 1, i64 10, i64 20}
!3 = !{!4, !"notcold"}
!4 = !{i64 1, i64 11, i64 21, i64 50}
!5 = !{!6, !"notcold"}
!6 = !{i64 1, i64 10, i64 22}
!9 = !{i64 1}
!20 = !{i64 10, i64 20, i64 50}
!21 = !{i64 11, i64 21, i64 50}
!22 = !{i64 10}
!30 = !{!31, !33}
!31 = !{!32, !"cold"}
!32 = !{i64 2, i64 3}
!33 = !{!34, !"cold"}
!34 = !{i64 2, i64 3, i64 4}
!36 = !{i64 2, i64 3, i64 4}
!40 = !{!41}
; With the mark of whole contexts: what is above the frame 22, of which the link
; knows no call, is free.
!41 = !{!43, !"cold", !44, !45}
!42 = !{i64 5}
!43 = !{i64 5, i64 22}
!44 = !{i64 9, i64 0}
!45 = !{i64 1, i64 0}
