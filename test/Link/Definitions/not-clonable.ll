; Functions that may not have versions: an interposable one, one with the address
; of a label. Their cold contexts stay with the others, and the link says so.
;
; RUN: %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && for f in weak label; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o weak.o -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s
; RUN: cd %t && ./program
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin main.o label.o -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s
; RUN: cd %t && ./program
; CHECK: warning: the profile has 1 cold context, but no allocation is hinted cold
; CHECK: 0 clones of 0 functions; cold->cold 0 contexts, 0 B; cold->not 1 context, 6.2 KiB; not->cold 0 contexts

;--- weak.ll
source_filename = "weak.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define weak ptr @node(i64 %n) noinline {
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

;--- label.ll
source_filename = "label.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@targets = internal constant [2 x ptr] [ptr blockaddress(@node, %a), ptr blockaddress(@node, %b)]
declare ptr @malloc(i64)
define ptr @node(i64 %n) noinline {
  %which = and i64 %n, 1
  %slot = getelementptr [2 x ptr], ptr @targets, i64 0, i64 %which
  %target = load ptr, ptr %slot
  indirectbr ptr %target, [label %a, label %b]
a:
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
b:
  ret ptr null
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 800}
!8 = !{i64 101, i64 6400}
