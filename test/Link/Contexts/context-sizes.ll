; Sizes of contexts may be in the bitcode, or of some contexts only, or not at all:
; the decisions are the same, and the bytes are of what is known.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in main none some all; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run main.o none.o some.o all.o -o lto -thermocline-stats -thinlto-memprof-report=report.txt \
; RUN:   -r=main.o,main,plx -r=main.o,none,l -r=main.o,some,l -r=main.o,all,l -r=none.o,none,pl -r=none.o,_Znwm, \
; RUN:   -r=some.o,some,pl -r=some.o,_Znwm, -r=all.o,all,pl -r=all.o,_Znwm, 2>&1 | %FileCheck %s
; CHECK: 3 clones of 3 functions; cold->cold 3 contexts, 128 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 3 contexts, 1000 B
; CHECK-NOT: without a hint
; CHECK: 3 calls made cold
; RUN: %FileCheck %s --check-prefix=REPORT < %t/report.txt
; REPORT: {{^}}Contexts of lto, decided by thermocline:

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @none(i64)
declare ptr @some(i64)
declare ptr @all(i64)
define i32 @main() {
  %h0 = call ptr @none(i64 8), !callsite !0
  %c0 = call ptr @none(i64 9), !callsite !1
  %h1 = call ptr @some(i64 8), !callsite !2
  %c1 = call ptr @some(i64 9), !callsite !3
  %h2 = call ptr @all(i64 8), !callsite !4
  %c2 = call ptr @all(i64 9), !callsite !5
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 20}
!2 = !{i64 11}
!3 = !{i64 21}
!4 = !{i64 12}
!5 = !{i64 22}
;--- none.ll
source_filename = "none.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @none(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !4, !callsite !5
  ret ptr %p
}
!0 = !{i64 1, i64 10}
!1 = !{!0, !"notcold"}
!2 = !{i64 1, i64 20}
!3 = !{!2, !"cold"}
!4 = !{!1, !3}
!5 = !{i64 1}
;--- some.ll
source_filename = "some.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @some(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !5, !callsite !6
  ret ptr %p
}
!0 = !{i64 2, i64 11}
!1 = !{!0, !"notcold"}
!2 = !{i64 2, i64 21}
!3 = !{i64 201, i64 64}
!4 = !{!2, !"cold", !3}
!5 = !{!1, !4}
!6 = !{i64 2}
;--- all.ll
source_filename = "all.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @all(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
!0 = !{i64 3, i64 12}
!1 = !{i64 102, i64 1000}
!2 = !{!0, !"notcold", !1}
!3 = !{i64 3, i64 22}
!4 = !{i64 202, i64 64}
!5 = !{!3, !"cold", !4}
!6 = !{!2, !5}
!7 = !{i64 3}
