; Accesses of an object that a loop does not change are counted in front of it,
; with the trip count, or in a register that is added where the loop is left.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-stats %s -o %t.ll 2> %t.stats
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=STATS < %t.stats
; STATS: by 30 updates; merged in a block 2, across blocks 0, hoisted out of loops 6, counted in registers 14
; STATS-NEXT: left in loops, object changes: 2
; STATS-NEXT: left in loops, calls that may not return: 1
; STATS-NEXT: left in loops, calls or atomics that may end its life: 3
; STATS-NEXT: left in loops, no register left: 1
target triple = "x86_64-unknown-linux-gnu"
source_filename = "merged"

; A counted loop, at the first address, all its accesses in one update.
; CHECK-LABEL: define void @counted(
; CHECK: entry:
; CHECK: [[TWICE:%.*]] = shl i64 %n, 1
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, [[TWICE]]
; CHECK: loop:
; CHECK-NOT: lshr
; CHECK: ret void
define void @counted(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  store i32 %v, ptr %p
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A pointer that walks down. It starts at the end, which is behind the object: the
; address is that of the first access.
; CHECK-LABEL: define void @walksDown(
; CHECK: entry:
; CHECK: [[BYTES:%.*]] = shl i64 %n, 2
; CHECK: [[LAST:%.*]] = add i64 [[BYTES]], -4
; CHECK: [[A:%.*]] = getelementptr i8, ptr %begin, i64 [[LAST]]
; CHECK: ptrtoint ptr [[A]] to i64
; CHECK: loop:
; CHECK-NOT: lshr
; CHECK: ret void
define void @walksDown(ptr %begin, i64 %n) {
entry:
  %end = getelementptr i32, ptr %begin, i64 %n
  br label %loop
loop:
  %p = phi ptr [ %end, %entry ], [ %next, %loop ]
  %next = getelementptr inbounds i8, ptr %p, i64 -4
  store i32 1, ptr %next
  %more = icmp ne ptr %next, %begin
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Known numbers multiply to one number.
; CHECK-LABEL: define void @nested(
; CHECK: entry:
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 600
; CHECK-NOT: lshr
; CHECK: ret void
define void @nested(ptr %p) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %k = add i64 %i, %j
  %a = getelementptr i32, ptr %p, i64 %k
  %v = load i32, ptr %a
  store i32 1, ptr %a
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 30
  br i1 %j.more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 10
  br i1 %i.more, label %outer, label %exit
exit:
  ret void
}

; A narrow counter that wraps: 256 iterations, not 0.
; CHECK-LABEL: define void @wraps(
; CHECK: entry:
; CHECK: add i64 %{{.*}}, 256
; CHECK: loop:
; CHECK-NOT: lshr
; CHECK: ret void
define void @wraps(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 7, %entry ], [ %next, %loop ]
  store i32 1, ptr %p
  %next = add i8 %i, 1
  %more = icmp ne i8 %next, 7
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Wider than a counter.
; CHECK-LABEL: define void @wide(
; CHECK: loop:
; CHECK: %[[COUNT:memprof.*]] = phi i64 [ 0, %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK: %[[NEXT]] = add i64 %[[COUNT]], 1
; CHECK-NOT: lshr
; CHECK: exit:
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, %[[NEXT]]
; CHECK: ret void
define void @wide(ptr %p, i128 %n) {
entry:
  br label %loop
loop:
  %i = phi i128 [ 0, %entry ], [ %next, %loop ]
  store i32 1, ptr %p
  %next = add i128 %i, 1
  %more = icmp ult i128 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What happens in some iterations is counted, with the last address that there was.
; CHECK-LABEL: define void @sometimes(
; CHECK: [[NOWHERE:%.*]] = call ptr @llvm.frameaddress.p0(i32 0)
; CHECK: loop:
; CHECK: phi ptr [ [[NOWHERE]], %entry ]
; CHECK: phi i64 [ 0, %entry ]
; CHECK: then:
; CHECK-NEXT: getelementptr
; CHECK-NEXT: add i64 %{{.*}}, 1
; CHECK-NEXT: store i8 1, ptr %a
; CHECK-NEXT: br label %latch
; CHECK: latch:
; CHECK: phi ptr [ %a, %then ]
; CHECK: exit:
; CHECK: lshr
; CHECK: ret void
define void @sometimes(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %then, label %latch
then:
  %a = getelementptr i8, ptr %p, i64 %i
  store i8 1, ptr %a
  br label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An inner loop that accessed nothing the last time must not make the outer one
; forget the address.
; CHECK-LABEL: define void @sometimesNested(
; CHECK: outer:
; CHECK: [[KNOWN:%.*]] = phi ptr [ [[NOWHERE:%.*]], %entry ]
; CHECK: inner:
; CHECK: {{^}}latch:
; CHECK: [[NONE:%.*]] = icmp eq i64 [[TIMES:%.*]], 0
; CHECK: select i1 [[NONE]], ptr [[KNOWN]], ptr %
; CHECK-NOT: lshr
; CHECK: exit:
; CHECK: lshr
; CHECK: ret void
define void @sometimesNested(ptr %p, i64 %n, ptr %flags) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner.latch ]
  %k = add i64 %i, %j
  %odd = trunc i64 %k to i1
  br i1 %odd, label %then, label %inner.latch
then:
  %a = getelementptr i8, ptr %p, i64 %k
  store i8 1, ptr %a
  br label %inner.latch
inner.latch:
  %j.next = add nuw i64 %j, 1
  %j.more = icmp ne i64 %j.next, %n
  br i1 %j.more, label %inner, label %latch
latch:
  %i.next = add nuw i64 %i, 1
  %i.more = icmp ne i64 %i.next, %n
  br i1 %i.more, label %outer, label %exit
exit:
  ret void
}

; Left at two places, with no number known in front: each adds what was counted.
; CHECK-LABEL: define i32 @twoExits(
; CHECK: loop:
; CHECK-NOT: lshr
; CHECK: {{^}}found:
; CHECK: lshr
; CHECK: {{^}}end:
; CHECK: lshr
; CHECK-NOT: lshr
; CHECK: {{^}}}
define i32 @twoExits(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %is = icmp eq i32 %v, 77
  br i1 %is, label %found, label %latch
latch:
  %next = add nuw i64 %i, 1
  %ends = icmp eq i32 %v, 0
  br i1 %ends, label %end, label %loop
found:
  ret i32 1
end:
  ret i32 0
}

; A loop that is not entered counts nothing.
; CHECK-LABEL: define void @guarded(
; CHECK: entry:
; CHECK-NOT: lshr
; CHECK: {{^}}loop.preheader:
; CHECK: add i64 %{{.*}}, %n
; CHECK: {{^}}loop:
; CHECK-NOT: lshr
; CHECK: ret void
define void @guarded(ptr %p, i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store i32 1, ptr %p
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A list: another object each time.
; CHECK-LABEL: define void @list(
; CHECK: loop:
; CHECK: ptrtoint ptr %p to i64
; CHECK: ret void
define void @list(ptr %first) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %first, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %p
  %done = icmp eq ptr %next, null
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; One of two objects, which depends on the iteration.
; CHECK-LABEL: define void @eitherObject(
; CHECK: loop:
; CHECK: ptrtoint ptr %s to i64
; CHECK: ret void
define void @eitherObject(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %odd = trunc i64 %i to i1
  %s = select i1 %odd, ptr %p, ptr %q
  store i32 1, ptr %s
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The call may not come back: what was not done then may not have been counted.
; CHECK-LABEL: define void @callsMayExit(
; CHECK: loop:
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @mayExit
; CHECK: ret void
define void @callsMayExit(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store i32 1, ptr %p
  call void @mayExit()
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Behind the loop, the object may be gone; in front of it, what is accessed in each
; iteration is there.
; CHECK-LABEL: define void @callsMayFree(
; CHECK: entry:
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, %n
; CHECK: then:
; CHECK: ptrtoint ptr %q to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: store i32 2, ptr %q
; CHECK: call void @free(ptr %q)
; CHECK: ret void
define void @callsMayFree(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  store i32 1, ptr %p
  %odd = icmp eq i64 %i, 5
  br i1 %odd, label %then, label %latch
then:
  store i32 2, ptr %q
  call void @free(ptr %q)
  br label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Once the other thread has seen the flag, it may free the object.
; CHECK-LABEL: define void @synchronizes(
; CHECK: then:
; CHECK: add i64 %{{.*}}, 1
; CHECK: latch:
; CHECK: store atomic
; CHECK: ret void
define void @synchronizes(ptr %p, ptr %flag, i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %then, label %latch
then:
  store i32 1, ptr %p
  br label %latch
latch:
  store atomic i32 1, ptr @global release, align 4
  %v = load volatile i32, ptr @global
  %more = icmp ne i32 %v, 0
  %next = add nuw i64 %i, 1
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The unknown call may free; those that free nothing and wait for nobody, that
; only read, or that are copies, do not.
; CHECK-LABEL: define void @callsOfAllKinds(
; CHECK: loop:
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @comesBack
; CHECK: loop2:
; CHECK-NOT: lshr
; CHECK: call void @freesNothing
; CHECK-NOT: lshr
; CHECK: {{^}}exit:
; CHECK: lshr
; CHECK: ret void
define void @callsOfAllKinds(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  store i32 1, ptr %p
  call void @comesBack()
  %v = load volatile i32, ptr @global
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %between
between:
  br label %loop2
loop2:
  store i32 1, ptr %p
  call void @freesNothing()
  %r = call i32 @onlyReads()
  call void @llvm.memset.p0.i64(ptr @global, i8 0, i64 4, i1 false)
  %more2 = icmp ne i32 %r, 0
  br i1 %more2, label %loop2, label %exit
exit:
  ret void
}

; Left by an exception only: the landing pad adds.
; CHECK-LABEL: define void @leftByException(
; CHECK: loop:
; CHECK-NOT: lshr
; CHECK: unwind:
; CHECK: landingpad
; CHECK: lshr
; CHECK: ret void
define void @leftByException(ptr %p) personality ptr @personality {
entry:
  br label %loop
loop:
  store i32 1, ptr %p
  invoke void @freesNothing() to label %loop unwind label %unwind
unwind:
  %e = landingpad { ptr, i32 } cleanup
  ret void
}

; What seldom happens may not come back, or free: what was counted is added in front
; of it, and forgotten. Where it throws, nothing is left to add.
; CHECK-LABEL: define void @seldomCalls(
; CHECK: [[NOWHERE:%.*]] = call ptr @llvm.frameaddress
; CHECK: {{^}}loop:
; CHECK: phi i64 [ 0, %entry ]
; CHECK-NOT: lshr
; CHECK: {{^}}seldom:
; CHECK: [[A:%.*]] = ptrtoint ptr %a to i64
; CHECK: lshr i64 [[A]], 6
; CHECK: add i64 %{{.*}}, [[NOW:%.*]]
; CHECK: invoke void @mayThrow()
; CHECK: {{^}}latch:
; CHECK: phi ptr [ [[NOWHERE]], %seldom ], [ %a, %loop ]
; CHECK: phi i64 [ 0, %seldom ], [ [[NOW]], %loop ]
; CHECK: {{^}}exit:
; CHECK: lshr
; CHECK: {{^}}unwind:
; CHECK-NOT: lshr
; CHECK: {{^}}}
define void @seldomCalls(ptr %p, i64 %n, i64 %k) personality ptr @personality {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %a = getelementptr i8, ptr %p, i64 %i
  store i8 1, ptr %a
  %is = icmp eq i64 %i, %k
  br i1 %is, label %seldom, label %latch, !prof !0
seldom:
  invoke void @mayThrow() to label %latch unwind label %unwind
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
unwind:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; So is what is counted at an address that does not change, which takes no register
; for it, but zero is added nowhere.
; CHECK-LABEL: define void @seldomCallsOfOneAddress(
; CHECK: [[NOWHERE:%.*]] = call ptr @llvm.frameaddress
; CHECK: {{^}}loop:
; CHECK-NEXT: [[COUNT:%.*]] = phi i64 [ 0, %entry ], [ [[KEPT:%.*]], %latch ]
; CHECK-NOT: phi ptr
; CHECK-NOT: lshr
; CHECK: {{^}}seldom:
; CHECK-NEXT: [[NONE:%.*]] = icmp eq i64 [[COUNT]], 0
; CHECK-NEXT: [[AT:%.*]] = select i1 [[NONE]], ptr [[NOWHERE]], ptr %p
; CHECK-NEXT: ptrtoint ptr [[AT]] to i64
; CHECK: add i64 %{{.*}}, [[COUNT]]
; CHECK: call void @mayThrow()
; CHECK: {{^}}write:
; CHECK-NOT: lshr
; CHECK: {{^}}exit:
; CHECK-NEXT: [[NONE2:%.*]] = icmp eq i64 [[KEPT]], 0
; CHECK-NEXT: select i1 [[NONE2]], ptr [[NOWHERE]], ptr %p
; CHECK: lshr
; CHECK-NOT: lshr
; CHECK: ret void
define void @seldomCallsOfOneAddress(ptr %p, i64 %n, i64 %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %is = icmp eq i64 %i, %k
  br i1 %is, label %seldom, label %write, !prof !0
seldom:
  call void @mayThrow()
  br label %latch
write:
  %a = getelementptr inbounds nuw i8, ptr %p, i64 8
  store i8 1, ptr %a
  br label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An atomic access is added itself before it lets others go on.
; CHECK-LABEL: define void @seldomAtomics(
; CHECK: {{^}}seldom:
; CHECK: add i64 [[COUNT:%.*]], 1
; CHECK: lshr
; CHECK: atomicrmw
; CHECK-NOT: lshr
; CHECK: {{^}}latch:
; CHECK: {{^}}exit:
; CHECK: lshr
; CHECK: ret void
define void @seldomAtomics(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %v = load volatile i32, ptr @global
  %is = icmp eq i32 %v, 0
  br i1 %is, label %often, label %latch
often:
  store i8 1, ptr %p
  %w = load volatile i32, ptr @global
  %again = icmp eq i32 %w, 0
  br i1 %again, label %seldom, label %latch, !prof !0
seldom:
  %old = atomicrmw add ptr %p, i32 1 seq_cst
  br label %latch
latch:
  %next = add nuw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; No more than four objects are counted in registers.
; CHECK-LABEL: define void @manyObjects(
; CHECK: loop:
; CHECK-NOT: lshr
; CHECK: ptrtoint ptr %e to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK-NOT: lshr
; CHECK: exit:
; CHECK-COUNT-4: lshr
; CHECK-NOT: lshr
; CHECK: ret void
define void @manyObjects(ptr %a, ptr %b, ptr %c, ptr %d, ptr %e) {
entry:
  br label %loop
loop:
  store i32 1, ptr %a
  store i32 1, ptr %b
  store i32 1, ptr %c
  store i32 1, ptr %d
  store i32 1, ptr %e
  %v = load volatile i32, ptr @global
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

@global = global i32 0
declare void @comesBack() nounwind willreturn
declare void @freesNothing() nofree nosync nounwind willreturn
declare i32 @onlyReads() memory(read) nounwind willreturn
declare void @mayExit() nounwind
declare void @mayThrow()
declare void @free(ptr) nounwind willreturn
declare i32 @personality(...)
!0 = !{!"branch_weights", i32 1, i32 1000}
