; An update that a later one of the same object may follow, under another name or
; on some ways only, is left to that: a register says what it has to count besides.
; On ways without one it is added where they part.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-stats %s -o %t.ll 2> %t.stats
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=STATS < %t.stats
; STATS: later.c: by 20 updates; merged in a block 1, across blocks 0, hoisted out of loops 0, counted in registers 1, by later updates 9
; STATS-NEXT: later.c: left in loops, object changes: 2
; STATS-NEXT: later.c: not counted, global: 1
; STATS-NOT: {{.}}
target triple = "x86_64-unknown-linux-gnu"
source_filename = "later.c"

; A search in a tree: a node's key and its child were two updates. All ways into
; the loop leave one pending, so that it is a number, and not a register.
; CHECK-LABEL: define ptr @search(
; CHECK: loop:
; CHECK-NEXT: %p = phi ptr
; CHECK-NEXT: %k = phi i64
; CHECK-NOT: phi
; CHECK: ptrtoint ptr %child.at to i64
; CHECK: add i64 %{{.*}}, 2
; CHECK: compare:
; CHECK-NOT: lshr
; CHECK: found:
; CHECK-NEXT: ptrtoint ptr %child to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK-NOT: lshr
; CHECK: none:
; CHECK-NOT: lshr
; CHECK: ret ptr null
define ptr @search(ptr %root, i64 %key) {
entry:
  %first = load i64, ptr %root
  %is.root = icmp eq i64 %first, %key
  br i1 %is.root, label %root.found, label %loop
root.found:
  ret ptr %root
loop:
  %p = phi ptr [ %root, %entry ], [ %child, %compare ]
  %k = phi i64 [ %first, %entry ], [ %next.key, %compare ]
  %less = icmp ult i64 %k, %key
  %offset = select i1 %less, i64 16, i64 8
  %child.at = getelementptr i8, ptr %p, i64 %offset
  %child = load ptr, ptr %child.at
  %is.null = icmp eq ptr %child, null
  br i1 %is.null, label %none, label %compare
compare:
  %next.key = load i64, ptr %child
  %is.it = icmp eq i64 %next.key, %key
  br i1 %is.it, label %found, label %loop
found:
  ret ptr %child
none:
  ret ptr null
}

; Two ways with different numbers meet.
; CHECK-LABEL: define void @meets(
; CHECK: left:
; CHECK-NOT: lshr
; CHECK: join:
; CHECK: [[PENDING:%.*]] = phi i64 [ 1, %right ], [ 3, %left ]
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, [[PENDING]]
; CHECK-NOT: lshr
; CHECK: ret void
define void @meets(ptr %p, i1 %c) {
  br i1 %c, label %left, label %right
left:
  %q = getelementptr i8, ptr %p, i64 8
  store i8 1, ptr %q
  store i8 2, ptr %q
  br label %join
right:
  br label %join
join:
  store i8 3, ptr %p
  ret void
}

; Each of two objects is the one that is accessed behind, or not. Their registers
; are two.
; CHECK-LABEL: define void @eitherOf(
; CHECK: store ptr null, ptr %other
; CHECK: entry.join_crit_edge:
; CHECK: ptrtoint ptr %b to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: then:
; CHECK-NEXT: ptrtoint ptr %a to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: join:
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 2
; CHECK-NOT: lshr
; CHECK: ret void
define void @eitherOf(ptr %a, ptr %b, ptr %other, i1 %c) {
entry:
  store i8 1, ptr %a
  store i8 1, ptr %b
  store ptr null, ptr %other
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %p = phi ptr [ %a, %entry ], [ %b, %then ]
  store i8 3, ptr %p
  ret void
}

; The next iteration's %p is another: what the latch accesses is not what the loop
; accesses next, though it has the same name.
; CHECK-LABEL: define void @other(
; CHECK: loop:
; CHECK-NOT: lshr
; CHECK: then:
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @mayExit()
; CHECK: latch:
; CHECK: [[PENDING:%.*]] = phi i64 [ 1, %then ], [ 2, %loop ]
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, [[PENDING]]
; CHECK: ret void
define void @other(ptr %unknown, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = call ptr @another()
  store i64 1, ptr %p
  %some = icmp eq i64 %i, 7
  br i1 %some, label %then, label %latch
then:
  call void @mayExit()
  br label %latch
latch:
  store i64 %i, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What a loop's register adds at the end of a block takes what is pending there, too,
; though the block behind it also takes what is pending, from elsewhere.
; CHECK-LABEL: define void @atAnEnd(
; CHECK: other:
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @mayExit()
; CHECK: after:
; CHECK-NEXT: [[SUM:%.*]] = add i64 1, %{{.*}}
; CHECK-NEXT: br label %join
; CHECK: join:
; CHECK-NEXT: phi i64 [ [[SUM]], %after ], [ 0, %other ], [ 0, %entry ]
; CHECK-NEXT: phi i64 [ 1, %after ], [ 1, %other ], [ 2, %entry ]
; CHECK: lshr
; CHECK-NOT: lshr
; CHECK: ret void
define void @atAnEnd(ptr %p, i8 %c) {
entry:
  store i8 1, ptr %p
  switch i8 %c, label %other [
    i8 1, label %loop
    i8 2, label %join
  ]
other:
  call void @mayExit()
  br label %join
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %r = getelementptr i8, ptr %p, i64 %i
  store i8 1, ptr %r
  %x = load volatile i1, ptr @more
  br i1 %x, label %loop, label %after
after:
  br label %join
join:
  store i8 3, ptr %p
  ret void
}

; In front of what may free, or does not come back, all is added.
; CHECK-LABEL: define void @barriers(
; CHECK: then:
; CHECK: add i64 %{{.*}}, 2
; CHECK: else:
; CHECK-NEXT: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @mayFree()
; CHECK: add i64 %{{.*}}, 1
; CHECK: ret void
define void @barriers(ptr %p, i1 %c) {
  store i8 1, ptr %p
  br i1 %c, label %then, label %else
then:
  %q = getelementptr i8, ptr %p, i64 80
  store i8 1, ptr %q
  ret void
else:
  call void @mayFree()
  call void @mayExit()
  store i8 1, ptr %p
  ret void
}

; An access that synchronizes is one of them, and may not sink past itself.
; CHECK-LABEL: define void @synchronizes(
; CHECK: add i64 %{{.*}}, 1
; CHECK: store atomic
; CHECK: then:
; CHECK: add i64 %{{.*}}, 1
; CHECK: ret void
define void @synchronizes(ptr %p, i1 %c) {
  store atomic i32 1, ptr %p release, align 4
  br i1 %c, label %then, label %else
then:
  store i8 1, ptr %p
  ret void
else:
  ret void
}

; Names that were integers say nothing of what is computed from them.
; CHECK-LABEL: define void @integers(
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: join:
; CHECK: add i64 %{{.*}}, 1
; CHECK: ret void
define void @integers(i64 %a, ptr %q, i1 %c) {
entry:
  %p = inttoptr i64 %a to ptr
  store i8 1, ptr %p
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %r = phi ptr [ %p, %entry ], [ %q, %then ]
  %s = getelementptr i8, ptr %r, i64 800
  store i8 2, ptr %s
  ret void
}

; A masked access may be of no lane and nowhere: it goes into others, but none into
; it.
; CHECK-LABEL: define <8 x i32> @masked(
; CHECK: [[COUNT:%.*]] = zext i8 %{{.*}} to i64
; CHECK: [[SUM:%.*]] = add i64 [[COUNT]], 1
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, [[SUM]]
; CHECK: ret <8 x i32>
define <8 x i32> @masked(ptr %p, <8 x i1> %m) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %m, <8 x i32> zeroinitializer)
  store i32 1, ptr %p
  ret <8 x i32> %v
}

declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, <8 x i1>, <8 x i32>)
@more = global i1 0
declare ptr @another() memory(none) nounwind willreturn
declare void @mayFree() nounwind willreturn
declare void @mayExit() nounwind
