; A function that was known not to write memory writes counters now. Were that
; belief kept, the caller's second counter update might reuse the count that it
; loaded before the call, and the callee's would be lost.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %opt -passes=default\<O2\> -inline-threshold=-1000 -S %t.ll -o - | %FileCheck %s --check-prefix=OPTIMIZED
target triple = "x86_64-unknown-linux-gnu"

; CHECK: define i32 @readsOnly(ptr readonly %p) #[[ATTRIBUTES:[0-9]+]]
; CHECK: %r = call i32 @readsOnly(ptr %p){{$}}
; CHECK: attributes #[[ATTRIBUTES]] = { noinline nounwind "no-builtin-memcpy" "no-builtin-memmove" "no-builtin-memset" }

; OPTIMIZED-LABEL: define {{.*}} @caller(
; OPTIMIZED: load i64
; OPTIMIZED: call {{.*}} @readsOnly
; OPTIMIZED: load i64
; OPTIMIZED: store i64

define i32 @readsOnly(ptr readonly %p) noinline nounwind memory(argmem: read) {
  %v = load i32, ptr %p
  ret i32 %v
}

define i32 @caller(ptr %p) {
  %v = load i32, ptr %p
  %r = call i32 @readsOnly(ptr %p) memory(argmem: read)
  %w = load i32, ptr %p
  %s = add i32 %v, %r
  %t = add i32 %s, %w
  ret i32 %t
}
