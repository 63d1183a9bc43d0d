; For histograms, an update adds to the byte of the accessed 8 bytes and stops at
; 255. Only accesses at one address become one update, and none leaves its loop.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-histogram %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -disable-output -thermocline-generate-histogram -thermocline-generate-stats %s 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -disable-output -thermocline-generate-histogram -thermocline-generate-merge=false -thermocline-generate-stats %s 2>&1 | %FileCheck %s --check-prefix=UNMERGED
; STATS: by 8 updates; merged in a block 300, across blocks 1, hoisted out of loops 0, counted in registers 0
; UNMERGED: by 309 updates; merged in a block 0, across blocks 0, hoisted
target triple = "x86_64-unknown-linux-gnu"

; CHECK-DAG: @__memprof_histogram = constant i1 true, comdat

; Each of an object's fields has its own counter.
; CHECK-LABEL: define void @fields(
; CHECK: %[[N:[0-9]+]] = ptrtoint ptr %p to i64
; CHECK-NEXT: %[[G:[0-9]+]] = lshr i64 %[[N]], 3
; CHECK-NEXT: %[[C:[0-9]+]] = getelementptr i8, ptr %memprof.base, i64 %[[G]]
; CHECK-NEXT: %[[OLD:[0-9]+]] = load i8, ptr %[[C]]
; CHECK-NEXT: %[[ROOM:[0-9]+]] = icmp ult i8 %[[OLD]], -1
; CHECK-NEXT: %[[ONE:[0-9]+]] = zext i1 %[[ROOM]] to i8
; CHECK-NEXT: %[[NEW:[0-9]+]] = add i8 %[[OLD]], %[[ONE]]
; CHECK-NEXT: store i8 %[[NEW]], ptr %[[C]]
; CHECK-NEXT: store i64 1, ptr %p
; CHECK-NEXT: %q = getelementptr
; CHECK-NEXT: ptrtoint ptr %q to i64
; CHECK: store i64 2, ptr %q
; CHECK-NEXT: ret void
define void @fields(ptr %p) {
  store i64 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  store i64 2, ptr %q
  ret void
}

; CHECK-LABEL: define i64 @loop(
; CHECK: body:
; CHECK: lshr i64 %{{.*}}, 3
; CHECK: %v = load i64, ptr %p
; CHECK: exit:
; CHECK-NEXT: ret
define i64 @loop(ptr %p, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %v = load i64, ptr %p
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret i64 %v
}

; CHECK-LABEL: define void @twiceInEqualBlocks(
; CHECK: call i8 @llvm.uadd.sat.i8(i8 %{{.*}}, i8 2)
; CHECK: then:
; CHECK: %[[G2:[0-9]+]] = ptrtoint ptr %q to i64
; CHECK: end:
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @twiceInEqualBlocks(ptr %p, ptr %q, i1 %c) {
  store i64 1, ptr %p
  br i1 %c, label %then, label %end
then:
  store i64 1, ptr %q
  br label %end
end:
  store i64 2, ptr %p
  ret void
}

; Each lane of a masked access.
; CHECK-LABEL: define <2 x i64> @masked(
; CHECK-COUNT-2: lshr i64 %{{.*}}, 3
; CHECK: ret <2 x i64>
define <2 x i64> @masked(ptr %p, <2 x i1> %mask) {
  %v = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %p, i32 8, <2 x i1> %mask, <2 x i64> zeroinitializer)
  ret <2 x i64> %v
}
declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>)

; Copies are the runtime's, which knows.
; CHECK-LABEL: define void @copy(
; CHECK: call ptr @__memprof_memcpy(
define void @copy(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 100, i1 false)
  ret void
}

; More than a counter holds.
; CHECK-LABEL: define void @full(
; CHECK: call i8 @llvm.uadd.sat.i8(i8 %{{.*}}, i8 -1)
; CHECK-NOT: lshr
; CHECK: ret void
; CHECK: call void @__memprof_counters_of_bytes(i32 1)
define void @full(ptr %p) {
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  store volatile i8 0, ptr %p
  ret void
}
