; A counter is found from the pointer that an address was computed from, if that is
; certainly in the object, too: the arithmetic stays inside and only goes up.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S %s -o - | %FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-merge=false %s -o - | %FileCheck %s --check-prefix=EACH
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @upwards(
; CHECK: ptrtoint ptr %p to i64
; CHECK-NOT: ptrtoint
; CHECK: ret void
; EACH-LABEL: define void @upwards(
; EACH: ptrtoint ptr %b to i64
define void @upwards(ptr %p) {
  %a = getelementptr inbounds i8, ptr %p, i64 8
  %b = getelementptr inbounds nuw i64, ptr %a, i64 2
  store i64 1, ptr %b
  ret void
}

; An element of an array may lie on another page than its beginning, and windows
; tell which pages are touched.
; CHECK-LABEL: define void @element(
; CHECK: ptrtoint ptr %a to i64
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @element(ptr %p, i64 %i) {
  %a = getelementptr inbounds nuw i64, ptr %p, i64 %i
  %b = getelementptr inbounds nuw i8, ptr %a, i64 8
  store i64 1, ptr %b
  ret void
}

; One of two fields: that is no more than one counter away.
; CHECK-LABEL: define void @chosen(
; CHECK: ptrtoint ptr %p to i64
; CHECK: ptrtoint ptr %q to i64
; CHECK: ptrtoint ptr %c to i64
; CHECK: ptrtoint ptr %d to i64
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @chosen(ptr %p, ptr %q, ptr %r, ptr %s, i1 %is, i32 %i) {
  %offset = select i1 %is, i64 8, i64 16
  %a = getelementptr inbounds i8, ptr %p, i64 %offset
  store i64 1, ptr %a
  %low = and i32 %i, 7
  %b = getelementptr inbounds i64, ptr %q, i32 %low
  store i64 1, ptr %b
  %more = and i32 %i, 15
  %c = getelementptr inbounds i64, ptr %r, i32 %more
  store i64 1, ptr %c
  %down = select i1 %is, i64 -8, i64 8
  %d = getelementptr inbounds i8, ptr %s, i64 %down
  store i64 1, ptr %d
  ret void
}

; %end may be behind the object.
; CHECK-LABEL: define void @downwards(
; CHECK: ptrtoint ptr %a to i64
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @downwards(ptr %end) {
  %a = getelementptr inbounds i8, ptr %end, i64 -8
  store i64 1, ptr %a
  ret void
}

; An index that may be negative, and arithmetic that may begin outside.
; CHECK-LABEL: define void @unknown(
; CHECK: ptrtoint ptr %a to i64
; CHECK: ptrtoint ptr %b to i64
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @unknown(ptr %p, ptr %q, i64 %i) {
  %a = getelementptr inbounds i8, ptr %p, i64 %i
  store i64 1, ptr %a
  %b = getelementptr nuw i8, ptr %q, i64 8
  store i64 1, ptr %b
  ret void
}

; Only as far as that is known.
; CHECK-LABEL: define void @partly(
; CHECK: ptrtoint ptr %a to i64
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @partly(ptr %p, i64 %i) {
  %a = getelementptr i8, ptr %p, i64 %i
  %b = getelementptr inbounds nuw { i32, [4 x i32] }, ptr %a, i64 0, i32 1, i64 2
  store i64 1, ptr %b
  ret void
}

; An integer that is said to be a pointer.
; CHECK-LABEL: define void @integer(
; CHECK: ptrtoint ptr %a to i64
; CHECK-NOT: ptrtoint
; CHECK: ret void
define void @integer(i64 %i) {
  %p = inttoptr i64 %i to ptr
  %a = getelementptr inbounds nuw i8, ptr %p, i64 8
  store i64 1, ptr %a
  ret void
}
