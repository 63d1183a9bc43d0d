; The caller of the cold context is imported into the module of main and inlined
; there. It refers to a local function of its own module, which is promoted for
; it; so are its versions.
;
; RUN: %split-file %s %t
; RUN: cd %t && for f in a b; do %opt -thinlto-bc -module-hash $f.ll -o $f.o; done
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin a.o b.o %libhints -o program \
; RUN:   -Wl,--save-temps=precodegen -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program
; RUN: cd %t && %llvm-dis < a.o.5.precodegen.bc | %FileCheck %s --check-prefix=A
; RUN: cd %t && %llvm-nm program | %FileCheck %s --check-prefix=SYMBOLS

; STATS: 1 clone of 1 function; cold->cold 1 context
; A: define dso_local {{.*}}i32 @main()
; A: call ptr @make.llvm.[[HASH:[0-9]+]](i64 8)
; A: call ptr @make.llvm.[[HASH]].memprof.1(i64 64)
; SYMBOLS: t make.llvm.[[HASH:[0-9]+]]{{$}}
; SYMBOLS: t make.llvm.[[HASH]].memprof.1

;--- a.ll
source_filename = "a.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @hot()
declare ptr @cold()
define i32 @main() {
  %h = call ptr @hot()
  %c = call ptr @cold()
  store volatile i32 1, ptr %h
  store volatile i32 1, ptr %c
  ret i32 0
}

;--- b.ll
source_filename = "b.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define internal ptr @make(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
define ptr @hot() {
  %p = call ptr @make(i64 8), !callsite !9
  ret ptr %p
}
define ptr @cold() {
  %p = call ptr @make(i64 64), !callsite !10
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
!9 = !{i64 10}
!10 = !{i64 11}
