; Loads, stores and atomics get a counter update in front; the base of the
; counters is loaded once a function, behind its allocas. (Not merged: see merged-*.)
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument -thermocline-generate-merge=false -S %s -o - | %FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; CHECK: @__memprof_shadow_memory_dynamic_address = external {{(dso_local )?}}global i64

; CHECK-LABEL: define i32 @load(
; CHECK-NEXT: %local = alloca i32
; CHECK-NEXT: %memprof.base = load ptr, ptr @__memprof_shadow_memory_dynamic_address
; CHECK-NEXT: [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: [[G:%.*]] = lshr i64 [[A]], 6
; CHECK-NEXT: [[C:%.*]] = getelementptr i64, ptr %memprof.base, i64 [[G]]
; CHECK-NEXT: [[N:%.*]] = load i64, ptr [[C]]
; CHECK-NEXT: [[M:%.*]] = add i64 [[N]], 1
; CHECK-NEXT: store i64 [[M]], ptr [[C]]
; CHECK-NEXT: %v = load i32, ptr %p
; CHECK-NEXT: ret i32 %v
define i32 @load(ptr %p) {
  %local = alloca i32
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define void @all(
; CHECK-COUNT-1: load ptr, ptr @__memprof_shadow_memory_dynamic_address
; CHECK-NOT: @__memprof_shadow_memory_dynamic_address
; CHECK: add i64 %{{.*}}, 1
; CHECK: store <4 x i32>
; CHECK: add i64 %{{.*}}, 1
; CHECK: store volatile i8
; CHECK: add i64 %{{.*}}, 1
; CHECK: atomicrmw
; CHECK: add i64 %{{.*}}, 1
; CHECK: cmpxchg
; CHECK: add i64 %{{.*}}, 1
; CHECK: load atomic
; CHECK: ret void
define void @all(ptr %p, <4 x i32> %v) {
  store <4 x i32> %v, ptr %p
  store volatile i8 1, ptr %p
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  %b = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  %c = load atomic i32, ptr %p acquire, align 4
  ret void
}

; Nothing to count, nothing to load.
; CHECK-LABEL: define i32 @none(
; CHECK-NEXT: ret i32 %a
define i32 @none(i32 %a) {
  ret i32 %a
}
