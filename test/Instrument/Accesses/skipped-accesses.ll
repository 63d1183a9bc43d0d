; What is provably not on the heap is left out, each kind with its reason.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument -S -thermocline-generate-stats %s -o %t.ll 2> %t.stats
; RUN: %FileCheck %s < %t.ll
; RUN: %FileCheck %s --check-prefix=STATS < %t.stats
target triple = "x86_64-unknown-linux-gnu"
source_filename = "skipped.c"

; STATS: skipped.c: counted 3 reads, 1 writes and 0 copies or fills in 10 functions
; STATS-NEXT: skipped.c: by 3 updates; merged in a block 1, across blocks 0, hoisted out of loops 1, counted in registers 0
; STATS-NEXT: skipped.c: not counted, stack: 6
; STATS-NEXT: skipped.c: not counted, global: 4
; STATS-NEXT: skipped.c: not counted, address space: 2
; STATS-NEXT: skipped.c: not counted, swifterror: 1
; STATS-NEXT: skipped.c: not counted, profile counter: 2
; STATS-NEXT: skipped.c: functions left alone (naked, resolver or runtime): 3
; STATS-NOT: {{.}}

@global = global [100 x i32] zeroinitializer
@thread = thread_local global i32 0
@__llvm_internal = global i32 0
@counters = global [2 x i64] zeroinitializer, section "__llvm_prf_cnts"
@resolved = ifunc void (), ptr @resolver

; CHECK-LABEL: define void @stack(
; CHECK-NOT: memprof
; CHECK: ret void
define void @stack(i64 %i, i1 %c) {
  %a = alloca [10 x i32]
  %b = alloca i32
  store i32 1, ptr %b
  %p = getelementptr inbounds [10 x i32], ptr %a, i64 0, i64 %i
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %v = load i32, ptr %q
  %s = select i1 %c, ptr %a, ptr %b
  store i32 %v, ptr %s
  ret void
}

; CHECK-LABEL: define i32 @byval(
; CHECK-NOT: memprof
; CHECK: ret i32
define i32 @byval(ptr byval([8 x i32]) %p) {
  %v = load i32, ptr %p
  ret i32 %v
}

; One of the two may be the heap.
; CHECK-LABEL: define i32 @stackOrHeap(
; CHECK: memprof
define i32 @stackOrHeap(ptr %h, i1 %c) {
  %a = alloca i32
  %s = select i1 %c, ptr %a, ptr %h
  %v = load i32, ptr %s
  ret i32 %v
}

; A walk over the stack or the heap, by a phi that refers to itself.
; CHECK-LABEL: define void @walks(
; CHECK: memprof
define void @walks(ptr %h, i64 %n) {
entry:
  %a = alloca [100 x i8]
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %p.next, %loop ]
  %q = phi ptr [ %h, %entry ], [ %q.next, %loop ]
  store i8 0, ptr %p
  store i8 0, ptr %q
  %p.next = getelementptr inbounds i8, ptr %p, i64 1
  %q.next = getelementptr inbounds i8, ptr %q, i64 1
  %done = icmp eq ptr %q.next, null
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define void @globals(
; CHECK-NOT: memprof
; CHECK: ret void
define void @globals(i64 %i) {
  %p = getelementptr inbounds [100 x i32], ptr @global, i64 0, i64 %i
  store i32 1, ptr %p
  %t = call ptr @llvm.threadlocal.address.p0(ptr @thread)
  store i32 1, ptr %t
  store i32 2, ptr getelementptr (i8, ptr @global, i64 8)
  %v = load i32, ptr @global
  ret void
}

; What is reached through an argument may be the heap.
; CHECK-LABEL: define i32 @throughArgument(
; CHECK: memprof
define i32 @throughArgument(ptr %p) {
  %v = load i32, ptr %p
  %w = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define void @addressSpaces(
; CHECK-NOT: memprof
; CHECK: ret void
define void @addressSpaces(ptr addrspace(257) %fs) {
  store i32 1, ptr addrspace(257) %fs
  %v = load i32, ptr addrspace(257) %fs
  ret void
}

; CHECK-LABEL: define void @swiftError(
; CHECK-NOT: memprof
; CHECK: ret void
define void @swiftError(ptr swifterror %e) {
  store ptr null, ptr %e
  ret void
}

; CHECK-LABEL: define void @profileCounters(
; CHECK-NOT: memprof
; CHECK: ret void
define void @profileCounters() {
  store i32 1, ptr @__llvm_internal
  store i64 1, ptr getelementptr (i64, ptr @counters, i64 1)
  ret void
}

; CHECK-LABEL: define void @nothing(
define void @nothing() {
  ret void
}

; A resolver runs before there are counters.
; CHECK-LABEL: define ptr @resolver(
; CHECK-NOT: memprof
; CHECK: ret ptr
define ptr @resolver(ptr %p) {
  %v = load ptr, ptr %p
  ret ptr %v
}

; CHECK-LABEL: define void @bare(
; CHECK-NOT: memprof.base
; CHECK: unreachable
define void @bare() naked {
  store i32 0, ptr inttoptr (i64 4096 to ptr)
  unreachable
}

; CHECK-LABEL: define void @__memprof_own(
; CHECK-NOT: memprof.base
; CHECK: ret void
define void @__memprof_own(ptr %p) {
  store i32 0, ptr %p
  ret void
}

; Copied from elsewhere for its information alone.
; CHECK-LABEL: define available_externally void @elsewhere(
; CHECK-NOT: memprof.base
; CHECK: ret void
define available_externally void @elsewhere(ptr %p) {
  store i32 0, ptr %p
  ret void
}

declare ptr @llvm.threadlocal.address.p0(ptr)
