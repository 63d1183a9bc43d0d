; Allocates with operator new for whoever calls.
source_filename = "node.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @node(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !1, !callsite !6
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
