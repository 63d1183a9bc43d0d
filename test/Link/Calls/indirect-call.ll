; An indirect call with value profile has a record for each target that the
; profile names, before those of the calls after it. Where a target is to be
; called in a version, the backend calls that version if the pointer is the
; target's; a target that the link does not know stays as it is.
;
; RUN: %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %opt -thinlto-bc main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc target.ll -o target.o

; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=DIRECT
; RUN: cd %t && ./program
; DIRECT: 1 clone of 1 function; cold->cold 1 context
; DIRECT-SAME: not->cold 0 contexts
; DIRECT-NOT: indirect calls called directly

; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin target.o node.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=TARGET
; TARGET: 1 clone of 1 function; cold->cold 1 context
; TARGET: 1 target of indirect calls called directly
; RUN: cd %t && ./program
; RUN: cd %t && %thermo-lto run target.o node.o -o lto -save-temps -thinlto-threads=1 \
; RUN:   -r=target.o,main,plx -r=target.o,pointer,pl -r=target.o,other,pl -r=node.o,node,pl -r=node.o,_Znwm,
; RUN: cd %t && %llvm-dis lto.1.5.precodegen.bc -o - | %FileCheck %s --check-prefix=IR
; IR-LABEL: define {{.*}}i32 @main()
; IR: %[[IS:.*]] = icmp eq ptr %f, @node
; IR-NEXT: br i1 %[[IS]], label %{{.*}}, label %[[ELSE:.*]], !prof ![[WEIGHTS:[0-9]+]]
; IR: call ptr @node.memprof.1(i64 64)
; IR: {{^}}[[ELSE]]:
; IR-NEXT: call ptr %f(i64 64){{.*}}, !prof ![[REST:[0-9]+]]
; IR-DAG: ![[WEIGHTS]] = !{!"branch_weights", i32 15, i32 5}
; IR-DAG: ![[REST]] = !{!"VP", i32 0, i64 5, i64 1111, i64 5}

; A backend that gets an index only, and may not be ours, is told of no version
; where the summary leaves open whether a call is indirect.
; RUN: cd %t && %thermo-lto run target.o node.o -o lto -thinlto-distributed-indexes \
; RUN:   -r=target.o,main,plx -r=target.o,pointer,pl -r=target.o,other,pl -r=node.o,node,pl -r=node.o,_Znwm, 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=ELSEWHERE
; RUN: cd %t && %thermo-lto audit target.o.thinlto.bc node.o.thinlto.bc | %FileCheck %s --check-prefix=NONE
; ELSEWHERE: no allocation is hinted cold: 1 indirect call
; NONE: cold -> not cold 1

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

;--- target.ll
source_filename = "target.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@pointer = global ptr @other
define ptr @other(i64 %n) {
  ret ptr @pointer
}
define i32 @main() {
  %f = load volatile ptr, ptr @pointer
  %cold = call ptr %f(i64 64), !callsite !1, !prof !3
  %hot = call ptr %f(i64 8), !callsite !0, !prof !3
  store volatile i32 1, ptr %hot
  store volatile i32 1, ptr %cold
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
; The GUID of node, which this module does not declare, and one of nothing.
!3 = !{!"VP", i32 0, i64 20, i64 1537639070154605622, i64 15, i64 1111, i64 5}
