; Functions that may not have versions: one that may be replaced, one that calls what
; must not be duplicated or is convergent, one with a table of labels, one whose
; assembly defines a symbol. Their cold contexts stay with the others, and the
; report says why.
;
; RUN: rm -rf %t && mkdir %t && cd %t && %llvm-as %s -o a.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--export-dynamic a.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats -Wl,--thinlto-memprof-report=report.txt 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %FileCheck %s < report.txt

; STATS: warning: the profile has 5 cold contexts, but no allocation is hinted cold: 1 outside the link, 4 function that cannot be cloned
; STATS: 0 clones of 0 functions; cold->cold 0 contexts, 0 B; cold->not 5 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 5 contexts
; CHECK-DAG: function that cannot be cloned: 4 contexts
; CHECK-DAG: outside the link: 1 context

; What is harmless in assembly: numbers, and names made unique.
; RUN: cd %t && sed 's/0Amarker: nop/0A.Lhere${:uid}: nop/' %s | %llvm-as -o b.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--export-dynamic b.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=UNIQUE
; RUN: cd %t && ./program
; UNIQUE: 1 clone of 1 function; cold->cold 1 context, 0 B; cold->not 4 contexts

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define internal void @once() noinline noduplicate {
  ret void
}
define internal void @together() noinline convergent {
  call void asm sideeffect "", ""() convergent
  ret void
}
define i32 @main() {
  %h0 = call ptr @replaceable(i64 8), !callsite !30
  %c0 = call ptr @replaceable(i64 64), !callsite !31
  store volatile i64 1, ptr %h0
  store volatile i64 1, ptr %c0
  %h1 = call ptr @duplicated(i64 8), !callsite !32
  %c1 = call ptr @duplicated(i64 64), !callsite !33
  store volatile i64 1, ptr %h1
  store volatile i64 1, ptr %c1
  %h2 = call ptr @convergent(i64 8), !callsite !34
  %c2 = call ptr @convergent(i64 64), !callsite !35
  store volatile i64 1, ptr %h2
  store volatile i64 1, ptr %c2
  %h3 = call ptr @label(i64 8), !callsite !36
  %c3 = call ptr @label(i64 64), !callsite !37
  store volatile i64 1, ptr %h3
  store volatile i64 1, ptr %c3
  %h4 = call ptr @assembly(i64 8), !callsite !38
  %c4 = call ptr @assembly(i64 64), !callsite !39
  store volatile i64 1, ptr %h4
  store volatile i64 1, ptr %c4
  ret i32 0
}
define weak ptr @replaceable(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !4, !callsite !5
  ret ptr %p
}
define internal ptr @duplicated(i64 %n) noinline {
  call void @once()
  %p = call ptr @malloc(i64 %n), !memprof !10, !callsite !11
  ret ptr %p
}
define internal ptr @convergent(i64 %n) noinline {
  call void @together()
  %p = call ptr @malloc(i64 %n), !memprof !16, !callsite !17
  ret ptr %p
}
@targets = internal constant [2 x ptr] [ptr blockaddress(@label, %a), ptr blockaddress(@label, %b)]
define internal ptr @label(i64 %n) noinline {
  %slot = getelementptr [2 x ptr], ptr @targets, i64 0, i64 0
  %target = load ptr, ptr %slot
  indirectbr ptr %target, [label %a, label %b]
a:
  %p = call ptr @malloc(i64 %n), !memprof !22, !callsite !23
  ret ptr %p
b:
  ret ptr null
}
define internal ptr @assembly(i64 %n) noinline {
  call void asm sideeffect "jmp 1f\0A1: nop\0Amarker: nop", ""()
  %p = call ptr @malloc(i64 %n), !memprof !28, !callsite !29
  ret ptr %p
}
!0 = !{i64 100, i64 200}
!1 = !{!0, !"notcold"}
!2 = !{i64 100, i64 300}
!3 = !{!2, !"cold"}
!4 = !{!1, !3}
!5 = !{i64 100}
!6 = !{i64 101, i64 201}
!7 = !{!6, !"notcold"}
!8 = !{i64 101, i64 301}
!9 = !{!8, !"cold"}
!10 = !{!7, !9}
!11 = !{i64 101}
!12 = !{i64 102, i64 202}
!13 = !{!12, !"notcold"}
!14 = !{i64 102, i64 302}
!15 = !{!14, !"cold"}
!16 = !{!13, !15}
!17 = !{i64 102}
!18 = !{i64 103, i64 203}
!19 = !{!18, !"notcold"}
!20 = !{i64 103, i64 303}
!21 = !{!20, !"cold"}
!22 = !{!19, !21}
!23 = !{i64 103}
!24 = !{i64 104, i64 204}
!25 = !{!24, !"notcold"}
!26 = !{i64 104, i64 304}
!27 = !{!26, !"cold"}
!28 = !{!25, !27}
!29 = !{i64 104}
!30 = !{i64 200}
!31 = !{i64 300}
!32 = !{i64 201}
!33 = !{i64 301}
!34 = !{i64 202}
!35 = !{i64 302}
!36 = !{i64 203}
!37 = !{i64 303}
!38 = !{i64 204}
!39 = !{i64 304}
