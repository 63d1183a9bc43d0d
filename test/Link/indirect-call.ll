; An indirect call with value profile has a record for each target that the
; profile names, before those of the calls after it. It is not redirected; the
; direct call after it is, but only if the user vouches that no indirect call has
; callsite metadata, or if nothing in the summary makes it ambiguous.
;
; RUN: %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc %S/Inputs/node.ll -o node.o
; RUN: cd %t && %opt -thinlto-bc main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc direct.ll -o direct.o

; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=DIRECT
; RUN: cd %t && ./program
; DIRECT: 1 clones of 1 functions; cold->cold 1 contexts
; DIRECT-SAME: not->cold 0 contexts

; The wrong promise is an error, not a wrong hint.
; RUN: cd %t && %not %clangxx --ld-path=%ld.lld -flto=thin direct.o node.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-direct-callsites 2>&1 | %FileCheck %s --check-prefix=WRONG
; WRONG: error: direct.o: main: call 1 (of a function pointer) is indirect, but was decided to call a certain version
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin direct.o node.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=AMBIGUOUS
; AMBIGUOUS: 0 clones of 0 functions
; RUN: cd %t && ./program

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@pointer = global ptr @node
declare ptr @node(i64)
declare ptr @unrelated(i64)
define i32 @main() {
  %f = load volatile ptr, ptr @pointer
  %x = call ptr %f(i64 8), !callsite !2, !prof !3
  %hot = call ptr @node(i64 8), !callsite !0
  %cold = call ptr @node(i64 64), !callsite !1
  store volatile i32 1, ptr %hot
  store volatile i32 1, ptr %cold
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
!2 = !{i64 12}
; Two targets by their GUIDs, neither of them node.
!3 = !{!"VP", i32 0, i64 20, i64 1111, i64 15, i64 2222, i64 5}

;--- direct.ll
source_filename = "direct.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@pointer = global ptr @node
declare ptr @node(i64)
define i32 @main() {
  %f = load volatile ptr, ptr @pointer
  %cold = call ptr %f(i64 64), !callsite !1, !prof !3
  %hot = call ptr @node(i64 8), !callsite !0
  store volatile i32 1, ptr %hot
  store volatile i32 1, ptr %cold
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
; The GUID of node.
!3 = !{!"VP", i32 0, i64 20, i64 1537639070154605622, i64 20}
