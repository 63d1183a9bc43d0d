; A function whose only call with contexts is indirect has no records and no
; decisions. An imported copy of it is the same, and stays to be inlined.
;
; RUN: %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %opt -thinlto-bc main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc through.ll -o through.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o through.o node.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats -Wl,--save-temps 2>&1 | %FileCheck %s
; CHECK: 1 clone of 1 function; cold->cold 1 context
; CHECK: 1 call made cold
; CHECK-NOT: copies
; RUN: cd %t && ./program
; RUN: cd %t && %llvm-dis main.o.5.precodegen.bc -o - | %FileCheck %s --check-prefix=INLINED
; INLINED-LABEL: define {{.*}}i32 @main()
; INLINED-NOT: call {{.*}}@through
; INLINED: call ptr %{{.*}}(i64 8)

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@pointer = global ptr @node
declare ptr @node(i64)
declare ptr @through(ptr)
define i32 @main() {
  %f = load volatile ptr, ptr @pointer
  %x = call ptr @through(ptr %f)
  %hot = call ptr @node(i64 8), !callsite !0
  %cold = call ptr @node(i64 64), !callsite !1
  store volatile i32 1, ptr %x
  store volatile i32 1, ptr %hot
  store volatile i32 1, ptr %cold
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}

;--- through.ll
source_filename = "through.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define ptr @through(ptr %f) {
  %x = call ptr %f(i64 8), !callsite !0
  ret ptr %x
}
!0 = !{i64 12}
