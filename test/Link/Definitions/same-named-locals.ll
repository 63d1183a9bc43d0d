; Two modules, of source files of the same name even, have a local function
; called make. Each caller reaches its own; only one of them allocates cold. The
; profile cannot tell them apart either, so their not-cold contexts are one.
;
; RUN: %split-file %s %t
; RUN: cd %t && for f in a b; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run a.o b.o -o lto -O0 -select-save-temps=opt -thermocline-stats \
; RUN:   -r=a.o,main,plx -r=a.o,other,l -r=a.o,malloc, -r=b.o,other,pl -r=b.o,malloc, \
; RUN:   2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && %llvm-dis < lto.1.4.opt.bc | %FileCheck %s --check-prefix=A
; RUN: cd %t && %llvm-dis < lto.2.4.opt.bc | %FileCheck %s --check-prefix=B

; STATS: 1 clone of 1 function; cold->cold 1 context, 6.2 KiB; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 1 context

; A: define internal ptr @make(
; A: call ptr @malloc(
; A: call ptr @make(i64 8)
; A: call ptr @make.memprof.1(i64 64)
; A: define internal ptr @make.memprof.1(
; A: call ptr @malloc_cold(

; B: define internal ptr @make(
; B: call ptr @malloc(
; B: call ptr @make(i64 8)
; B-NOT: memprof.1
; B-NOT: malloc_cold

;--- a.ll
source_filename = "same.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
declare ptr @other()
define internal ptr @make(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
define ptr @main() {
  %hot = call ptr @make(i64 8), !callsite !9
  %cold = call ptr @make(i64 64), !callsite !10
  %c = call ptr @other()
  ret ptr %hot
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 800}
!8 = !{i64 101, i64 6400}
!9 = !{i64 10}
!10 = !{i64 11}

;--- b.ll
source_filename = "same.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define internal ptr @make(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
define ptr @other() {
  %hot = call ptr @make(i64 8), !callsite !9
  ret ptr %hot
}
!1 = !{!2}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 20}
!6 = !{i64 1}
!7 = !{i64 100, i64 800}
!9 = !{i64 20}
