; Of a masked load or store each active lane is an access of its own; gathers,
; scatters and scalable vectors are not counted and said to be.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument -S -thermocline-generate-stats %s -o %t.ll 2> %t.stats
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=STATS < %t.stats
target triple = "x86_64-unknown-linux-gnu"
source_filename = "masked.c"

; STATS: masked.c: counted 2 reads, 1 writes
; STATS-NEXT: masked.c: by 3 updates
; STATS-NEXT: masked.c: not counted, gather or scatter: 1
; STATS-NEXT: masked.c: not counted, scalable mask: 1

; CHECK-LABEL: define <2 x i64> @load(
; CHECK: [[M0:%.*]] = extractelement <2 x i1> %m, {{i32|i64}} 0
; CHECK: br i1 [[M0]], label %[[T0:.*]], label
; CHECK: [[T0]]:
; CHECK: getelementptr <2 x i64>, ptr %p, i64 0, i64 0
; CHECK: add i64 %{{.*}}, 1
; CHECK: extractelement <2 x i1> %m, {{i32|i64}} 1
; CHECK: getelementptr <2 x i64>, ptr %p, i64 0, i64 1
; CHECK: add i64 %{{.*}}, 1
; CHECK: call <2 x i64> @llvm.masked.load
define <2 x i64> @load(ptr %p, <2 x i1> %m) {
  %v = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr align 8 %p, <2 x i1> %m, <2 x i64> zeroinitializer)
  ret <2 x i64> %v
}

; CHECK-LABEL: define void @storeConstantMask(
; CHECK-NOT: br i1
; CHECK: getelementptr <4 x i32>, ptr %p, i64 0, i64 1
; CHECK: add i64 %{{.*}}, 1
; CHECK: getelementptr <4 x i32>, ptr %p, i64 0, i64 3
; CHECK: add i64 %{{.*}}, 1
; CHECK-NOT: add i64 %{{.*}}, 1
; CHECK: call void @llvm.masked.store
; CHECK: ret void
define void @storeConstantMask(ptr %p, <4 x i32> %v) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> <i1 0, i1 1, i1 0, i1 1>)
  ret void
}

; CHECK-LABEL: define <4 x i32> @loadAll(
; CHECK-COUNT-4: getelementptr <4 x i32>, ptr %p
; CHECK-NOT: br i1
; CHECK: ret <4 x i32>
define <4 x i32> @loadAll(ptr %p) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> splat (i1 true), <4 x i32> poison)
  ret <4 x i32> %v
}

define <4 x i32> @gather(<4 x ptr> %p, <4 x i1> %m) {
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %p, <4 x i1> %m, <4 x i32> poison)
  ret <4 x i32> %v
}

define <vscale x 4 x i32> @scalable(ptr %p, <vscale x 4 x i1> %m) {
  %v = call <vscale x 4 x i32> @llvm.masked.load.nxv4i32.p0(ptr align 4 %p, <vscale x 4 x i1> %m, <vscale x 4 x i32> poison)
  ret <vscale x 4 x i32> %v
}

declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, <2 x i1>, <2 x i64>)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, <4 x i1>, <4 x i32>)
declare <vscale x 4 x i32> @llvm.masked.load.nxv4i32.p0(ptr, <vscale x 4 x i1>, <vscale x 4 x i32>)
