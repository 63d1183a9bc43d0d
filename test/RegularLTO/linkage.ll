; Inline functions of several modules, of which one copy prevails; a shared library,
; whose functions stay visible and whose versions do not; a copy whose prevailing
; definition is native code, which calls no version.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in a b; do %llvm-as $f.ll -o $f.o || exit 1; done
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--lto-O0,--thinlto-memprof=on a.o b.o %libhints -o program -Wl,--save-temps=opt \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; RUN: cd %t && ./program && %llvm-dis < program.0.4.opt.bc | %FileCheck %s
; STATS: 1 clone of 1 function; cold->cold 2 contexts, 0 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 2 contexts
; CHECK-LABEL: @main(
; CHECK: call ptr @make(i64 1)
; CHECK: call ptr @make.memprof.1(i64 2)
; CHECK-LABEL: @other(
; CHECK: call ptr @make(i64 3)
; CHECK: call ptr @make.memprof.1(i64 4)

; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -shared -Wl,--save-temps=opt a.o b.o %libhints -o library.so
; RUN: cd %t && %llvm-dis < library.so.0.4.opt.bc | %FileCheck %s --check-prefix=SHARED
; RUN: cd %t && %llvm-nm -D library.so | %FileCheck %s --check-prefix=DYNAMIC
; SHARED-DAG: $make = comdat any
; SHARED-DAG: $make.memprof.1 = comdat any
; SHARED-DAG: define weak_odr {{.*}}@make(i64 %n){{.*}} comdat
; SHARED-DAG: define weak_odr hidden {{.*}}@make.memprof.1(i64 %n){{.*}} comdat
; DYNAMIC: make
; DYNAMIC-NOT: memprof

; RUN: cd %t && %clang -fno-lto -c -x ir b.ll -o native.o
; RUN: cd %t && %clang --ld-path=%ld.lld -flto=full -Wl,--lto-O0,--thinlto-memprof=on native.o a.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=NATIVE
; RUN: cd %t && ./program && %llvm-nm program | %FileCheck %s --check-prefix=PLAIN
; NATIVE: 0 clones of 0 functions; cold->cold 0 contexts
; PLAIN-NOT: memprof
; PLAIN-NOT: malloc_cold

;--- a.ll
source_filename = "a.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
$make = comdat any
declare ptr @malloc(i64)
declare void @other()
define i32 @main() {
  %a = call ptr @make(i64 1), !callsite !20
  %b = call ptr @make(i64 2), !callsite !21
  call void @other()
  ret i32 0
}
define linkonce_odr ptr @make(i64 %n) noinline comdat {
  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !9
  store volatile i64 1, ptr %p
  ret ptr %p
}
!0 = !{!1, !3, !5, !7}
!1 = !{!2, !"notcold"}
!2 = !{i64 1, i64 20}
!3 = !{!4, !"cold"}
!4 = !{i64 1, i64 21}
!5 = !{!6, !"notcold"}
!6 = !{i64 1, i64 22}
!7 = !{!8, !"cold"}
!8 = !{i64 1, i64 23}
!9 = !{i64 1}
!20 = !{i64 20}
!21 = !{i64 21}

;--- b.ll
source_filename = "b.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
$make = comdat any
declare ptr @malloc(i64)
define void @other() {
  %a = call ptr @make(i64 3), !callsite !22
  %b = call ptr @make(i64 4), !callsite !23
  ret void
}
define linkonce_odr ptr @make(i64 %n) noinline comdat {
  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !9
  store volatile i64 1, ptr %p
  ret ptr %p
}
!0 = !{!1, !3, !5, !7}
!1 = !{!2, !"notcold"}
!2 = !{i64 1, i64 20}
!3 = !{!4, !"cold"}
!4 = !{i64 1, i64 21}
!5 = !{!6, !"notcold"}
!6 = !{i64 1, i64 22}
!7 = !{!8, !"cold"}
!8 = !{i64 1, i64 23}
!9 = !{i64 1}
!22 = !{i64 22}
!23 = !{i64 23}
