; An indirect call reaches a function that is local to another module, whichever
; profile names it: PGO's counters by source file and name, the heap profile by the
; name, which is unique in the link. If both do, the pointer is compared once, by
; the counters' weights. A name that may mean several functions is no target.
;
; RUN: %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc target.ll -o target.o
; RUN: cd %t && for by in counters:4 name:5 both:6; do \
; RUN:   sed "s/!prof !3/!prof !${by#*:}/" main.ll > use.ll; by=${by%:*}; \
; RUN:   %opt -thinlto-bc use.ll -o main.o || exit 1; \
; RUN:   %clangxx --ld-path=%ld.lld -flto=thin main.o target.o %libhints -o program -Wl,--save-temps \
; RUN:     -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=LINK || exit 1; \
; RUN:   ./program || exit 1; \
; RUN:   %llvm-dis main.o.5.precodegen.bc -o - | %FileCheck %s --check-prefixes=IR,$by || exit 1; done
; LINK: 1 clone of 1 function; cold->cold 1 context, 6.2 KiB; cold->not 0 contexts, 0 B; not->cold 0 contexts
; LINK: 1 target of indirect calls called directly
; IR: icmp eq ptr %f, @node.__uniq.5.llvm.
; IR-NEXT: br i1
; counters-SAME: !prof
; both-SAME: !prof
; name-NOT: !prof
; IR: call ptr @node.__uniq.5.llvm.{{[0-9]+}}.memprof.1(i64 64)
; IR-NOT: icmp
; IR: ret i32 0

; RUN: cd %t && sed "s/node.__uniq.5/node/" target.ll > plain.ll && %opt -thinlto-bc plain.ll -o plain.o
; RUN: cd %t && sed "s/!prof !3/!prof !7/" main.ll > m.ll && %opt -thinlto-bc m.ll -o main.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o plain.o %libhints -o program \
; RUN:   2>&1 | %FileCheck %s --check-prefix=PLAIN
; PLAIN: no allocation is hinted cold: 1 indirect call
; RUN: %t/program

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@pointer = external global ptr
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
; node.cpp;node.__uniq.5 and node.__uniq.5
!4 = !{!"VP", i32 0, i64 20, i64 461884131751622325, i64 20}
!5 = !{!"VP", i32 0, i64 1, i64 -2138083437049884952, i64 0}
!6 = !{!"VP", i32 0, i64 20, i64 461884131751622325, i64 20, i64 -2138083437049884952, i64 0}
; node
!7 = !{!"VP", i32 0, i64 1, i64 1537639070154605622, i64 0}

;--- target.ll
source_filename = "node.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@pointer = global ptr @node.__uniq.5
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define internal ptr @node.__uniq.5(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !1, !callsite !6
  ret ptr %p
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 800}
!8 = !{i64 101, i64 6400}
