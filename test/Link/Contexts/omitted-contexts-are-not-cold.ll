; Clang's own annotation leaves out contexts that are not cold: what it does not
; list is not to be cold. Ours lists all, and says so: what is not listed is
; free. never() calls make(), but no profiled context goes that way.
;
; RUN: rm -rf %t && mkdir %t && cd %t
; RUN: %opt -module-summary %s -o theirs.bc
; RUN: sed 's/!90}/!90, !91}/' %s > ours.ll && %opt -module-summary ours.ll -o ours.bc
; RUN: for whose in theirs ours; do \
; RUN:   %thermo-lto run $whose.bc -o $whose -save-temps -thermocline-stats \
; RUN:     -r=$whose.bc,main,plx -r=$whose.bc,never,plx -r=$whose.bc,make,pl -r=$whose.bc,_Znwm, 2>&1 || exit 1; done | %FileCheck %s
; CHECK: 1 clone of 1 function; cold->cold 1 context, 100 B
; CHECK: 0 clones of 0 functions; cold->cold 1 context, 100 B
; RUN: %llvm-dis theirs.1.4.opt.bc -o - | %FileCheck %s --check-prefix=THEIRS
; RUN: %llvm-dis ours.1.4.opt.bc -o - | %FileCheck %s --check-prefix=OURS
;
; THEIRS-LABEL: @never(
; THEIRS: call {{.*}}@make(
; THEIRS-LABEL: @main(
; THEIRS: call {{.*}}@make.memprof.1(
; OURS-LABEL: @main(
; OURS: call {{.*}}@make(

source_filename = "omitted.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare ptr @_Znwm(i64) nobuiltin

define ptr @make() noinline {
  %p = call ptr @_Znwm(i64 8) builtin, !memprof !1, !callsite !5
  ret ptr %p
}
define ptr @never() {
  %p = call ptr @make(), !callsite !7
  ret ptr %p
}
define i32 @main() {
  %p = call ptr @make(), !callsite !6
  ret i32 0
}
!1 = !{!2}
!2 = !{!3, !"cold", !90}
!3 = !{i64 1, i64 2}
!5 = !{i64 1}
!6 = !{i64 2}
!7 = !{i64 3}
!90 = !{i64 77, i64 100}
!91 = !{i64 1, i64 0}

