; An explicit instantiation in two modules: a constructor, and an alias of it.
; LLVM leaves the copy that does not prevail as it is, for the alias needs it; it
; must do as the prevailing one was decided to, in callers where it is inlined as
; well. Where its body is another, callers reach the prevailing one.
;
; RUN: rm -rf %t && %split-file %s %t && cat %t/head.ll %t/first.ll > %t/a.ll
; RUN: cat %t/head.ll %t/second.ll > %t/b.ll
; RUN: sed 's/.*call ptr @_Znwm(i64 %n) b/  call ptr @pass(ptr null), !callsite !9\n&/' %t/b.ll > %t/differs.ll
; RUN: sed 's/, !memprof !1, !callsite !6//' %t/b.ll > %t/unprofiled.ll
; RUN: cd %t && for f in a b differs unprofiled; do %opt -thinlto-bc -module-hash $f.ll -o $f.o; done
;
; RUN: cd %t && for b in b differs unprofiled; do \
; RUN:   %clangxx --ld-path=%ld.lld -flto=thin a.o $b.o %libhints -o $b.program \
; RUN:     -Wl,-mllvm,-thermocline-stats -Wl,--save-temps 2> $b.log && ./$b.program || exit 1; done
; RUN: cd %t && %FileCheck %s --check-prefix=LINK < b.log
; LINK: 1 clone of 1 function; cold->cold 2 contexts, 2 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 2 contexts, 2 B
; LINK: 2 modules compiled, {{[0-9]}} call
; LINK-NOT: for inlining
; RUN: cd %t && %FileCheck %s --check-prefix=DROPPED < differs.log
; DROPPED: 1 cop{{y|ies}} for inlining dropped
; RUN: cd %t && %FileCheck %s --check-prefix=DROPPED < unprofiled.log
; RUN: cd %t && %llvm-dis differs.o.5.precodegen.bc -o - | %FileCheck %s --check-prefix=CALLS
; CALLS-LABEL: define {{.*}}@other
; CALLS: call {{.*}}@make1(i64 12)
; CALLS: call {{.*}}@make1.memprof.1(i64 13)
;
; A backend that has only its index does the same.
; RUN: cd %t && for b in b differs unprofiled; do \
; RUN:   %clangxx --ld-path=%ld.lld -flto=thin a.o $b.o %libhints -o $b.program \
; RUN:     -Wl,--thinlto-index-only -Wl,--thinlto-memprof-backend=thermocline && \
; RUN:   for m in a $b; do %thermo-backend -w -c -O2 $m.o -fthinlto-index=$m.o.thinlto.bc \
; RUN:     -mllvm -thermocline-stats -o $m.native.o || exit 1; done 2> $b.log && \
; RUN:   %clangxx -fuse-ld=lld a.native.o $b.native.o %libhints -o $b.program && ./$b.program || exit 1; done
; RUN: cd %t && %FileCheck %s --check-prefix=WHOLE < b.log && %FileCheck %s --check-prefix=DROPPED < differs.log
; WHOLE-NOT: for inlining
; RUN: cd %t && %FileCheck %s --check-prefix=DROPPED < unprofiled.log

;--- head.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
$make5 = comdat any
@make1 = weak_odr alias ptr (i64), ptr @make2
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define weak_odr ptr @make2(i64 %n) comdat($make5) {
  %new = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !1, !callsite !6
  store volatile i8 1, ptr %new
  ret ptr %new
}
define linkonce_odr ptr @pass(ptr %p) {
  ret ptr %p
}
!1 = !{!2, !4, !12, !14}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 1}
!8 = !{i64 101, i64 1}
!9 = !{i64 90}
!12 = !{!13, !"notcold", !16}
!13 = !{i64 1, i64 12}
!14 = !{!15, !"cold", !17}
!15 = !{i64 1, i64 13}
!16 = !{i64 102, i64 1}
!17 = !{i64 103, i64 1}
;--- first.ll
declare ptr @other()
define i32 @main() {
  %hot = call ptr @make1(i64 10), !callsite !20
  %cold = call ptr @make1(i64 11), !callsite !21
  %b = call ptr @other()
  store volatile i32 1, ptr %b
  ret i32 0
}
!20 = !{i64 10}
!21 = !{i64 11}
;--- second.ll
define ptr @other() noinline {
  %hot = call ptr @make1(i64 12), !callsite !20
  %cold = call ptr @make1(i64 13), !callsite !21
  ret ptr %cold
}
!20 = !{i64 12}
!21 = !{i64 13}
