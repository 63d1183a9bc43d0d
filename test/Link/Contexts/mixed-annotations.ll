; Contexts of our annotation are whole. Those of clang's own end where all that is
; above is of one kind, and only the not-cold ones that are needed are left. Both
; may be in one link, and on the way through one function.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in main callers allocate; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run main.o callers.o allocate.o -o lto -O0 -select-save-temps=opt -thermocline-stats \
; RUN:   -r=main.o,main,plx -r=main.o,f,l -r=main.o,g,l -r=callers.o,f,pl -r=callers.o,g,pl -r=callers.o,whole,l \
; RUN:   -r=callers.o,trimmed,l -r=allocate.o,whole,pl -r=allocate.o,trimmed,pl -r=allocate.o,_Znwm, 2>&1 | %FileCheck %s
; CHECK: 3 clones of 3 functions; cold->cold 2 contexts, 704 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 2 contexts, 352 B

; The trimmed context binds every version of f, the whole one that of its call.
; RUN: cd %t && %llvm-dis < lto.2.4.opt.bc | %FileCheck %s --check-prefix=IR
; IR-LABEL: define{{.*}} ptr @f(
; IR: call ptr @whole(i64
; IR: call ptr @trimmed.memprof.1(
; IR-LABEL: define{{.*}} ptr @g(
; IR: call ptr @trimmed(i64
; IR-LABEL: define{{.*}} ptr @f.memprof.1(
; IR: call ptr @whole.memprof.1(
; IR: call ptr @trimmed.memprof.1(

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @f(i64)
declare ptr @g(i64)
define i32 @main() {
  %a = call ptr @f(i64 8), !callsite !0
  %b = call ptr @f(i64 8), !callsite !1
  %c = call ptr @g(i64 9), !callsite !2
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
!2 = !{i64 12}
;--- callers.ll
source_filename = "callers.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @whole(i64)
declare ptr @trimmed(i64)
define ptr @f(i64 %n) noinline {
  %a = call ptr @whole(i64 8), !callsite !0
  %b = call ptr @trimmed(i64 8), !callsite !1
  store volatile ptr %b, ptr %a
  ret ptr %a
}
define ptr @g(i64 %n) noinline {
  %a = call ptr @trimmed(i64 8), !callsite !2
  ret ptr %a
}
!0 = !{i64 20}
!1 = !{i64 21}
!2 = !{i64 22}
;--- allocate.ll
source_filename = "allocate.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @whole(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
define ptr @trimmed(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !14, !callsite !15
  ret ptr %p
}
!0 = !{i64 1, i64 20, i64 10}
!1 = !{i64 100, i64 64}
!2 = !{!0, !"cold", !1}
!3 = !{i64 1, i64 20, i64 11}
!4 = !{i64 101, i64 32}
!5 = !{!3, !"notcold", !4}
!6 = !{!2, !5}
!7 = !{i64 1}
!8 = !{i64 2, i64 21}
!9 = !{i64 102, i64 640}
!10 = !{!8, !"cold", !9}
!11 = !{i64 2, i64 22}
!12 = !{i64 103, i64 320}
!13 = !{!11, !"notcold", !12}
!14 = !{!10, !13}
!15 = !{i64 2}
