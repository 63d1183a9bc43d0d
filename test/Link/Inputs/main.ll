; Calls node from a hot and a cold place.
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @node(i64)
define i32 @main() {
  %hot = call ptr @node(i64 8), !callsite !0
  %cold = call ptr @node(i64 64), !callsite !1
  store volatile i32 1, ptr %hot
  store volatile i32 1, ptr %cold
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
