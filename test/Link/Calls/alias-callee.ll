; The cold caller calls through an alias, in another module. The alias gets the
; versions of the function behind it.
;
; RUN: %split-file %s %t
; RUN: cd %t && for f in a b; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run a.o b.o -o lto -O0 -select-save-temps=opt \
; RUN:   -r=a.o,main,plx -r=a.o,node,l -r=a.o,nickname,l -r=b.o,node,pl -r=b.o,nickname,pl -r=b.o,malloc,
; RUN: cd %t && %llvm-dis < lto.1.4.opt.bc | %FileCheck %s --check-prefix=A
; RUN: cd %t && %llvm-dis < lto.2.4.opt.bc | %FileCheck %s --check-prefix=B
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin a.o b.o %libhints -o program && ./program

; A: call ptr @node(i64 8)
; A: call ptr @nickname.memprof.1(i64 64)
; B: @nickname = {{.*}}alias ptr (i64), ptr @node
; B: @nickname.memprof.1 = {{.*}}hidden alias ptr (i64), ptr @node.memprof.1
; B: define hidden ptr @node.memprof.1(
; B: call ptr @malloc_cold(

;--- a.ll
source_filename = "a.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @node(i64)
declare ptr @nickname(i64)
define i32 @main() {
  %hot = call ptr @node(i64 8), !callsite !9
  %cold = call ptr @nickname(i64 64), !callsite !10
  store volatile i32 1, ptr %cold
  ret i32 0
}
!9 = !{i64 10}
!10 = !{i64 11}

;--- b.ll
source_filename = "b.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@nickname = alias ptr (i64), ptr @node
declare ptr @malloc(i64)
define ptr @node(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 800}
!8 = !{i64 101, i64 6400}
