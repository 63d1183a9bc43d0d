; A module that was compiled without the profile stands between profiled ones: what
; leads through it cannot be told apart, which is said; all else is.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in main mid make; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run main.o mid.o make.o -o lto -thermocline-stats \
; RUN:   -r=main.o,main,plx -r=main.o,mid,l -r=main.o,make2,l -r=mid.o,mid,pl -r=mid.o,make,l \
; RUN:   -r=make.o,make,pl -r=make.o,make2,pl -r=make.o,_Znwm, 2>&1 | %FileCheck %s
; CHECK: 1 clone of 1 function; cold->cold 1 context, 640 B; cold->not 1 context, 64 B; not->cold 0 contexts, 0 B; not->not 2 contexts, 352 B
; CHECK: cold without a hint, unmatched frame: 1 context, 64 B
; CHECK: 1 call made cold

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @mid(i64)
declare ptr @make2(i64)
define i32 @main() {
  %a = call ptr @mid(i64 8), !callsite !0
  %b = call ptr @make2(i64 8), !callsite !1
  %c = call ptr @make2(i64 9), !callsite !2
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
!2 = !{i64 12}
;--- mid.ll
source_filename = "mid.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @make(i64)
define ptr @mid(i64 %n) noinline {
  %a = call ptr @make(i64 %n)
  %b = call ptr @make(i64 %n)
  store volatile ptr %b, ptr %a
  ret ptr %a
}
;--- make.ll
source_filename = "make.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @make(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
define ptr @make2(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !14, !callsite !15
  ret ptr %p
}
!0 = !{i64 1, i64 20, i64 10}
!1 = !{i64 100, i64 64}
!2 = !{!0, !"cold", !1}
!3 = !{i64 1, i64 21, i64 10}
!4 = !{i64 101, i64 32}
!5 = !{!3, !"notcold", !4}
!6 = !{!2, !5}
!7 = !{i64 1}
!8 = !{i64 2, i64 11}
!9 = !{i64 102, i64 640}
!10 = !{!8, !"cold", !9}
!11 = !{i64 2, i64 12}
!12 = !{i64 103, i64 320}
!13 = !{!11, !"notcold", !12}
!14 = !{!10, !13}
!15 = !{i64 2}
