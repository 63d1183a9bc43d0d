; What only one target has is counted by its active lanes, too, if it is known where
; and how much it accesses; all else that may touch the heap is reported.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-stats %s -o %t.ll 2> %t.stats
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=STATS < %t.stats
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-merge=false %s -o - | %FileCheck %s --check-prefix=EACH
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-like-llvm -thermocline-generate-stats %s -o %t.like.ll 2>&1 | %FileCheck %s --check-prefix=LIKE
; RUN: %FileCheck %s --check-prefix=LIKE-CODE < %t.like.ll
target triple = "x86_64-unknown-linux-gnu"
source_filename = "target.c"

@global = global i32 0

; STATS: target.c: counted 10 reads, 9 writes and 0 copies or fills
; STATS: target.c: not counted, stack: 3
; STATS-NEXT: target.c: not counted, global: 1
; STATS-NEXT: target.c: not counted, intrinsic of the target: 2
; STATS-NEXT: target.c: not counted, other intrinsic: 2
; STATS-NEXT: target.c: not counted, inline assembly: 1
; STATS-NOT: {{.}}
; LIKE: target.c: counted 2 reads, 3 writes and 0 copies or fills
; LIKE: target.c: not counted, intrinsic of the target: 16
; LIKE-CODE-COUNT-3: lshr
; LIKE-CODE-NOT: lshr

; The highest bit of an element says whether its lane is active.
; CHECK-LABEL: define <8 x float> @maskload(
; CHECK: [[ACTIVE:%.*]] = icmp slt <8 x i32> %m, zeroinitializer
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> [[ACTIVE]] to i8
; CHECK: [[COUNT8:%.*]] = call i8 @llvm.ctpop.i8(i8 [[BITS]])
; CHECK: [[FIRST8:%.*]] = call i8 @llvm.cttz.i8(i8 [[BITS]], i1 true)
; CHECK: [[COUNT:%.*]] = zext i8 [[COUNT8]] to i64
; CHECK: [[FIRST:%.*]] = zext i8 [[FIRST8]] to i64
; CHECK: getelementptr float, ptr %p, i64 [[FIRST]]
; CHECK: add i64 %{{.*}}, [[COUNT]]
; CHECK-NOT: lshr
; CHECK: call <8 x float> @llvm.x86.avx.maskload.ps.256
; EACH-LABEL: define <8 x float> @maskload(
; EACH-COUNT-8: lshr
; EACH-NOT: lshr
; EACH: ret
define <8 x float> @maskload(ptr %p, <8 x i32> %m) {
  %v = call <8 x float> @llvm.x86.avx.maskload.ps.256(ptr %p, <8 x i32> %m)
  ret <8 x float> %v
}

; A constant mask makes an update like others.
; CHECK-LABEL: define void @maskstore(
; CHECK: [[P1:%.*]] = getelementptr i64, ptr %p, i64 1
; CHECK: ptrtoint ptr [[P1]] to i64
; CHECK: add i64 %{{.*}}, 2
; CHECK-NOT: lshr
; CHECK: ret void
define void @maskstore(ptr %p, <4 x i64> %v) {
  call void @llvm.x86.avx2.maskstore.q.256(ptr %p, <4 x i64> <i64 1, i64 -1, i64 0, i64 -5>, <4 x i64> %v)
  ret void
}

; CHECK-LABEL: define void @bytes(
; CHECK: [[ACTIVE:%.*]] = icmp slt <16 x i8> %m, zeroinitializer
; CHECK: bitcast <16 x i1> [[ACTIVE]] to i16
; CHECK: getelementptr i8, ptr %p
; CHECK: ret void
define void @bytes(ptr %p, <16 x i8> %m, <16 x i8> %v) {
  call void @llvm.x86.sse2.maskmov.dqu(<16 x i8> %v, <16 x i8> %m, ptr %p)
  ret void
}

; Lanes at indices of 32 bits from a pointer are those of its object.
; CHECK-LABEL: define <8 x float> @gather(
; CHECK: [[MASK:%.*]] = bitcast <8 x float> %m to <8 x i32>
; CHECK: icmp slt <8 x i32> [[MASK]], zeroinitializer
; CHECK: [[INDEX:%.*]] = extractelement <8 x i32> %i, i64 [[FIRST:%.*]]
; CHECK: [[WIDE:%.*]] = sext i32 [[INDEX]] to i64
; CHECK: [[AT:%.*]] = mul i64 [[WIDE]], 4
; CHECK: getelementptr i8, ptr %p, i64 [[AT]]
; CHECK-COUNT-1: lshr
; CHECK-NOT: lshr
; CHECK: ret
; EACH-LABEL: define <8 x float> @gather(
; EACH-COUNT-8: lshr
; EACH-NOT: lshr
; EACH: ret
define <8 x float> @gather(ptr %p, <8 x i32> %i, <8 x float> %m) {
  %v = call <8 x float> @llvm.x86.avx2.gather.d.ps.256(<8 x float> zeroinitializer, ptr %p, <8 x i32> %i, <8 x float> %m, i8 4)
  ret <8 x float> %v
}

; Indices of 64 bits may be addresses: each lane counts where it is. There are as
; many as there are indices.
; CHECK-LABEL: define <4 x float> @gatherAnywhere(
; CHECK: shufflevector <4 x i1> %{{.*}}, <4 x i1> poison, <2 x i32> <i32 0, i32 1>
; CHECK-COUNT-2: lshr
; CHECK-NOT: lshr
; CHECK: ret
define <4 x float> @gatherAnywhere(ptr %p, <2 x i64> %i, <4 x float> %m) {
  %v = call <4 x float> @llvm.x86.avx2.gather.q.ps(<4 x float> zeroinitializer, ptr %p, <2 x i64> %i, <4 x float> %m, i8 1)
  ret <4 x float> %v
}

; So do those from no object, if all are active, too.
; CHECK-LABEL: define <4 x i32> @gatherFromNull(
; CHECK-COUNT-4: lshr
; CHECK-NOT: lshr
; CHECK: ret
define <4 x i32> @gatherFromNull(<4 x i32> %i) {
  %v = call <4 x i32> @llvm.x86.avx2.gather.d.d(<4 x i32> zeroinitializer, ptr null, <4 x i32> %i, <4 x i32> splat (i32 -1), i8 8)
  ret <4 x i32> %v
}

; CHECK-LABEL: define <16 x float> @gatherWide(
; CHECK: bitcast <16 x i1> %m to i16
; CHECK-COUNT-1: lshr
; CHECK-NOT: lshr
; CHECK: ret
define <16 x float> @gatherWide(ptr %p, <16 x i32> %i, <16 x i1> %m) {
  %v = call <16 x float> @llvm.x86.avx512.mask.gather.dps.512(<16 x float> zeroinitializer, ptr %p, <16 x i32> %i, <16 x i1> %m, i32 4)
  ret <16 x float> %v
}

; CHECK-LABEL: define <8 x double> @gatherByNumber(
; CHECK: [[MASK:%.*]] = bitcast i8 %m to <8 x i1>
; CHECK-COUNT-1: lshr
; CHECK-NOT: lshr
; CHECK: ret
define <8 x double> @gatherByNumber(ptr %p, <8 x i32> %i, i8 %m) {
  %v = call <8 x double> @llvm.x86.avx512.gather.dpd.512(<8 x double> zeroinitializer, ptr %p, <8 x i32> %i, i8 %m, i32 8)
  ret <8 x double> %v
}

; CHECK-LABEL: define void @scatter(
; CHECK-COUNT-8: lshr
; CHECK-NOT: lshr
; CHECK: ret
define void @scatter(ptr %p, <8 x i64> %i, <8 x i1> %m, <8 x double> %v) {
  call void @llvm.x86.avx512.mask.scatter.qpd.512(ptr %p, <8 x i1> %m, <8 x i64> %i, <8 x double> %v, i32 8)
  ret void
}

; CHECK-LABEL: define void @narrow(
; CHECK: [[FEW:%.*]] = trunc i8 %m to i4
; CHECK: [[MASK:%.*]] = bitcast i4 [[FEW]] to <4 x i1>
; CHECK: getelementptr i16, ptr %p
; CHECK-COUNT-1: lshr
; CHECK-NOT: lshr
; CHECK: ret
define void @narrow(ptr %p, <4 x i32> %v, i8 %m) {
  call void @llvm.x86.avx512.mask.pmovs.dw.mem.128(ptr %p, <4 x i32> %v, i8 %m)
  ret void
}

; One access each, merged with others.
; CHECK-LABEL: define <16 x i8> @whole(
; CHECK: add i64 %{{.*}}, 5
; CHECK-NOT: lshr
; CHECK: ret
define <16 x i8> @whole(ptr %p, i32 %x) {
  %v = call <16 x i8> @llvm.x86.sse3.ldu.dq(ptr %p)
  call void @llvm.x86.directstore32(ptr %p, i32 %x)
  call void @llvm.x86.sse.ldmxcsr(ptr %p)
  %a = load i8, ptr %p
  %b = load i8, ptr %p
  ret <16 x i8> %v
}

; None of those is in the way of others, unless it is atomic.
; CHECK-LABEL: define void @inTheWay(
; CHECK: add i64 %{{.*}}, 3
; CHECK: call void @llvm.x86.avx.maskstore.ps
; CHECK-NOT: lshr
; CHECK: call void @llvm.x86.aadd32
; CHECK: lshr
; CHECK: ret
define void @inTheWay(ptr %p, ptr %q, <4 x float> %v, i32 %x) {
  store i32 1, ptr %p
  call void @llvm.x86.avx.maskstore.ps(ptr %p, <4 x i32> <i32 0, i32 0, i32 -1, i32 0>, <4 x float> %v)
  store i32 2, ptr %p
  call void @llvm.x86.aadd32(ptr @global, i32 %x)
  store i32 3, ptr %p
  ret void
}

; CHECK-LABEL: define i32 @stack(
; CHECK-NOT: memprof
; CHECK: ret
define i32 @stack(<4 x i32> %m, <4 x i32> %i) {
  %a = alloca [4 x i32]
  call void @llvm.x86.sse.stmxcsr(ptr %a)
  %v = call <4 x float> @llvm.x86.avx.maskload.ps(ptr %a, <4 x i32> %m)
  call void @llvm.x86.xsave(ptr %a, i32 0, i32 1)
  ret i32 0
}

; What is known to access more than can be said here, and what accesses nothing.
; CHECK-LABEL: define void @reported(
; CHECK-NOT: memprof
; CHECK: ret
define void @reported(ptr %p, ptr %q, <4 x ptr> %r, <4 x i1> %m) {
  call void @llvm.x86.xsave(ptr %p, i32 0, i32 1)
  call void @llvm.x86.movdir64b(ptr %p, ptr %q)
  call void @llvm.va_copy.p0(ptr %p, ptr %q)
  call void @llvm.experimental.vector.histogram.add.v4p0.i32(<4 x ptr> %r, i32 1, <4 x i1> %m)
  call void asm sideeffect "movl $$1, ($0)", "r,~{memory}"(ptr %p)
  call void asm sideeffect "", "r,~{memory}"(ptr %p)
  call void asm sideeffect "nop", "r,~{memory}"(i64 1)
  call void @llvm.x86.sse2.clflush(ptr %p)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %s = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  call void @llvm.assume(i1 true) ["align"(ptr %p, i64 8)]
  ret void
}
