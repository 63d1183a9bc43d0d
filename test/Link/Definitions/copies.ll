; Of several copies of an inline function the prevailing one counts, whatever
; contexts the others have; and what nothing reaches counts for nothing.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in a b; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run a.o b.o -o lto -O0 -thermocline-stats \
; RUN:   -r=a.o,main,plx -r=a.o,shared,l -r=a.o,other,l -r=a.o,_Znwm, -r=a.o,unused,pl \
; RUN:   -r=b.o,shared,pl -r=b.o,other,pl -r=b.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=SECOND
; SECOND: 1 clone of 1 function; cold->cold 1 context, 640 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 1 context, 320 B
; RUN: cd %t && %thermo-lto run a.o b.o -o lto -O0 -thermocline-stats \
; RUN:   -r=a.o,main,plx -r=a.o,shared,pl -r=a.o,other,l -r=a.o,_Znwm, -r=a.o,unused,pl \
; RUN:   -r=b.o,shared,l -r=b.o,other,pl -r=b.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=FIRST
; FIRST: 1 clone of 1 function; cold->cold 1 context, 64 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 2 contexts, 33 B

;--- a.ll
source_filename = "a.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define linkonce_odr ptr @shared(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !9, !callsite !10
  ret ptr %p
}
define i32 @main() {
  %a = call ptr @shared(i64 8), !callsite !11
  %b = call ptr @other()
  ret i32 0
}
declare ptr @other()
define ptr @unused() {
  %a = call ptr @_Znwm(i64 8) builtin allocsize(0), !memprof !18, !callsite !19
  ret ptr %a
}
!0 = !{i64 1, i64 10}
!1 = !{i64 100, i64 64}
!2 = !{!0, !"cold", !1}
!3 = !{i64 1, i64 12}
!4 = !{i64 101, i64 32}
!5 = !{!3, !"notcold", !4}
!6 = !{i64 1, i64 12, i64 40}
!7 = !{i64 102, i64 1}
!8 = !{!6, !"notcold", !7}
!9 = !{!2, !5, !8}
!10 = !{i64 1}
!11 = !{i64 10}
!12 = !{i64 5, i64 30}
!13 = !{i64 105, i64 7}
!14 = !{!12, !"cold", !13}
!15 = !{i64 5, i64 31}
!16 = !{i64 106, i64 8}
!17 = !{!15, !"notcold", !16}
!18 = !{!14, !17}
!19 = !{i64 5}
;--- b.ll
source_filename = "b.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define weak_odr ptr @shared(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
define ptr @other() {
  %a = call ptr @shared(i64 9), !callsite !8
  ret ptr %a
}
!0 = !{i64 1, i64 10}
!1 = !{i64 100, i64 640}
!2 = !{!0, !"cold", !1}
!3 = !{i64 1, i64 12}
!4 = !{i64 101, i64 320}
!5 = !{!3, !"notcold", !4}
!6 = !{!2, !5}
!7 = !{i64 1}
!8 = !{i64 12}
