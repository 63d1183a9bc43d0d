; Of a vector that is accessed under a mask each active lane is an access of its
; own. Lanes computed from one pointer are one update of their number, at the first
; active one; without merging, and those of several objects, are one each.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-stats %s -o %t.ll 2> %t.stats
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=STATS < %t.stats
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-merge=false %s -o - | %FileCheck %s --check-prefix=EACH
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-like-llvm -thermocline-generate-stats %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=LIKE
target triple = "x86_64-unknown-linux-gnu"
source_filename = "masked.c"

; STATS: masked.c: counted 12 reads, 5 writes and 2 copies or fills
; STATS-NEXT: masked.c: by 22 updates; merged in a block 1, across blocks 0, hoisted out of loops 0, counted in registers 1
; STATS-NEXT: masked.c: not counted, stack: 1
; STATS-NEXT: masked.c: not counted, address space: 1
; STATS-NEXT: masked.c: not counted, scalable gather or scatter: 1
; LIKE: masked.c: counted 5 reads, 2 writes and 0 copies or fills
; LIKE: masked.c: not counted, gather or scatter: 11
; LIKE-NEXT: masked.c: not counted, element-wise atomic: 2

; If no lane is active, nothing is counted nowhere.
; CHECK-LABEL: define <2 x i64> @load(
; CHECK: [[FRAME:%.*]] = call ptr @llvm.frameaddress.p0(i32 0)
; CHECK: [[BITS2:%.*]] = bitcast <2 x i1> %m to i2
; CHECK: [[BITS:%.*]] = zext i2 [[BITS2]] to i8
; CHECK: [[COUNT8:%.*]] = call i8 @llvm.ctpop.i8(i8 [[BITS]])
; CHECK: [[FIRST8:%.*]] = call i8 @llvm.cttz.i8(i8 [[BITS]], i1 true)
; CHECK: [[COUNT:%.*]] = zext i8 [[COUNT8]] to i64
; CHECK: [[FIRST:%.*]] = zext i8 [[FIRST8]] to i64
; CHECK: [[ANY:%.*]] = icmp ne i64 [[COUNT]], 0
; CHECK: [[LANE:%.*]] = getelementptr i64, ptr %p, i64 [[FIRST]]
; CHECK: [[ADDRESS:%.*]] = select i1 [[ANY]], ptr [[LANE]], ptr [[FRAME]]
; CHECK: ptrtoint ptr [[ADDRESS]] to i64
; CHECK: add i64 %{{.*}}, [[COUNT]]
; CHECK-NOT: lshr
; CHECK: call <2 x i64> @llvm.masked.load
; EACH-LABEL: define <2 x i64> @load(
; EACH: [[M0:%.*]] = extractelement <2 x i1> %m, {{i32|i64}} 0
; EACH: zext i1 [[M0]] to i64
; EACH: select i1 [[M0]], ptr %p, ptr
; EACH: [[M1:%.*]] = extractelement <2 x i1> %m, {{i32|i64}} 1
; EACH: zext i1 [[M1]] to i64
; EACH: [[P1:%.*]] = getelementptr i64, ptr %p, i64 1
; EACH: select i1 [[M1]], ptr [[P1]], ptr
; EACH-COUNT-2: lshr
; EACH-NOT: lshr
; EACH: call <2 x i64> @llvm.masked.load
define <2 x i64> @load(ptr %p, <2 x i1> %m) {
  %v = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr align 8 %p, <2 x i1> %m, <2 x i64> zeroinitializer)
  ret <2 x i64> %v
}

; CHECK-LABEL: define void @storeConstantMask(
; CHECK: [[P1:%.*]] = getelementptr i32, ptr %p, i64 1
; CHECK: ptrtoint ptr [[P1]] to i64
; CHECK: add i64 %{{.*}}, 2
; CHECK-NOT: lshr
; CHECK: call void @llvm.masked.store
; CHECK: ret void
; EACH-LABEL: define void @storeConstantMask(
; EACH: getelementptr i32, ptr %p, i64 1
; EACH: getelementptr i32, ptr %p, i64 3
; EACH-COUNT-2: add i64 %{{.*}}, 1
; EACH-NOT: lshr
; EACH: ret void
define void @storeConstantMask(ptr %p, <4 x i32> %v) {
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr align 4 %p, <4 x i1> <i1 0, i1 1, i1 0, i1 1>)
  ret void
}

; A constant mask makes an update that is merged like others.
; CHECK-LABEL: define <4 x i32> @loadAll(
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 5
; CHECK-NOT: lshr
; CHECK: ret <4 x i32>
define <4 x i32> @loadAll(ptr %p) {
  %x = load i8, ptr %p
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> splat (i1 true), <4 x i32> poison)
  ret <4 x i32> %v
}

; CHECK-LABEL: define <4 x i32> @loadNone(
; CHECK-NOT: lshr
; CHECK: ret <4 x i32>
define <4 x i32> @loadNone(ptr %p) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> zeroinitializer, <4 x i32> poison)
  ret <4 x i32> %v
}

; A register counts active lanes, and keeps the last address that there was.
; CHECK-LABEL: define void @inLoop(
; CHECK: loop:
; CHECK: call i8 @llvm.ctpop.i8
; CHECK-NOT: lshr
; CHECK: exit:
; CHECK: lshr
; CHECK: ret void
define void @inLoop(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  %x = insertelement <4 x i64> <i64 3, i64 5, i64 7, i64 9>, i64 %i, i32 2
  %odd = trunc <4 x i64> %x to <4 x i1>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr align 4 %q, <4 x i1> %odd)
  %next = add i64 %i, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define <4 x i32> @gatherOfOne(
; CHECK: [[FIRST8:%.*]] = call i8 @llvm.cttz.i8
; CHECK: [[FIRST:%.*]] = zext i8 [[FIRST8]] to i64
; CHECK: extractelement <4 x ptr> %q, i64 [[FIRST]]
; CHECK: lshr
; CHECK-NOT: lshr
; CHECK: ret <4 x i32>
define <4 x i32> @gatherOfOne(ptr %p, <4 x i64> %i, <4 x i1> %m) {
  %q = getelementptr i32, ptr %p, <4 x i64> %i
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %q, <4 x i1> %m, <4 x i32> poison)
  ret <4 x i32> %v
}

; CHECK-LABEL: define <4 x i32> @gather(
; CHECK-COUNT-4: lshr
; CHECK-NOT: lshr
; CHECK: ret <4 x i32>
define <4 x i32> @gather(<4 x ptr> %p, <4 x i1> %m) {
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %p, <4 x i1> %m, <4 x i32> poison)
  ret <4 x i32> %v
}

; What is computed from a null pointer may be several objects.
; CHECK-LABEL: define <4 x i32> @gatherFromNull(
; CHECK-COUNT-4: lshr
; CHECK-NOT: lshr
; CHECK: ret <4 x i32>
define <4 x i32> @gatherFromNull(<4 x i64> %i, <4 x i1> %m) {
  %q = getelementptr i8, ptr null, <4 x i64> %i
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %q, <4 x i1> %m, <4 x i32> poison)
  ret <4 x i32> %v
}

; CHECK-LABEL: define void @scatterSome(
; CHECK: extractelement <4 x ptr> %p, i64 0
; CHECK: extractelement <4 x ptr> %p, i64 2
; CHECK-COUNT-2: lshr
; CHECK-NOT: lshr
; CHECK: ret void
define void @scatterSome(<4 x ptr> %p) {
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> zeroinitializer, <4 x ptr> %p, <4 x i1> <i1 1, i1 0, i1 1, i1 0>)
  ret void
}

; Lanes that are not active have no place.
; CHECK-LABEL: define <16 x i8> @expand(
; CHECK: call i16 @llvm.ctpop.i16
; CHECK: select i1 %{{.*}}, ptr %p, ptr
; CHECK: ret <16 x i8>
; EACH-LABEL: define <16 x i8> @expand(
; EACH-COUNT-1: lshr
; EACH-NOT: lshr
; EACH: ret <16 x i8>
define <16 x i8> @expand(ptr %p, <16 x i1> %m) {
  %v = call <16 x i8> @llvm.masked.expandload.v16i8(ptr %p, <16 x i1> %m, <16 x i8> poison)
  ret <16 x i8> %v
}

; CHECK-LABEL: define void @compress(
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: ret void
define void @compress(ptr %p) {
  call void @llvm.masked.compressstore.v4i32(<4 x i32> zeroinitializer, ptr %p, <4 x i1> <i1 0, i1 1, i1 0, i1 0>)
  ret void
}

; CHECK-LABEL: define <8 x i32> @withLength(
; CHECK: [[SPLAT:%.*]] = shufflevector <8 x i32> %{{.*}}, <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK: [[BELOW:%.*]] = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, [[SPLAT]]
; CHECK: [[ACTIVE:%.*]] = and <8 x i1> %m, [[BELOW]]
; CHECK: bitcast <8 x i1> [[ACTIVE]] to i8
; CHECK: call <8 x i32> @llvm.vp.load
define <8 x i32> @withLength(ptr %p, <8 x i1> %m, i32 %n) {
  %v = call <8 x i32> @llvm.vp.load.v8i32.p0(ptr %p, <8 x i1> %m, i32 %n)
  ret <8 x i32> %v
}

; How many lanes could be read is known afterwards.
; CHECK-LABEL: define i32 @asManyAsCanBeRead(
; CHECK: [[READ:%.*]] = call { <8 x i32>, i32 } @llvm.vp.load.ff
; CHECK: [[LENGTH:%.*]] = extractvalue { <8 x i32>, i32 } [[READ]], 1
; CHECK: [[ONE:%.*]] = insertelement <8 x i32> poison, i32 [[LENGTH]], i64 0
; CHECK: [[SPLAT:%.*]] = shufflevector <8 x i32> [[ONE]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK: [[BELOW:%.*]] = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, [[SPLAT]]
; CHECK: [[ACTIVE:%.*]] = and <8 x i1> %m, [[BELOW]]
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> [[ACTIVE]] to i8
; CHECK: call i8 @llvm.ctpop.i8(i8 [[BITS]])
; CHECK: lshr
; CHECK-NOT: lshr
; CHECK: ret i32
define i32 @asManyAsCanBeRead(ptr %p, <8 x i1> %m, i32 %n) {
  %r = call { <8 x i32>, i32 } @llvm.vp.load.ff.v8i32.p0(ptr %p, <8 x i1> %m, i32 %n)
  %read = extractvalue { <8 x i32>, i32 } %r, 1
  ret i32 %read
}

; CHECK-LABEL: define <vscale x 4 x i32> @scalableAsManyAsCanBeRead(
; CHECK: call { <vscale x 4 x i32>, i32 } @llvm.vp.load.ff
; CHECK: call i64 @llvm.vector.reduce.add.nxv4i64
; CHECK: lshr
; CHECK-NOT: lshr
; CHECK: ret
define <vscale x 4 x i32> @scalableAsManyAsCanBeRead(ptr %p, <vscale x 4 x i1> %m, i32 %n) {
  %r = call { <vscale x 4 x i32>, i32 } @llvm.vp.load.ff.nxv4i32.p0(ptr %p, <vscale x 4 x i1> %m, i32 %n)
  %v = extractvalue { <vscale x 4 x i32>, i32 } %r, 0
  ret <vscale x 4 x i32> %v
}

; CHECK-LABEL: define void @strided(
; CHECK: [[AT:%.*]] = mul i64 %{{.*}}, %stride
; CHECK: getelementptr i8, ptr %p, i64 [[AT]]
; CHECK: ret void
define void @strided(ptr %p, i64 %stride, <8 x i1> %m, i32 %n) {
  call void @llvm.experimental.vp.strided.store.v8i32.p0.i64(<8 x i32> zeroinitializer, ptr %p, i64 %stride, <8 x i1> %m, i32 %n)
  ret void
}

; CHECK-LABEL: define <vscale x 4 x i32> @scalable(
; CHECK: [[WIDE:%.*]] = zext <vscale x 4 x i1> %m to <vscale x 4 x i64>
; CHECK: call i64 @llvm.vector.reduce.add.nxv4i64(<vscale x 4 x i64> [[WIDE]])
; CHECK: call i64 @llvm.experimental.cttz.elts.i64.nxv4i1(<vscale x 4 x i1> %m, i1 true)
; CHECK-COUNT-1: lshr
; CHECK: ret <vscale x 4 x i32>
define <vscale x 4 x i32> @scalable(ptr %p, <vscale x 4 x i1> %m) {
  %v = call <vscale x 4 x i32> @llvm.masked.load.nxv4i32.p0(ptr align 4 %p, <vscale x 4 x i1> %m, <vscale x 4 x i32> poison)
  ret <vscale x 4 x i32> %v
}

; CHECK-LABEL: define <vscale x 4 x i32> @scalableGather(
; CHECK-NOT: lshr
; CHECK: ret <vscale x 4 x i32>
define <vscale x 4 x i32> @scalableGather(<vscale x 4 x ptr> %p, <vscale x 4 x i1> %m) {
  %v = call <vscale x 4 x i32> @llvm.masked.gather.nxv4i32.nxv4p0(<vscale x 4 x ptr> %p, <vscale x 4 x i1> %m, <vscale x 4 x i32> poison)
  ret <vscale x 4 x i32> %v
}

; CHECK-LABEL: define void @elementsAtomic(
; CHECK: call void @__memprof_record_access_range(ptr %q, i64 %n)
; CHECK: call void @__memprof_record_access_range(ptr %p, i64 %n)
; CHECK: call void @llvm.memcpy.element.unordered.atomic
; CHECK: call void @__memprof_record_access_range(ptr %p, i64 64)
; CHECK: call void @llvm.memset.element.unordered.atomic
; CHECK: ret void
define void @elementsAtomic(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 %n, i32 4)
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 4 %p, i8 0, i64 64, i32 4)
  ret void
}

; CHECK-LABEL: define <4 x i32> @notTheHeap(
; CHECK-NOT: lshr
; CHECK: ret <4 x i32>
define <4 x i32> @notTheHeap(<4 x i64> %i, <4 x i1> %m, <4 x ptr addrspace(257)> %fs) {
  %a = alloca [64 x i32]
  %p = getelementptr i32, ptr %a, <4 x i64> %i
  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %p, <4 x i1> %m, <4 x i32> poison)
  %w = call <4 x i32> @llvm.masked.gather.v4i32.v4p257(<4 x ptr addrspace(257)> %fs, <4 x i1> %m, <4 x i32> %v)
  ret <4 x i32> %w
}
