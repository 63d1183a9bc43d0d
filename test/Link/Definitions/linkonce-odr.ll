; An inline function is compiled into two modules; one copy prevails and alone has
; records. The other copy, kept for inlining only, must do as was decided for the
; prevailing one where its body is the same, and is dropped where it is not.
;
; RUN: %split-file %s %t
; RUN: cd %t && for f in a b c; do %opt -thinlto-bc $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run a.o b.o c.o -o lto -O1 -select-save-temps=opt -thermocline-stats \
; RUN:   -r=a.o,main,plx -r=a.o,node,pl -r=a.o,cold_b,l -r=a.o,cold_c,l -r=a.o,malloc, \
; RUN:   -r=b.o,cold_b,pl -r=b.o,node, -r=b.o,malloc, \
; RUN:   -r=c.o,cold_c,pl -r=c.o,node, -r=c.o,malloc, -r=c.o,other, \
; RUN:   2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && %llvm-dis < lto.1.4.opt.bc | %FileCheck %s --check-prefix=A
; RUN: cd %t && %llvm-dis < lto.2.4.opt.bc | %FileCheck %s --check-prefix=B
; RUN: cd %t && %llvm-dis < lto.3.4.opt.bc | %FileCheck %s --check-prefix=C
; RUN: cd %t && %llvm-readelf -s -g --wide lto.1 | %FileCheck %s --check-prefix=GROUP

; STATS: 1 clone of 1 function; cold->cold 1 context
; STATS: 1 copy for inlining dropped

; A: define {{.*}}weak_odr {{.*}}@node(i64 %n)
; A: call {{.*}}@malloc(
; A: define weak_odr hidden {{.*}}@node.memprof.1(i64 %n) {{.*}}comdat
; A: call {{.*}}@malloc_cold(

; The copy of b is inlined with the hint; nothing of it is left.
; B: define {{.*}}@cold_b()
; B: call {{.*}}@malloc_cold(

; The copy of c is another function.
; C: define {{.*}}@cold_c()
; C-NOT: @other
; C: call {{.*}}@node.memprof.1(
; C-NOT: define

; GROUP-DAG: COMDAT group section [{{.*}}] `.group' [node]
; GROUP-DAG: COMDAT group section [{{.*}}] `.group' [node.memprof.1]
; GROUP-DAG: WEAK HIDDEN {{.*}} node.memprof.1

;--- a.ll
source_filename = "a.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
$node = comdat any
declare ptr @malloc(i64)
declare ptr @cold_b()
declare ptr @cold_c()
define linkonce_odr ptr @node(i64 %n) comdat {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
define ptr @main() {
  %hot = call ptr @node(i64 8), !callsite !9
  %b = call ptr @cold_b()
  %c = call ptr @cold_c()
  ret ptr %hot
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 800}
!8 = !{i64 101, i64 6400}
!9 = !{i64 10}

;--- b.ll
source_filename = "b.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
$node = comdat any
declare ptr @malloc(i64)
define linkonce_odr ptr @node(i64 %n) comdat {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
define ptr @cold_b() noinline {
  %cold = call ptr @node(i64 64), !callsite !9
  ret ptr %cold
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 800}
!8 = !{i64 101, i64 6400}
!9 = !{i64 11}

;--- c.ll
source_filename = "c.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
$node = comdat any
declare ptr @malloc(i64)
declare ptr @other()
define linkonce_odr ptr @node(i64 %n) comdat {
  %q = call ptr @other(), !callsite !10
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
  ret ptr %p
}
define ptr @cold_c() noinline {
  %cold = call ptr @node(i64 64), !callsite !9
  ret ptr %cold
}
!1 = !{!2, !4}
!2 = !{!3, !"notcold", !7}
!3 = !{i64 1, i64 10}
!4 = !{!5, !"cold", !8}
!5 = !{i64 1, i64 11}
!6 = !{i64 1}
!7 = !{i64 100, i64 800}
!8 = !{i64 101, i64 6400}
!9 = !{i64 11}
!10 = !{i64 77}
