; What only AArch64 has: structure accesses count as one, contiguous ones of
; scalable vectors by active lanes, and of an exclusive access the load, in front
; of it. Nothing may stand between that and its store. Anything else is reported.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-stats %s -o %t.ll 2> %t.stats
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=STATS < %t.stats
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-sampling %s | %FileCheck %s --check-prefix=SAMPLING
target triple = "aarch64-unknown-linux-gnu"
source_filename = "target.c"

; The base is looked up by linkers' table: programs have no copies of variables.
; CHECK: @__memprof_shadow_memory_dynamic_address = external global i64
; SAMPLING-NOT: @__thermocline_unsampled_mask

; STATS: target.c: counted 2 reads, 3 writes and 0 copies or fills
; STATS-NOT: not counted
; STATS: target.c: not counted, intrinsic of the target: 1
; STATS-NOT: {{.}}

; CHECK-LABEL: define void @pairs(
; CHECK: add i64 %{{.*}}, 2
; CHECK-NOT: add i64
; CHECK: call { <4 x float>, <4 x float> } @llvm.aarch64.neon.ld2
; SAMPLING-LABEL: define void @pairs(
; SAMPLING: and i64 %{{.*}}, 263882790666240
define void @pairs(ptr %p) {
  %both = call { <4 x float>, <4 x float> } @llvm.aarch64.neon.ld2.v4f32.p0(ptr %p)
  %a = extractvalue { <4 x float>, <4 x float> } %both, 0
  %b = extractvalue { <4 x float>, <4 x float> } %both, 1
  call void @llvm.aarch64.neon.st2.v4f32.p0(<4 x float> %b, <4 x float> %a, ptr %p)
  ret void
}

; CHECK-LABEL: define void @lane(
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @llvm.aarch64.neon.st3lane
define void @lane(<4 x i32> %a, ptr %p) {
  call void @llvm.aarch64.neon.st3lane.v4i32.p0(<4 x i32> %a, <4 x i32> %a, <4 x i32> %a, i64 1, ptr %p)
  ret void
}

; CHECK-LABEL: define <vscale x 4 x float> @scalable(
; CHECK: @llvm.vector.reduce.add
; CHECK: call <vscale x 4 x float> @llvm.aarch64.sve.ld1
define <vscale x 4 x float> @scalable(<vscale x 4 x i1> %m, ptr %p) {
  %v = call <vscale x 4 x float> @llvm.aarch64.sve.ld1.nxv4f32(<vscale x 4 x i1> %m, ptr %p)
  ret <vscale x 4 x float> %v
}

; CHECK-LABEL: define i32 @exclusive(
; CHECK: add i64 %{{.*}}, 1
; CHECK: %old = call i64 @llvm.aarch64.ldaxr
; CHECK-NEXT: %new = add i64 %old, 1
; CHECK-NEXT: %failed = call i32 @llvm.aarch64.stlxr
; CHECK-NEXT: ret
define i32 @exclusive(ptr %p) {
  %old = call i64 @llvm.aarch64.ldaxr.p0(ptr elementtype(i64) %p)
  %new = add i64 %old, 1
  %failed = call i32 @llvm.aarch64.stlxr.p0(i64 %new, ptr elementtype(i64) %p)
  ret i32 %failed
}

; CHECK-LABEL: define <vscale x 4 x i32> @firstFault(
; CHECK-NEXT: call
define <vscale x 4 x i32> @firstFault(<vscale x 4 x i1> %m, ptr %p) {
  %v = call <vscale x 4 x i32> @llvm.aarch64.sve.ldff1.nxv4i32(<vscale x 4 x i1> %m, ptr %p)
  ret <vscale x 4 x i32> %v
}
