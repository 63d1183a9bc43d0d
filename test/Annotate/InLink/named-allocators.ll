; Allocation functions of the program's own, in modules that no plugin of ours has compiled: the
; warning of one that has no cold variant names an option, which the link takes.
;
; RUN: rm -rf %t && mkdir %t && cd %t && %python %S/../Inputs/profile.py %llvm-profdata %s prof
; RUN: cd %t && %opt -thinlto-bc -module-hash %s -o main.o && echo '#include <stdlib.h>' >pool.c && echo '#include <stdio.h>' >>pool.c && for name in take again; do for kind in "" _cold; do echo "void *pool_$name$kind(void *p, size_t n) { puts(\"$name$kind\"); return malloc(n); }" >>pool.c; done; done && %clang -O1 -c pool.c
; RUN: echo '%clang -Wno-override-module main.o pool.o -o program "$@" && ./program' >link
; RUN: cd %t && sh link -flto=thin --ld-path=%ld.lld -Wl,--thinlto-memprof-annotate=prof 2>&1 | %FileCheck %s --check-prefix=WITHOUT
; WITHOUT-DAG: warning: thermocline: prof: pool_take allocated what was profiled, {{.*}} name one with -thermocline-alloc-function=pool_take:VARIANT
; WITHOUT-DAG: warning: thermocline: prof: pool_again allocated what was profiled, {{.*}} name one with -thermocline-alloc-function=pool_again:VARIANT
; WITHOUT-DAG: {{^}}take{{$}}
; WITHOUT-DAG: {{^}}again{{$}}
; RUN: cd %t && sh link -flto=thin --ld-path=%ld.lld -Wl,--thinlto-memprof-annotate=prof -Wl,-mllvm,-thermocline-alloc-function=pool_take:pool_take_cold -Wl,-mllvm,-thermocline-alloc-function=pool_again:pool_again_cold 2>&1 | %FileCheck %s
; RUN: cd %t && sh link -fuse-ld=bfd -Wl,-plugin,%lto-plugin -Wl,-plugin-opt,--thinlto-memprof-annotate=prof -Wl,-plugin-opt,-thermocline-alloc-function=pool_take:pool_take_cold -Wl,-plugin-opt,-thermocline-alloc-function=pool_again:pool_again_cold -Wl,-plugin-opt,--thinlto-memprof-summary >said 2>&1 && %FileCheck %s <said && %FileCheck %s --check-prefix=SUMMARY <said
; CHECK-NOT: warning: thermocline: prof: pool
; CHECK: take_cold
; CHECK-NEXT: again_cold
; SUMMARY: {{^}}ThermoclineLTO: thermocline: 2.0 KiB of the profile's cold 2.0 KiB (100.0 %) is hinted
; RUN: cd %t && %not %clang -Wno-override-module main.o pool.o -o program -flto=thin --ld-path=%ld.lld -Wl,-mllvm,-thermocline-alloc-function=pool_take 2>&1 | %FileCheck %s --check-prefix=BAD
; BAD: option: 'pool_take' does not name an allocation function and its cold variant: NAME:VARIANT

; PROFILE: cold 1000: main+1:3
; PROFILE: cold 1000: main+2:3

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare noalias ptr @pool_take(ptr, i64) allockind("alloc,uninitialized") allocsize(1) "alloc-family"="pool"
declare noalias ptr @pool_again(ptr allocptr, i64) allockind("realloc") allocsize(1) "alloc-family"="pool"
define i32 @main() !dbg !5 {
  %a = call ptr @pool_take(ptr null, i64 8), !dbg !11
  %b = call ptr @pool_again(ptr %a, i64 16), !dbg !12
  store volatile ptr %b, ptr @where
  ret i32 0
}
@where = global ptr null
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_D, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "main.d", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "main", linkageName: "main", scope: !1, file: !1, line: 20, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 21, column: 3, scope: !5)
!12 = !DILocation(line: 22, column: 3, scope: !5)
