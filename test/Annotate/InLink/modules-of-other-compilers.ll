; Modules that no plugin of ours has compiled are annotated when the linker reads them,
; members of archives too, and share contexts with those that a plugin has. Whoever links
; comes to the same.
;
; RUN: rm -rf %t && %split-file %s %t && %python %S/../Inputs/profile.py %llvm-profdata %s %t/prof
; RUN: cd %t && for kind in thin full; do mkdir $kind; flag=$([ $kind = thin ] && echo -thinlto-bc -module-hash || echo); \
; RUN:   %opt $flag main.ll -o $kind/main.o && %opt $flag make.ll -o $kind/make.o && %llvm-ar rcs $kind/make.a $kind/make.o || exit 1; done
; RUN: cd %t && %clang -O1 -c check.c && %clang --config=%use-cfg -fmemory-profile-use=prof -O1 -c other.c -o thin/other.o && %clang --config=%use-cfg -flto=full -fmemory-profile-use=prof -O1 -c other.c -o full/other.o
; RUN: cd %t && echo 'for kind in thin full; do $LINK $kind/main.o $kind/make.a $kind/other.o check.o -o program "$@" %liballoc %libhints -lm >err 2>&1 || { cat err; exit 1; }; cat err; ./program; done' >each

; Nothing is known of these modules without the profile.
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld" sh each -Wl,-mllvm,-thermocline-stats | %FileCheck %s --check-prefix=WITHOUT
; WITHOUT-NOT: cold ordinary
; WITHOUT: ordinary ordinary ordinary

; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld" sh each -Wl,--thinlto-memprof-annotate=prof,--thinlto-memprof-report=report.txt -Wl,-mllvm,-thermocline-stats >out && %FileCheck %s <out
; RUN: cd %t && LINK="%clang -fuse-ld=bfd -Wl,-plugin,%lto-plugin" sh each -Wl,-plugin-opt,--thinlto-memprof-annotate=prof -Wl,-plugin-opt,-thermocline-stats >out && %FileCheck %s <out
; RUN: cd %t && LINK="%clang -fuse-ld=mold -Wl,-plugin,%lto-plugin" sh each -Wl,-plugin-opt=--thinlto-memprof-annotate=prof -Wl,-plugin-opt=-thermocline-stats >out && %FileCheck %s <out
; CHECK: 1 clone of 1 function; cold->cold 2 contexts
; CHECK: 1 call made cold (1 malloc)
; CHECK: cold ordinary cold
; CHECK: 1 clone of 1 function; cold->cold 2 contexts
; CHECK: 1 call made cold (1 malloc)
; CHECK: cold ordinary cold

; The profile is that of reports, too, and what is linked again is linked the same.
; RUN: cd %t && %FileCheck %s --check-prefix=REPORT <report.txt
; REPORT: Contexts of prof:
; REPORT: cold, lost 0
; RUN: cd %t && %clang -Wno-override-module -flto=thin --ld-path=%ld.lld thin/main.o thin/make.a thin/other.o check.o %liballoc %libhints -lm -o again -Wl,--save-temps,--thinlto-memprof-annotate=prof && %thermo-lto run --resolution-file=again.resolution.txt -thinlto-memprof-annotate=prof -thermocline-stats -o lto 2>&1 | %FileCheck %s --check-prefix=AGAIN
; AGAIN: 1 call made cold (1 malloc)

; What is switched off reads no profile.
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld" sh each -Wl,--thinlto-memprof-annotate=none,--thinlto-memprof=off | %FileCheck %s --check-prefix=WITHOUT

; Without optimization in the link, which has no hints, that is said.
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld" sh each -Wl,--thinlto-memprof-annotate=prof,--lto-O0 2>&1 | %FileCheck %s --check-prefix=LEVEL
; LEVEL-COUNT-2: link-time optimization is at level 0, where the heap profile is not used: no allocation is hinted

; A module without debug information is named.
; RUN: cd %t && %opt -passes=strip -thinlto-bc -module-hash make.ll -o stripped.o && %clang -Wno-override-module -flto=thin --ld-path=%ld.lld thin/main.o stripped.o thin/other.o check.o %liballoc %libhints -lm -o program -Wl,--thinlto-memprof-annotate=prof 2>&1 | %FileCheck %s --check-prefix=STRIPPED
; STRIPPED: warning: thermocline: no function of make.ll has debug information, so the heap profile matches nothing

; RUN: cd %t && %not %clang -Wno-override-module -flto=thin --ld-path=%ld.lld thin/main.o thin/make.a thin/other.o check.o -Wl,--thinlto-memprof-annotate=none 2>&1 | %FileCheck %s --check-prefix=MISSING
; MISSING: error: thin/main.o: {{.*}}none
; RUN: cd %t && %not %clang -Wno-override-module -flto=thin --ld-path=%ld.lld thin/main.o thin/make.a thin/other.o check.o -Wl,--thinlto-memprof-annotate= 2>&1 | %FileCheck %s --check-prefix=EMPTY
; EMPTY: error: {{.*}}thinlto-memprof-annotate{{.*}}the name of the file is empty
; RUN: cd %t && %not %clang -Wno-override-module -flto=thin --ld-path=%ld.lld thin/main.o thin/make.a thin/other.o check.o -o program -Wl,--thinlto-index-only,--thinlto-memprof-annotate=prof 2>&1 | %FileCheck %s --check-prefix=ELSEWHERE
; ELSEWHERE: error: --thinlto-memprof-annotate: other processes, which compile by written indexes, read the modules as they are in their files

; A module in two parts stays as it is, which is said. (lld links it with others of its
; kind only.)
; RUN: cd %t && %clang -O1 -flto=thin -fsplit-lto-unit -fwhole-program-vtables -fvisibility=hidden -c parts.cpp && %not %clang -Wno-override-module -flto=thin --ld-path=%ld.lld thin/main.o thin/make.a thin/other.o check.o parts.o %liballoc %libhints -lm -o program -Wl,--thinlto-memprof-annotate=prof 2>&1 | %FileCheck %s --check-prefix=PARTS
; PARTS: warning: parts.o: is in several parts (-fsplit-lto-unit), so the heap profile is not attached to it in the link

; PROFILE: cold 1000: make+1:3 < main+1:3
; PROFILE: notcold 1000: make+1:3 < main+2:3
; PROFILE: cold 1000: make+1:3 < other+0:26 < main+3:3

;--- main.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare ptr @make()
declare void @check(ptr)
declare void @other()
define i32 @main() !dbg !5 {
  %a = call ptr @make(), !dbg !11
  call void @check(ptr %a), !dbg !14
  %b = call ptr @make(), !dbg !12
  call void @check(ptr %b), !dbg !14
  call void @other(), !dbg !13
  ret i32 0
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "main.rs", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "main", linkageName: "main", scope: !1, file: !1, line: 20, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 21, column: 3, scope: !5)
!12 = !DILocation(line: 22, column: 3, scope: !5)
!13 = !DILocation(line: 23, column: 3, scope: !5)
!14 = !DILocation(line: 24, column: 3, scope: !5)

;--- make.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare ptr @malloc(i64)
define ptr @make() noinline !dbg !5 {
  %p = call ptr @malloc(i64 64), !dbg !11
  ret ptr %p
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "make.rs", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "make", linkageName: "make", scope: !1, file: !1, line: 10, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 11, column: 3, scope: !5)

;--- other.c
void *make(void); void check(void *p);
void other(void) { check(make()); }

;--- parts.cpp
struct Part { virtual int number() { return 1; } };
int part(Part *P) { return P->number(); }
Part ThePart;

;--- check.c
#include <stdio.h>
__attribute__((weak)) int thermocline_alloc_is_cold(const void *p);
void check(void *p) { printf("%s ", thermocline_alloc_is_cold && thermocline_alloc_is_cold(p) ? "cold" : "ordinary"); }
