; Copies and fills go through the runtime, which counts their ranges; those that
; must stay inline are counted by calls beside them; those within the stack and
; globals stay as they are.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument -S %s -o - | %FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @ranges(
; CHECK-NEXT: call ptr @__memprof_memcpy(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT: call ptr @__memprof_memmove(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT: [[B:%.*]] = zext i8 %b to i32
; CHECK-NEXT: call ptr @__memprof_memset(ptr %p, i32 [[B]], i64 %n)
; CHECK-NEXT: call ptr @__memprof_memcpy(ptr %p, ptr %q, i64 24)
; CHECK-NEXT: ret void
define void @ranges(ptr %p, ptr %q, i64 %n, i8 %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 true)
  call void @llvm.memset.p0.i64(ptr %p, i8 %b, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr %p, ptr %q, i32 24, i1 false)
  ret void
}

; CHECK-LABEL: define void @inline(
; CHECK-NEXT: call void @__memprof_record_access_range(ptr %q, i64 16)
; CHECK-NEXT: call void @__memprof_record_access_range(ptr %p, i64 16)
; CHECK-NEXT: call void @llvm.memcpy.inline.p0.p0.i64
; CHECK-NEXT: call void @__memprof_record_access_range(ptr %p, i64 32)
; CHECK-NEXT: call void @llvm.memset.inline.p0.i64
; CHECK-NEXT: ret void
define void @inline(ptr %p, ptr %q) {
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 0, i64 32, i1 false)
  ret void
}

@constant = constant [64 x i8] zeroinitializer

; CHECK-LABEL: define void @local(
; CHECK: call void @llvm.memcpy
; CHECK: call void @llvm.memset
; CHECK: call ptr @__memprof_memcpy(ptr %heap, ptr %a, i64 64)
; CHECK: ret void
define void @local(ptr %heap) {
  %a = alloca [64 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @constant, i64 64, i1 false)
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 64, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %heap, ptr %a, i64 64, i1 false)
  ret void
}

; CHECK-LABEL: define void @otherAddressSpace(
; CHECK: call void @llvm.memcpy.p257.p0.i64
; CHECK: call void @llvm.memcpy.p0.p257.i64
; CHECK: call void @llvm.memset.p257.i64
define void @otherAddressSpace(ptr addrspace(257) %fs, ptr %p) {
  call void @llvm.memcpy.p257.p0.i64(ptr addrspace(257) %fs, ptr %p, i64 8, i1 false)
  call void @llvm.memcpy.p0.p257.i64(ptr %p, ptr addrspace(257) %fs, i64 8, i1 false)
  call void @llvm.memset.p257.i64(ptr addrspace(257) %fs, i8 0, i64 8, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p257.p0.i64(ptr addrspace(257), ptr, i64, i1)
declare void @llvm.memcpy.p0.p257.i64(ptr, ptr addrspace(257), i64, i1)
declare void @llvm.memset.p257.i64(ptr addrspace(257), i8, i64, i1)
