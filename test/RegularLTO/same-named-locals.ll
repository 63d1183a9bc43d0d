; Local functions of one name in two modules are two functions of the merged one.
; Each caller reaches its own; only one of them has contexts of both kinds.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in a b; do %llvm-as $f.ll -o $f.o || exit 1; done
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--lto-O0,--thinlto-memprof=on a.o b.o %libhints -o program -Wl,--save-temps=opt \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %llvm-dis < program.0.4.opt.bc | %FileCheck %s

; STATS: 1 clone of 1 function; cold->cold 1 context, 0 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 2 contexts

; CHECK-LABEL: @main(
; CHECK: call ptr @make(i64 8)
; CHECK: call ptr @make.memprof.1(i64 64)
; CHECK-LABEL: define internal ptr @make(
; CHECK: call ptr @malloc(
; CHECK-LABEL: define internal ptr @other(
; CHECK: call ptr @[[OTHER:make.[0-9]+]](i64 8)
; CHECK: define internal ptr @[[OTHER]](
; CHECK: call ptr @malloc(
; CHECK-LABEL: define internal ptr @make.memprof.1(
; CHECK: call ptr @malloc_cold(

;--- a.ll
source_filename = "same.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
declare ptr @other()
define internal ptr @make(i64 %n) {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
define i32 @main() {
  %hot = call ptr @make(i64 8), !callsite !9
  %cold = call ptr @make(i64 64), !callsite !10
  %c = call ptr @other()
  ret i32 0
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold"}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold"}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!9 = !{i64 10}
!10 = !{i64 11}

;--- b.ll
source_filename = "same.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define internal ptr @make(i64 %n) {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
define ptr @other() {
  %hot = call ptr @make(i64 8), !callsite !9
  ret ptr %hot
}
!1 = !{!2}
!2 = !{!3, !"notcold"}
!3 = !{i64 1, i64 20}
!6 = !{i64 1}
!9 = !{i64 20}
