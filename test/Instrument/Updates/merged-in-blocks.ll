; Accesses of one object that always happen together are one update of their
; number at the first; nothing that may not come back, or is done more or less
; often, is between them.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-stats %s -o %t.ll 2> %t.stats
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=STATS < %t.stats
; STATS: by 34 updates; merged in a block 15, across blocks 3, hoisted out of loops 0, counted in registers 0, by later updates 2
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define i64 @sameBase(
; CHECK: ptrtoint ptr %a to i64
; CHECK: add i64 %{{.*}}, 3
; CHECK-NOT: lshr
; CHECK: ret i64
define i64 @sameBase(ptr %p, i64 %i) {
  %a = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %a
  store i64 1, ptr %p
  %b = getelementptr i8, ptr %a, i64 1000
  store i64 %x, ptr %b
  ret i64 %x
}

; Two bases may be two objects, also if the second was loaded from the first.
; CHECK-LABEL: define void @twoBases(
; CHECK-COUNT-3: add i64 %{{.*}}, 2
; CHECK-NOT: lshr
; CHECK: ret void
define void @twoBases(ptr %p, ptr %q, i1 %c) {
  store ptr %q, ptr %p
  store i8 1, ptr %q
  %r = load ptr, ptr %p
  store i8 1, ptr %r
  %next = getelementptr i8, ptr %r, i64 8
  store i8 1, ptr %next
  %q2 = getelementptr i8, ptr %q, i64 1
  store i8 1, ptr %q2
  ret void
}

; A select is a base of its own, the same in all of a block.
; CHECK-LABEL: define void @selected(
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: ptrtoint ptr %s to i64
; CHECK: add i64 %{{.*}}, 2
; CHECK-NOT: lshr
; CHECK: ret void
define void @selected(ptr %p, ptr %q, i1 %c) {
  store i8 1, ptr %p
  %s = select i1 %c, ptr %p, ptr %q
  store i8 1, ptr %s
  %t = getelementptr i8, ptr %s, i64 5
  store i8 1, ptr %t
  ret void
}

; An integer may have been any pointer: only equal addresses are one object.
; CHECK-LABEL: define void @integers(
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 2
; CHECK: ptrtoint ptr %q to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: ptrtoint ptr %n to i64
; CHECK: add i64 %{{.*}}, 1
; CHECK: ret void
define void @integers(i64 %a, i64 %i) {
  %p = inttoptr i64 %a to ptr
  store i8 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 %i
  store i8 1, ptr %q
  store i8 2, ptr %p
  %n = getelementptr i8, ptr null, i64 %i
  store i8 2, ptr %n
  ret void
}

; What is accessed behind a call was alive before it. But the call may not come
; back.
; CHECK-LABEL: define void @calls(
; CHECK: add i64 %{{.*}}, 2
; CHECK: call void @comesBack()
; CHECK-NOT: lshr
; CHECK: call void @mayExit()
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @mayThrow()
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void asm sideeffect
; CHECK: add i64 %{{.*}}, 1
; CHECK: ret void
define void @calls(ptr %p) {
  store i8 1, ptr %p
  call void @comesBack()
  store i8 2, ptr %p
  call void @mayExit()
  store i8 3, ptr %p
  call void @mayThrow()
  store i8 4, ptr %p
  call void asm sideeffect "", "~{memory}"()
  store i8 5, ptr %p
  ret void
}

; Atomics come back, too, and so do volatile accesses.
; CHECK-LABEL: define void @atomics(
; CHECK: add i64 %{{.*}}, 5
; CHECK-NOT: lshr
; CHECK: ret void
define void @atomics(ptr %p) {
  store i8 1, ptr %p
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  %b = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  fence seq_cst
  store volatile i8 5, ptr %p
  %v = load volatile i8, ptr %p
  ret void
}

; Around a branch and a loop. The way that has an update of its own then counts all.
; CHECK-LABEL: define void @equallyOften(
; CHECK: entry:
; CHECK-NOT: lshr
; CHECK: entry.join_crit_edge:
; CHECK: add i64 %{{.*}}, 3
; CHECK: then:
; CHECK: add i64 %{{.*}}, 4
; CHECK: join:
; CHECK-NOT: lshr
; CHECK: exit:
; CHECK-NOT: lshr
; CHECK: ret void
define void @equallyOften(ptr %p, i1 %c, i64 %n) {
entry:
  store i8 1, ptr %p
  br i1 %c, label %then, label %join
then:
  %q = getelementptr i8, ptr %p, i64 64
  store i8 2, ptr %q
  br label %join
join:
  store i8 3, ptr %p
  br label %loop
loop:
  %i = phi i64 [ 0, %join ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store i8 4, ptr %p
  ret void
}

; One of the two ways may not come back: the first access is added in front of what
; may not, and the second behind it, there with the first of the other way.
; CHECK-LABEL: define void @notEquallyOften(
; CHECK: then:
; CHECK: add i64 %{{.*}}, 1
; CHECK: call void @mayExit
; CHECK: join:
; CHECK: [[PENDING:%.*]] = phi i64 [ 1, %then ], [ 2, %entry ]
; CHECK: add i64 %{{.*}}, [[PENDING]]
; CHECK: ret void
define void @notEquallyOften(ptr %p, i1 %c) {
entry:
  store i8 1, ptr %p
  br i1 %c, label %then, label %join
then:
  call void @mayExit()
  br label %join
join:
  store i8 3, ptr %p
  ret void
}

; The block behind an invoke is reached as often as its call returns.
; CHECK-LABEL: define void @invokes(
; CHECK: add i64 %{{.*}}, 1
; CHECK: invoke void @mayThrow
; CHECK: normal:
; CHECK: add i64 %{{.*}}, 1
; CHECK: unwind:
; CHECK: add i64 %{{.*}}, 1
define void @invokes(ptr %p) personality ptr @personality {
  store i8 1, ptr %p
  invoke void @mayThrow() to label %normal unwind label %unwind
normal:
  store i8 1, ptr %p
  ret void
unwind:
  %e = landingpad { ptr, i32 } cleanup
  store i8 1, ptr %p
  resume { ptr, i32 } %e
}

; A cycle with two entries: first and second are not executed equally often,
; though neither is in a loop. Blocks are all that is looked at.
; CHECK-LABEL: define void @irreducible(
; CHECK: add i64 %{{.*}}, 1
; CHECK: first:
; CHECK: add i64 %{{.*}}, 2
; CHECK: second:
; CHECK: add i64 %{{.*}}, 1
; CHECK: exit:
; CHECK: add i64 %{{.*}}, 1
define void @irreducible(ptr %p, i1 %c, i1 %d) {
entry:
  store i8 1, ptr %p
  br i1 %c, label %first, label %second
first:
  store i8 1, ptr %p
  store i8 2, ptr %p
  br label %second
second:
  store i8 1, ptr %p
  br i1 %d, label %first, label %exit
exit:
  store i8 1, ptr %p
  ret void
}

; What is behind setjmp may happen more often than what is before it, and blocks
; are done as often as jumped to.
; CHECK-LABEL: define void @jumps(
; CHECK: add i64 %{{.*}}, 1
; CHECK: call i32 @setjmp
; CHECK: add i64 %{{.*}}, 1
; CHECK: then:
; CHECK: join:
; CHECK: add i64 %{{.*}}, 1
define void @jumps(ptr %p, ptr %buf, i1 %c) {
  store i8 1, ptr %p
  %j = call i32 @setjmp(ptr %buf) returns_twice
  store i8 1, ptr %p
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  store i8 1, ptr %p
  ret void
}

; Unoptimized code is merged within blocks only.
; CHECK-LABEL: define void @unoptimized(
; CHECK: add i64 %{{.*}}, 2
; CHECK: next:
; CHECK: add i64 %{{.*}}, 1
define void @unoptimized(ptr %p) noinline optnone {
  store i8 1, ptr %p
  store i8 2, ptr %p
  br label %next
next:
  store i8 3, ptr %p
  ret void
}

; A coroutine that is not split yet may be resumed elsewhere, or never.
; CHECK-LABEL: define void @coroutine(
; CHECK: add i64 %{{.*}}, 2
; CHECK: next:
; CHECK: add i64 %{{.*}}, 1
define void @coroutine(ptr %p) presplitcoroutine {
  store i8 1, ptr %p
  store i8 2, ptr %p
  br label %next
next:
  store i8 3, ptr %p
  ret void
}

; A loop has the same blocks often; each time the pointer is another.
; CHECK-LABEL: define void @otherEachTime(
; CHECK: loop:
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 2
; CHECK: then:
; CHECK-NOT: lshr
; CHECK: latch:
; CHECK-NOT: lshr
; CHECK: exit:
; CHECK: ptrtoint ptr %p to i64
; CHECK: add i64 %{{.*}}, 1
define void @otherEachTime(ptr %first, i1 %c) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %first, %entry ], [ %next, %latch ]
  %next = load ptr, ptr %p
  br i1 %c, label %then, label %latch
then:
  call void @comesBack()
  br label %latch
latch:
  store ptr null, ptr %p
  %done = icmp eq ptr %next, null
  br i1 %done, label %exit, label %loop
exit:
  store ptr null, ptr %p
  ret void
}

declare void @comesBack() nounwind willreturn
declare void @mayExit() nounwind
declare void @mayThrow() willreturn
declare i32 @setjmp(ptr) returns_twice
declare i32 @personality(...)
