; Metadata that is not what it has to be, in a link that does not verify: one clear
; error that names module and function.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %llvm-as %s -o good.o && %clang --ld-path=%ld.lld -flto=full good.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=GOOD
; GOOD: cold->cold 1 context, 12 B

; RUN: cd %t && for change in \
; RUN:     's/^!3 = .*/!3 = !{}/' \
; RUN:     's/^!3 = .*/!3 = !{!"text"}/' \
; RUN:     's/^!3 = .*/!3 = !{double 1.0}/' \
; RUN:     's/^!3 = .*/!3 = !{i128 1}/' \
; RUN:     's/^!2 = .*/!2 = !{!3}/' \
; RUN:     's/^!2 = .*/!2 = !{!"cold", !3}/' \
; RUN:     's/^!2 = .*/!2 = !{!3, !3}/' \
; RUN:     's/^!2 = .*/!2 = !{!3, !"cold", !{i64 1}}/' \
; RUN:     's/^!2 = .*/!2 = !{!3, !"cold", null}/' \
; RUN:     's/^!1 = .*/!1 = !{!"text"}/' \
; RUN:     's/^!1 = .*/!1 = !{null}/'; do \
; RUN:   sed "$change" %s | %llvm-as -disable-verify -o bad.o || exit 1; \
; RUN:   %not %clang --ld-path=%ld.lld -flto=full -Wl,--disable-verify bad.o -o program > bad.txt 2>&1 || exit 1; \
; RUN:   %FileCheck %s --check-prefix=MEMPROF < bad.txt || exit 1; done
; MEMPROF-NOT: PLEASE submit
; MEMPROF: ld.lld: error: ld-temp.o: make: the !memprof metadata of a call is malformed

; RUN: cd %t && for change in 's/^!9 = .*/!9 = !{}/' 's/^!9 = .*/!9 = !{!"text"}/'; do \
; RUN:   sed "$change" %s | %llvm-as -disable-verify -o bad.o || exit 1; \
; RUN:   %not %clang --ld-path=%ld.lld -flto=full -Wl,--disable-verify bad.o -o program > bad.txt 2>&1 || exit 1; \
; RUN:   %FileCheck %s --check-prefix=CALLSITE < bad.txt || exit 1; done
; CALLSITE: ld.lld: error: ld-temp.o: main: the !callsite metadata of a call is malformed

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define i32 @main() {
  %a = call ptr @make(i64 1), !callsite !9
  store volatile i64 1, ptr %a
  ret i32 0
}
define internal ptr @make(i64 %n) {
  %p = call ptr @malloc(i64 %n), !memprof !1, !callsite !8
  ret ptr %p
}
!1 = !{!2}
!2 = !{!3, !"cold", !{i64 100, i64 5}, !{i64 101, i64 7}}
!3 = !{i64 1, i64 20}
!8 = !{i64 1}
!9 = !{i64 20}
