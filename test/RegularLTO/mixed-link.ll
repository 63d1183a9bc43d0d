; A link of both kinds: each part decides for itself, and what the link tells is
; the sum. Neither part calls versions of the other's functions.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc thin.ll -o thin.o && %opt -module-summary full.ll -o full.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=thin thin.o full.o %libhints -o program -Wl,--save-temps \
; RUN:   -Wl,-mllvm,-thermocline-stats -Wl,--thinlto-memprof-report=report.json 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %llvm-nm program | %FileCheck %s --check-prefix=SYMBOLS
; RUN: %llvm-dis < %t/program.0.4.opt.bc | %FileCheck %s --check-prefix=FULL
; RUN: %llvm-dis < %t/thin.o.4.opt.bc | %FileCheck %s --check-prefix=THIN
; RUN: %FileCheck %s --check-prefix=REPORT < %t/report.json

; STATS: 2 clones of 2 functions; cold->cold 2 contexts, 640 B; cold->not 2 contexts, 8 B; not->cold 0 contexts, 0 B; not->not 4 contexts, 140 B
; STATS-NEXT: cold without a hint, unmatched frame: 2 contexts, 8 B
; STATS-NEXT: 2 modules compiled, 2 calls made cold (2 malloc)

; SYMBOLS-NOT: shared{{.*}}.memprof
; SYMBOLS-DAG: fromFull.memprof.1
; SYMBOLS-DAG: fromThin.memprof.1

; FULL-LABEL: @callFull(
; FULL: call {{.*}}@fromFull.memprof.1(
; FULL: call {{.*}}@fromFull(
; FULL: call {{.*}}@sharedThin(i64 1)
; FULL: call {{.*}}@sharedThin(i64 2)
; THIN-LABEL: @callThin(
; THIN: call {{.*}}@fromThin.memprof.1(
; THIN: call {{.*}}@fromThin(
; THIN: call {{.*}}@sharedFull(i64 1)
; THIN: call {{.*}}@sharedFull(i64 2)

; REPORT-DAG: "context": 0,
; REPORT-DAG: "context": 7,

;--- thin.ll
source_filename = "thin.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
declare ptr @sharedFull(i64)
declare void @callFull()
define i32 @main() {
  call void @callThin()
  call void @callFull()
  ret i32 0
}
define void @callThin() noinline {
  %a = call ptr @fromThin(i64 64), !callsite !20
  %b = call ptr @fromThin(i64 7), !callsite !21
  %c = call ptr @sharedFull(i64 1), !callsite !22
  %d = call ptr @sharedFull(i64 2), !callsite !23
  store volatile i64 1, ptr %a
  store volatile i64 1, ptr %b
  store volatile ptr %c, ptr %a
  store volatile ptr %d, ptr %a
  ret void
}
define ptr @fromThin(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !6
  ret ptr %p
}
define ptr @sharedThin(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !10, !callsite !16
  ret ptr %p
}
!0 = !{!1, !3}
!1 = !{!2, !"cold", !5}
!2 = !{i64 1, i64 20}
!3 = !{!4, !"notcold", !7}
!4 = !{i64 1, i64 21}
!5 = !{i64 100, i64 320}
!6 = !{i64 1}
!7 = !{i64 101, i64 60}
!10 = !{!11, !13}
!11 = !{!12, !"cold", !15}
!12 = !{i64 2, i64 40}
!13 = !{!14, !"notcold", !17}
!14 = !{i64 2, i64 41}
!15 = !{i64 102, i64 4}
!16 = !{i64 2}
!17 = !{i64 103, i64 10}
!20 = !{i64 20}
!21 = !{i64 21}
!22 = !{i64 22}
!23 = !{i64 23}

;--- full.ll
source_filename = "full.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
declare ptr @sharedThin(i64)
define void @callFull() noinline {
  %a = call ptr @fromFull(i64 64), !callsite !20
  %b = call ptr @fromFull(i64 7), !callsite !21
  %c = call ptr @sharedThin(i64 1), !callsite !22
  %d = call ptr @sharedThin(i64 2), !callsite !23
  store volatile i64 1, ptr %a
  store volatile i64 1, ptr %b
  store volatile ptr %c, ptr %a
  store volatile ptr %d, ptr %a
  ret void
}
define ptr @fromFull(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !6
  ret ptr %p
}
define ptr @sharedFull(i64 %n) noinline {
  %p = call ptr @malloc(i64 %n), !memprof !10, !callsite !16
  ret ptr %p
}
!llvm.module.flags = !{!90}
!90 = !{i32 1, !"ThinLTO", i32 0}
!0 = !{!1, !3}
!1 = !{!2, !"cold", !5}
!2 = !{i64 3, i64 30}
!3 = !{!4, !"notcold", !7}
!4 = !{i64 3, i64 31}
!5 = !{i64 104, i64 320}
!6 = !{i64 3}
!7 = !{i64 105, i64 60}
!10 = !{!11, !13}
!11 = !{!12, !"cold", !15}
!12 = !{i64 4, i64 22}
!13 = !{!14, !"notcold", !17}
!14 = !{i64 4, i64 23}
!15 = !{i64 106, i64 4}
!16 = !{i64 4}
!17 = !{i64 107, i64 10}
!20 = !{i64 30}
!21 = !{i64 31}
!22 = !{i64 40}
!23 = !{i64 41}
