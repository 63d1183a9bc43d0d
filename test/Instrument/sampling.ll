; Code for sampling asks a bit of the address, and counts if it is clear. What is
; merged is asked once. The program does not link with a runtime that does
; not know of it.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-sampling %s | %FileCheck %s
; RUN: %clangxx --config=%generate-sampling-cfg -x ir %s -Wno-override-module -c -o %t.o
; RUN: %not %clangxx -fmemory-profile -fuse-ld=lld %t.o -o %t.program 2>&1 | %FileCheck %s --check-prefix=FOREIGN
; FOREIGN: undefined symbol: __thermocline_sampling_check_v1
target triple = "x86_64-unknown-linux-gnu"

; CHECK: @__thermocline_unsampled_mask = weak hidden constant i64 70368744177664, comdat

; CHECK-LABEL: define void @twice(
; CHECK-NOT: memprof.base
; CHECK: %[[N:[0-9]+]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[M:[0-9]+]] = load i64, ptr @__thermocline_unsampled_mask
; CHECK-NEXT: %[[B:[0-9]+]] = and i64 %[[N]], %[[M]]
; CHECK-NEXT: %[[S:[0-9]+]] = icmp eq i64 %[[B]], 0
; CHECK-NEXT: br i1 %[[S]], label %[[SAMPLED:[0-9]+]], label %[[END:[0-9]+]], !prof ![[UNLIKELY:[0-9]+]]
; CHECK: [[SAMPLED]]:
; CHECK-NEXT: %[[BASE:memprof.base.*]] = load ptr, ptr @__memprof_shadow_memory_dynamic_address
; CHECK-NEXT: %[[A:[0-9]+]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[G:[0-9]+]] = lshr i64 %[[A]], 6
; CHECK-NEXT: %[[COUNTER:[0-9]+]] = getelementptr i64, ptr %[[BASE]], i64 %[[G]]
; CHECK-NEXT: %[[OLD:[0-9]+]] = load i64, ptr %[[COUNTER]]
; CHECK-NEXT: %[[NEW:[0-9]+]] = add i64 %[[OLD]], 2
; CHECK-NEXT: store i64 %[[NEW]], ptr %[[COUNTER]]
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: store i64 1, ptr %p
; CHECK-NOT: icmp
; CHECK: ret void
define void @twice(ptr %p) {
  store i64 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  store i64 2, ptr %q
  ret void
}

; The lanes of a masked access, at once.
; CHECK-LABEL: define <2 x i64> @masked(
; CHECK-COUNT-1: load i64, ptr @__thermocline_unsampled_mask
; CHECK: ret <2 x i64>
define <2 x i64> @masked(ptr %p, <2 x i1> %mask) {
  %x = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %p, i32 8, <2 x i1> %mask, <2 x i64> zeroinitializer)
  ret <2 x i64> %x
}

; A count that waits in a register is asked for where the loop is left.
; CHECK-LABEL: define void @loop(
; CHECK-COUNT-1: load i64, ptr @__thermocline_unsampled_mask
; CHECK-NOT: @__thermocline_unsampled_mask
; CHECK: ret void
define void @loop(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  store volatile i64 %i, ptr %p
  %next = add i64 %i, 3
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; Comparisons and addresses stay with what uses them, so that they need no
; register of their own; but what the counter needs is there in time.
; CHECK-LABEL: define i64 @apart(
; CHECK: next:
; CHECK-NEXT: %kept = icmp ult i64 %k, 4
; CHECK-NEXT: %once = zext i1 %kept to i64
; CHECK-NEXT: %first = getelementptr i64, ptr %p, i64 %once
; CHECK-NEXT: ptrtoint ptr %first to i64
; CHECK-NEXT: @__thermocline_unsampled_mask
; CHECK: br i1
; CHECK: store i64
; CHECK-NEXT: br label
; CHECK-EMPTY:
; CHECK-NEXT: {{[0-9]+}}:
; CHECK-NEXT: %less = icmp ult i64 %i, %k
; CHECK-NEXT: %offset = select i1 %less, i64 8, i64 16
; CHECK-NEXT: %local = getelementptr i8, ptr %table, i64 %offset
; CHECK-NEXT: load i64, ptr %first
; CHECK-NEXT: load i64, ptr %local
define i64 @apart(ptr %p, i64 %i, i64 %k) {
  %table = alloca [3 x i64]
  call void @fill(ptr %table)
  br label %next
next:
  %kept = icmp ult i64 %k, 4
  %once = zext i1 %kept to i64
  %less = icmp ult i64 %i, %k
  %offset = select i1 %less, i64 8, i64 16
  %local = getelementptr i8, ptr %table, i64 %offset
  %first = getelementptr i64, ptr %p, i64 %once
  %x = load i64, ptr %first
  %y = load i64, ptr %local
  %z = add i64 %x, %y
  ret i64 %z
}
declare void @fill(ptr)

; An element is asked for by its array, and its address computed where it counts.
; CHECK-LABEL: define void @element(
; CHECK: %[[N:[0-9]+]] = ptrtoint ptr %p to i64
; CHECK: and i64 %[[N]],
; CHECK: load ptr, ptr @__memprof_shadow_memory_dynamic_address
; CHECK-NEXT: %[[A:[0-9]+]] = getelementptr inbounds nuw i64, ptr %p, i64 %i
; CHECK-NEXT: ptrtoint ptr %[[A]] to i64
; CHECK: br label
; CHECK: %a = getelementptr inbounds nuw i64, ptr %p, i64 %i
; CHECK-NEXT: store i64 1, ptr %a
define void @element(ptr %p, i64 %i) {
  %a = getelementptr inbounds nuw i64, ptr %p, i64 %i
  store i64 1, ptr %a
  ret void
}

; It may lie in front of %end, which may be behind the object.
; CHECK-LABEL: define void @anywhere(
; CHECK: ptrtoint ptr %a to i64
; CHECK: ptrtoint ptr %a to i64
; CHECK: ret void
define void @anywhere(ptr %end, i64 %i) {
  %a = getelementptr inbounds i64, ptr %end, i64 %i
  store i64 1, ptr %a
  ret void
}

define i32 @main() {
  ret i32 0
}

; CHECK-LABEL: define internal void @memprof.module_ctor()
; CHECK: call void @__memprof_init()
; CHECK: call void @__thermocline_sampling_check_v1()
; CHECK: ![[UNLIKELY]] = !{!"branch_weights", i32 1, i32 {{[0-9]+}}}
