; The same without a profile.
source_filename = "node.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @node(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0)
  ret ptr %p
}
