; Tail calls into other modules, also in the copies that were imported for inlining;
; the cache knows that such a call changed.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in main middle make; do %opt -thinlto-bc -module-hash $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run main.o middle.o make.o -o lto -O2 -save-temps -thermocline-stats -cache-dir=cache \
; RUN:   -r=main.o,main,plx -r=main.o,cold,l -r=main.o,hot,l -r=middle.o,cold,pl -r=middle.o,hot,pl \
; RUN:   -r=middle.o,make,l -r=make.o,make,pl -r=make.o,_Znwm, 2>&1 | %FileCheck %s
; CHECK: 1 clone of 1 function; cold->cold 1 context, 64 B; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 1 context, 32 B
; CHECK: 3 modules compiled, 1 call made cold
; RUN: cd %t && %llvm-dis < lto.1.4.opt.bc | %FileCheck %s --check-prefix=MAIN
; MAIN: call ptr @make.memprof.1(i64 8)
; MAIN: call ptr @make(i64 8)

; Without versions all three are compiled anew, although one has no context.
; RUN: cd %t && %thermo-lto run main.o middle.o make.o -o lto -O2 -thermocline-stats -cache-dir=cache -thermocline-clone=false \
; RUN:   -r=main.o,main,plx -r=main.o,cold,l -r=main.o,hot,l -r=middle.o,cold,pl -r=middle.o,hot,pl \
; RUN:   -r=middle.o,make,l -r=make.o,make,pl -r=make.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=NOCLONE
; NOCLONE: 3 modules compiled, 0 calls made cold

; The written indexes name the callee, and stock clang's backend finds the call.
; RUN: cd %t && %thermo-lto run main.o middle.o make.o -o index -thinlto-distributed-indexes -thermocline-stats \
; RUN:   -r=main.o,main,plx -r=main.o,cold,l -r=main.o,hot,l -r=middle.o,cold,pl -r=middle.o,hot,pl \
; RUN:   -r=middle.o,make,l -r=make.o,make,pl -r=make.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=WRITTEN
; WRITTEN: 1 clone of 1 function; cold->cold 1 context, 64 B; cold->not 0 contexts, 0 B
; RUN: cd %t && %thermo-lto audit *.thinlto.bc | %FileCheck %s --check-prefix=AUDIT
; AUDIT: cold -> cold{{ +}}1
; RUN: cd %t && %clang -O1 -x ir middle.o -fthinlto-index=middle.o.thinlto.bc -c -o middle.native.o \
; RUN:   -mllvm -enable-memprof-context-disambiguation -mllvm -optimize-hot-cold-new
; RUN: %llvm-objdump -dr %t/middle.native.o | %FileCheck %s --check-prefix=NATIVE
; NATIVE-LABEL: <cold>:
; NATIVE: R_X86_64_{{.*}} make.memprof.1
; NATIVE-LABEL: <hot>:
; NATIVE: R_X86_64_{{.*}} make{{[-+]}}

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @cold(i64)
declare ptr @hot(i64)
define i32 @main() {
  %a = call ptr @cold(i64 8), !callsite !0
  %b = call ptr @hot(i64 8), !callsite !1
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 11}
;--- middle.ll
source_filename = "middle.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @make(i64)
define ptr @cold(i64 %n) {
  %p = tail call ptr @make(i64 %n)
  ret ptr %p
}
define ptr @hot(i64 %n) {
  %p = tail call ptr @make(i64 %n)
  ret ptr %p
}
;--- make.ll
source_filename = "make.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @make(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
!0 = !{i64 1, i64 10}
!1 = !{i64 100, i64 64}
!2 = !{!0, !"cold", !1, !8}
!3 = !{i64 1, i64 11}
!4 = !{i64 101, i64 32}
!5 = !{!3, !"notcold", !4, !8}
!6 = !{!2, !5}
!7 = !{i64 1}
!8 = !{i64 1, i64 0}
