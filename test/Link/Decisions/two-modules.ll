; Two callers in one module tell the contexts of an allocation in another apart.
; The cold one calls a version of the function between, which allocates cold.
;
; RUN: %split-file %s %t
; RUN: %opt -thinlto-bc %t/main.ll -o %t/main.o
; RUN: %opt -thinlto-bc %t/node.ll -o %t/node.o

; RUN: %clang --ld-path=%ld.lld -flto=thin %t/main.o %t/node.o %libhints \
; RUN:   -Wl,--save-temps=precodegen -Wl,-mllvm,-thermocline-stats -o %t/program \
; RUN:   2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: %t/program
; RUN: %llvm-dis < %t/main.o.5.precodegen.bc | %FileCheck %s --check-prefix=MAIN
; RUN: %llvm-dis < %t/node.o.5.precodegen.bc | %FileCheck %s --check-prefix=NODE
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=SYMBOLS

; STATS: ld.lld: thermocline: 1 clone of 1 function; cold->cold 1 context, 6.2 KiB; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 1 context, 800 B
; STATS-NEXT: ld.lld: thermocline: 2 modules compiled, 1 call made cold (1 malloc)

; MAIN: call ptr @node(i64 8)
; MAIN-NOT: !callsite
; MAIN: call ptr @node.memprof.1(i64 64)
; MAIN: declare hidden {{.*}}@node.memprof.1(i64

; NODE: define {{.*}}ptr @node(i64 %n)
; NODE: call {{.*}}@malloc(i64 %n) #[[NOTCOLD:[0-9]+]]
; NODE-NOT: !memprof
; NODE: define hidden {{.*}}ptr @node.memprof.1(i64 %n)
; NODE: call {{.*}}@malloc_cold(i64 %n) #[[COLD:[0-9]+]]
; NODE: declare noalias {{.*}}@malloc_cold(i64{{.*}}) {{.*}}#[[TWIN:[0-9]+]]
; NODE-DAG: attributes #[[TWIN]] = {{.*}} allockind("alloc,uninitialized") allocsize(0) {{.*}}"alloc-family"="malloc"
; NODE-DAG: attributes #[[NOTCOLD]] = { "memprof"="notcold" }
; NODE-DAG: attributes #[[COLD]] = { "memprof"="cold" }

; SYMBOLS-DAG: t malloc_cold
; SYMBOLS-DAG: t node.memprof.1

; The command line of llvm-lto2 run gives the same.
; RUN: %thermo-lto run %t/main.o %t/node.o -o %t/lto -select-save-temps=opt \
; RUN:   -r=%t/main.o,main,plx -r=%t/main.o,node, -r=%t/node.o,node,pl \
; RUN:   -r=%t/node.o,malloc, -thinlto-threads=2
; RUN: %llvm-dis < %t/lto.1.4.opt.bc | %FileCheck %s --check-prefix=MAIN
; RUN: %llvm-nm %t/lto.2 | %FileCheck %s --check-prefix=OBJECT
; OBJECT: U malloc_cold

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @node(i64)
define i32 @main() {
  %hot = call ptr @node(i64 8), !callsite !0
  %cold = call ptr @node(i64 64), !callsite !1
  store volatile i32 1, ptr %hot
  store volatile i32 1, ptr %cold
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}

;--- node.ll
source_filename = "node.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define ptr @node(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !6
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
