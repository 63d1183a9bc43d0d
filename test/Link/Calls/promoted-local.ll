; A local function is called by a function that other modules import. It is promoted
; there, with its versions, and the copy calls the version that is made at home.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in main other; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o other.o %libhints -o program \
; RUN:   -Wl,--save-temps=precodegen -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s
; CHECK: cold->cold 1 context, 6.2 KiB; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 1 context, 800 B
; CHECK: 1 call made cold
; RUN: %t/program
; RUN: cd %t && %llvm-dis < main.o.5.precodegen.bc | %FileCheck %s --check-prefix=IR
; IR-LABEL: define{{.*}} @main(
; IR: call {{.*}}@make.llvm.[[#]](i64 8)
; IR: call {{.*}}@make.llvm.[[#]].memprof.1(i64 64)

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @caller(i64)
define i32 @main() {
  %a = call ptr @caller(i64 8), !callsite !0
  %b = call ptr @caller(i64 64), !callsite !1
  store volatile i32 1, ptr %a
  store volatile i32 1, ptr %b
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
;--- other.ll
source_filename = "other.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define internal ptr @make(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
define ptr @caller(i64 %n) {
  %p = call ptr @make(i64 %n), !callsite !8
  ret ptr %p
}
!0 = !{i64 1, i64 20, i64 10}
!1 = !{i64 100, i64 800}
!2 = !{!0, !"notcold", !1}
!3 = !{i64 1, i64 20, i64 11}
!4 = !{i64 101, i64 6400}
!5 = !{!3, !"cold", !4}
!6 = !{!2, !5}
!7 = !{i64 1}
!8 = !{i64 20}
