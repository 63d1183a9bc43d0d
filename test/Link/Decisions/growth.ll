; What clones may add is limited: the most bytes are chosen, and what is left out is
; counted. Each decision is compiled, though the cache has another.
;
; RUN: rm -rf %t && %split-file %s %t
; RUN: cd %t && for f in main small middle large; do %opt -thinlto-bc -module-hash $f.ll -o $f.o; done
; RUN: cd %t && %thermo-lto run main.o small.o middle.o large.o -o lto -thermocline-stats -thinlto-memprof-max-growth=none \
; RUN:   -r=main.o,main,plx -r=main.o,small,l -r=main.o,middle,l -r=main.o,large,l -r=small.o,small,pl -r=small.o,_Znwm, \
; RUN:   -r=middle.o,middle,pl -r=middle.o,_Znwm, -r=large.o,large,pl -r=large.o,_Znwm, -cache-dir=cache 2>&1 | %FileCheck %s --check-prefix=NONE
; NONE-NOT: warning
; NONE: 3 clones of 3 functions; cold->cold 3 contexts, 6.9 KiB; {{.*}} 6 instructions added
; NONE: 4 modules compiled, 3 calls made cold

; One clone of two instructions, of the 13 in the link.
; RUN: cd %t && %thermo-lto run main.o small.o middle.o large.o -o lto -thermocline-stats -thinlto-memprof-max-growth=20 \
; RUN:   -r=main.o,main,plx -r=main.o,small,l -r=main.o,middle,l -r=main.o,large,l -r=small.o,small,pl -r=small.o,_Znwm, \
; RUN:   -r=middle.o,middle,pl -r=middle.o,_Znwm, -r=large.o,large,pl -r=large.o,_Znwm, -cache-dir=cache 2>&1 | %FileCheck %s --check-prefix=TWENTY
; TWENTY: warning: 2 cold contexts (704 B) are left without a hint by --thinlto-memprof-max-growth=20, which allows clones 2 instructions; all contexts take 6, which is 46.2 %
; TWENTY: 1 clone of 1 function; cold->cold 1 context, 6.2 KiB; cold->not 2 contexts, 704 B; {{.*}} 2 of at most 2 instructions added
; TWENTY: cold without a hint, over budget: 2 contexts, 704 B
; TWENTY: 3 modules compiled, 0 calls made cold

; What the warning says is enough.
; RUN: cd %t && %thermo-lto run main.o small.o middle.o large.o -o lto -thermocline-stats -thinlto-memprof-max-growth=46.2 \
; RUN:   -r=main.o,main,plx -r=main.o,small,l -r=main.o,middle,l -r=main.o,large,l -r=small.o,small,pl -r=small.o,_Znwm, \
; RUN:   -r=middle.o,middle,pl -r=middle.o,_Znwm, -r=large.o,large,pl -r=large.o,_Znwm, -cache-dir=cache 2>&1 | %FileCheck %s --check-prefix=ALL
; ALL-NOT: warning
; ALL: 3 clones of 3 functions; cold->cold 3 contexts, {{.*}} 6 of at most 6 instructions added
; ALL: 0 modules compiled

; No clone for little.
; RUN: cd %t && %thermo-lto run main.o small.o middle.o large.o -o lto -thermocline-stats -thinlto-memprof-min-context=1k \
; RUN:   -r=main.o,main,plx -r=main.o,small,l -r=main.o,middle,l -r=main.o,large,l -r=small.o,small,pl -r=small.o,_Znwm, \
; RUN:   -r=middle.o,middle,pl -r=middle.o,_Znwm, -r=large.o,large,pl -r=large.o,_Znwm, -cache-dir=cache 2>&1 | %FileCheck %s --check-prefix=LITTLE
; LITTLE: 1 clone of 1 function; cold->cold 1 context, 6.2 KiB; cold->not 2 contexts, 704 B
; LITTLE: cold without a hint, worth too little: 2 contexts, 704 B

;--- main.ll
source_filename = "main.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @small(i64)
declare ptr @middle(i64)
declare ptr @large(i64)
define i32 @main() {
  %h0 = call ptr @small(i64 8), !callsite !0
  %c0 = call ptr @small(i64 9), !callsite !1
  %h1 = call ptr @middle(i64 8), !callsite !2
  %c1 = call ptr @middle(i64 9), !callsite !3
  %h2 = call ptr @large(i64 8), !callsite !4
  %c2 = call ptr @large(i64 9), !callsite !5
  ret i32 0
}
!0 = !{i64 10}
!1 = !{i64 20}
!2 = !{i64 11}
!3 = !{i64 21}
!4 = !{i64 12}
!5 = !{i64 22}
;--- small.ll
source_filename = "small.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @small(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
!0 = !{i64 1, i64 10}
!1 = !{i64 100, i64 10}
!2 = !{!0, !"notcold", !1}
!3 = !{i64 1, i64 20}
!4 = !{i64 200, i64 64}
!5 = !{!3, !"cold", !4}
!6 = !{!2, !5}
!7 = !{i64 1}
;--- middle.ll
source_filename = "middle.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @middle(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
!0 = !{i64 2, i64 11}
!1 = !{i64 101, i64 10}
!2 = !{!0, !"notcold", !1}
!3 = !{i64 2, i64 21}
!4 = !{i64 201, i64 640}
!5 = !{!3, !"cold", !4}
!6 = !{!2, !5}
!7 = !{i64 2}
;--- large.ll
source_filename = "large.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
define ptr @large(i64 %n) noinline {
  %p = call ptr @_Znwm(i64 %n) builtin allocsize(0), !memprof !6, !callsite !7
  ret ptr %p
}
!0 = !{i64 3, i64 12}
!1 = !{i64 102, i64 10}
!2 = !{!0, !"notcold", !1}
!3 = !{i64 3, i64 22}
!4 = !{i64 202, i64 6400}
!5 = !{!3, !"cold", !4}
!6 = !{!2, !5}
!7 = !{i64 3}
