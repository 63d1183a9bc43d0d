; Copies and fills go through the runtime, which counts their ranges; those of
; small constant size are made inline and counted by updates, those that must stay
; inline though they are large by calls beside them; those within the stack and
; globals stay as they are.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S %s -o - | %FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S %s -o /dev/null -thermocline-generate-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S %s -o - -thermocline-generate-merge=false | %FileCheck %s --check-prefix=EACH
; STATS: ranges.c: counted 0 reads, 0 writes and 12 copies or fills in 6 functions
; STATS-NEXT: ranges.c: by 4 updates; merged in a block 2
; STATS-NEXT: ranges.c: copies or fills of small constant size, counted by updates: 5
; STATS-NEXT: ranges.c: not counted, stack: 2
target triple = "x86_64-unknown-linux-gnu"
source_filename = "ranges.c"

; CHECK-LABEL: define void @ranges(
; CHECK-NEXT: call ptr @__memprof_memcpy(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT: call ptr @__memprof_memmove(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT: [[B:%.*]] = zext i8 %b to i32
; CHECK-NEXT: call ptr @__memprof_memset(ptr %p, i32 [[B]], i64 %n)
; CHECK-NEXT: call ptr @__memprof_memcpy(ptr %p, ptr %q, i64 400)
; CHECK-NEXT: call ptr @__memprof_memmove(ptr %p, ptr %q, i64 24)
; CHECK-NEXT: ret void
define void @ranges(ptr %p, ptr %q, i64 %n, i8 %b) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 true)
  call void @llvm.memset.p0.i64(ptr %p, i8 %b, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr %p, ptr %q, i32 400, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 24, i1 false)
  ret void
}

; Eight bytes are an access, and what is left of less. A call of libc's memcpy, which
; the backend makes of the plain intrinsic where it likes, would be counted again.
; CHECK-LABEL: define void @small(
; CHECK: lshr
; CHECK: add i64 %{{.*}}, 4
; CHECK: lshr
; CHECK: add i64 %{{.*}}, 7
; CHECK-NOT: lshr
; CHECK: call void @llvm.memcpy.inline.p0.p0.i32(ptr align 8 %p, ptr align 4 %q, i32 25, i1 false)
; CHECK-NEXT: call void @llvm.memset.inline.p0.i64(ptr align 8 %p, i8 %b, i64 24, i1 true)
; CHECK-NEXT: ret void
; EACH-LABEL: define void @small(
; EACH: call ptr @__memprof_memcpy(ptr %p, ptr %q, i64 25)
; EACH: call ptr @__memprof_memset(ptr %p, i32
define void @small(ptr %p, ptr %q, i8 %b) {
  call void @llvm.memcpy.p0.p0.i32(ptr align 8 %p, ptr align 4 %q, i32 25, i1 false)
  call void @llvm.memset.p0.i64(ptr align 8 %p, i8 %b, i64 24, i1 true)
  ret void
}

; Nothing of nothing; and of a copy within one object both sides.
; CHECK-LABEL: define void @none(
; CHECK: lshr
; CHECK: add i64 %{{.*}}, 4
; CHECK-NOT: lshr
; CHECK: ret void
define void @none(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 100
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 0, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: define void @inline(
; CHECK-NEXT: call void @__memprof_record_access_range(ptr %q, i64 1600)
; CHECK-NEXT: call void @__memprof_record_access_range(ptr %p, i64 1600)
; CHECK-NEXT: call void @llvm.memcpy.inline.p0.p0.i64
; CHECK-NEXT: call void @__memprof_record_access_range(ptr %p, i64 3200)
; CHECK-NEXT: call void @llvm.memset.inline.p0.i64
; CHECK-NEXT: ret void
define void @inline(ptr %p, ptr %q) {
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 1600, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 0, i64 3200, i1 false)
  ret void
}

@constant = constant [64 x i8] zeroinitializer

; CHECK-LABEL: define void @local(
; CHECK: call void @llvm.memcpy
; CHECK: call void @llvm.memset
; CHECK: ptrtoint ptr %heap
; CHECK: add i64 %{{.*}}, 8
; CHECK-NOT: lshr
; CHECK: call void @llvm.memcpy.inline.p0.p0.i64(ptr %heap, ptr %a, i64 64, i1 false)
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
