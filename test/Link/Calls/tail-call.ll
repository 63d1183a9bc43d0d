; Tail calls leave no frame in a context and have no record. Where only one chain
; of them can have been there, the link redirects them as well, in backends of its
; own, of thermo-lto and of stock clang.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in main make; do %opt -thinlto-bc -module-hash $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run main.o make.o -o lto -O0 -select-save-temps=opt -thermocline-stats \
; RUN:   -thinlto-memprof-report=report.txt -thinlto-emit-indexes \
; RUN:   -r=main.o,main,plx -r=main.o,hot,l -r=main.o,cold,l -r=main.o,either,l -r=main.o,far,l -r=main.o,make2,l \
; RUN:   -r=make.o,hot,pl -r=make.o,cold,pl -r=make.o,either,pl -r=make.o,far,pl -r=make.o,x,pl -r=make.o,y,pl \
; RUN:   -r=make.o,near,pl -r=make.o,make,pl -r=make.o,make2,pl -r=make.o,_Znwm, \
; RUN:   2>&1 | %FileCheck %s --check-prefix=STATS
; STATS: 2 clones of 2 functions; cold->cold 2 contexts, 6.3 KiB; cold->not 1 context, 10 B; not->cold 0 contexts, 0 B; not->not 2 contexts
; STATS: cold without a hint, ambiguous tail call: 1 context, 10 B

; RUN: cd %t && %llvm-dis < lto.2.4.opt.bc | %FileCheck %s --check-prefix=IR
; IR-LABEL: define{{.*}} ptr @hot(
; IR: tail call ptr @make(i64 8)
; IR-LABEL: define{{.*}} ptr @cold(
; IR: tail call ptr @make.memprof.1(i64 64)
; Not a tail call: its frame would have been there.
; IR: call ptr @make(i64 65)
; IR-LABEL: define{{.*}} ptr @far(
; IR: tail call ptr @near(
; IR-LABEL: define{{.*}} ptr @near(
; IR: tail call ptr @make2.memprof.1(

; The records are in the written index, so that the audit finds the same.
; RUN: cd %t && %thermo-lto audit *.thinlto.bc | %FileCheck %s --check-prefix=AUDIT
; AUDIT: cold -> cold{{ +}}2{{ +}}6.3 KiB
; AUDIT-NEXT: cold -> not cold{{ +}}1
; AUDIT-NEXT: not cold -> cold{{ +}}0
; AUDIT-NEXT: not cold -> not cold{{ +}}2
; AUDIT-NOT: Malformed

; Stock clang's backend understands them.
; RUN: cd %t && %clang -O1 -x ir make.o -fthinlto-index=make.o.thinlto.bc -c -o make.native.o \
; RUN:   -mllvm -enable-memprof-context-disambiguation -mllvm -optimize-hot-cold-new
; RUN: %llvm-objdump -dr %t/make.native.o | %FileCheck %s --check-prefix=NATIVE
; NATIVE-LABEL: <hot>:
; NATIVE: jmp {{.*}} <make>
; NATIVE-LABEL: <cold>:
; NATIVE: {{call|jmp}}{{.*}} <make.memprof.1>
; NATIVE-LABEL: <near>:
; NATIVE: jmp {{.*}} <make2.memprof.1>

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @hot()
declare ptr @cold()
declare ptr @either(i1)
declare ptr @far()
declare ptr @make2(i64)
define i32 @main() {
  %a = call ptr @hot(), !callsite !0
  %b = call ptr @cold(), !callsite !1
  %c = call ptr @either(i1 true), !callsite !2
  %d = call ptr @far(), !callsite !3
  %e = call ptr @make2(i64 3), !callsite !4
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
!2 = !{i64 12}
!3 = !{i64 13}
!4 = !{i64 14}
;--- make.ll
source_filename = "make.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @hot() noinline {
  %p = tail call ptr @make(i64 8)
  ret ptr %p
}
define ptr @cold() noinline {
  %p = tail call ptr @make(i64 64)
  %q = call ptr @make(i64 65)
  store volatile ptr %q, ptr %p
  ret ptr %p
}
define ptr @either(i1 %which) noinline {
  br i1 %which, label %left, label %right
left:
  %p = tail call ptr @x()
  ret ptr %p
right:
  %q = tail call ptr @y()
  ret ptr %q
}
define ptr @x() noinline {
  %p = tail call ptr @make(i64 1)
  ret ptr %p
}
define ptr @y() noinline {
  %p = tail call ptr @make(i64 2)
  ret ptr %p
}
define ptr @far() noinline {
  %p = tail call ptr @near()
  ret ptr %p
}
define ptr @near() noinline {
  %p = tail call ptr @make2(i64 2)
  ret ptr %p
}
define ptr @make(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !1, !callsite !7
  ret ptr %p
}
define ptr @make2(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !20, !callsite !8
  ret ptr %p
}
!1 = !{!2, !4, !14}
!2 = !{!3, !"notcold", !9, !27}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !10, !27}
!5 = !{i64 1, i64 11}
!7 = !{i64 1}
!8 = !{i64 2}
!9 = !{i64 100, i64 800}
!10 = !{i64 101, i64 6400}
!14 = !{!15, !"cold", !16, !27}
!15 = !{i64 1, i64 12}
!16 = !{i64 102, i64 10}
!20 = !{!21, !23}
!21 = !{!22, !"cold", !25, !27}
!22 = !{i64 2, i64 13}
!23 = !{!24, !"notcold", !26, !27}
!24 = !{i64 2, i64 14}
!25 = !{i64 103, i64 20}
!26 = !{i64 104, i64 30}
!27 = !{i64 1, i64 0}
