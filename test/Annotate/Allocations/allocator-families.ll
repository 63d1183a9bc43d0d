; Which functions allocate is told by attributes, in any language: a function with
; allockind is an allocation like malloc. Cold memory is asked for by its family; of a
; family that nobody knows it is not asked for, and that is said.
;
; RUN: %python %S/../Inputs/profile.py %llvm-profdata %s %t.prof
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-use -thermocline-profile=%t.prof -thermocline-use-stats -S %s -o %t.ll 2>%t.err
; RUN: %FileCheck %s <%t.ll
; RUN: %FileCheck %s --check-prefix=SAYS <%t.err
; Whoever names a variant knows more of the function.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-use -thermocline-profile=%t.prof -thermocline-alloc-function=__rust_alloc:mine_cold,pool_take:pool_cold -S %s 2>&1 | %FileCheck %s --check-prefix=NAMED
;
; PROFILE: cold 1000: f+1:10 < main+1:1
; PROFILE: cold 1001: f+2:10 < main+1:1
; PROFILE: cold 1002: f+3:10 < main+1:1
; PROFILE: cold 1003: f+4:10 < main+1:1
; PROFILE: cold 1004: f+5:10 < main+1:1
; PROFILE: cold 1005: inside+1:1 < f+8:10 < main+1:1

; CHECK: @llvm.compiler.used = appending global
; CHECK-SAME: ptr @__rust_alloc_cold
; CHECK-SAME: ptr @__rust_alloc_zeroed_cold
; CHECK-SAME: ptr @__rust_realloc_cold

; CHECK-LABEL: define ptr @f(
; CHECK: call ptr @__rust_alloc(i64 8, i64 8) [[ALLOC:#[0-9]+]], !dbg {{.*}}, !memprof ![[#]]
; CHECK: call ptr @_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed(i64 8, i64 8) [[ZEROED:#[0-9]+]], !dbg {{.*}}, !memprof ![[#]]
; CHECK: call ptr @__rust_realloc(ptr %a, i64 8, i64 8, i64 16) [[REALLOC:#[0-9]+]], !dbg {{.*}}, !memprof ![[#]]
; CHECK: call ptr @pool_take(i64 8), !dbg ![[#]], !callsite ![[#]]{{$}}
; CHECK: call ptr @lone(i64 8), !dbg ![[#]], !callsite ![[#]]{{$}}
; Nothing is profiled here, and nothing is left of the mark.
; CHECK: call ptr @__rust_alloc(i64 9, i64 8), !dbg ![[#]]{{$}}
; CHECK: call void @__rust_dealloc(ptr %a), !dbg ![[#]]{{$}}
; What the profile knows as a call on the way to an allocation stays one.
; CHECK: call ptr @pool_take(i64 10), !dbg ![[#]], !callsite ![[#]]{{$}}

; CHECK-DAG: declare noalias ptr @__rust_alloc_cold(i64, i64 allocalign) [[OFCOLD:#[0-9]+]]
; CHECK-DAG: attributes [[ALLOC]] = { "alloc-variant-cold"="__rust_alloc_cold" }
; CHECK-DAG: attributes [[ZEROED]] = { "alloc-variant-cold"="__rust_alloc_zeroed_cold" }
; CHECK-DAG: attributes [[REALLOC]] = { "alloc-variant-cold"="__rust_realloc_cold" }
; CHECK-DAG: attributes [[OFCOLD]] = { allockind("alloc,uninitialized,aligned") allocsize(0) "alloc-family"="__rust_alloc" }

; SAYS-DAG: warning: thermocline: {{.*}}.prof: pool_take allocated what was profiled, and of its alloc-family (pool) no function is known that gives cold memory, so its calls in {{.*}}allocator-families.ll get no hint; name one with -thermocline-alloc-function=pool_take:VARIANT
; SAYS-DAG: warning: thermocline: {{.*}}.prof: lone allocated what was profiled, and of its alloc-family (none) no function
; SAYS-DAG: allocation calls 7
; SAYS-DAG: of a family without a cold variant 3
; SAYS-DAG: allocation not hintable 2
; SAYS-NOT: quiet allocated

; NAMED-DAG: "alloc-variant-cold"="mine_cold"
; NAMED-DAG: "alloc-variant-cold"="pool_cold"
; NAMED-DAG: "alloc-variant-cold"="__rust_realloc_cold"
; NAMED-NOT: pool_take allocated what was profiled

declare noalias ptr @__rust_alloc(i64, i64 allocalign) allockind("alloc,uninitialized,aligned") allocsize(0) "alloc-family"="__rust_alloc"
declare noalias ptr @_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed(i64, i64 allocalign) allockind("alloc,zeroed,aligned") allocsize(0) "alloc-family"="__rust_alloc"
declare noalias ptr @__rust_realloc(ptr allocptr, i64, i64 allocalign, i64) allockind("realloc,aligned") allocsize(3) "alloc-family"="__rust_alloc"
declare void @__rust_dealloc(ptr allocptr) allockind("free") "alloc-family"="__rust_alloc"
declare noalias ptr @pool_take(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="pool"
declare noalias ptr @lone(i64) allockind("alloc,uninitialized")
declare noalias ptr @quiet(i64) allockind("alloc,uninitialized") "alloc-family"="quiet"

define ptr @f() !dbg !5 {
  %a = call ptr @__rust_alloc(i64 8, i64 8), !dbg !11
  %b = call ptr @_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed(i64 8, i64 8), !dbg !12
  %c = call ptr @__rust_realloc(ptr %a, i64 8, i64 8, i64 16), !dbg !13
  %d = call ptr @pool_take(i64 8), !dbg !14
  %e = call ptr @lone(i64 8), !dbg !15
  %g = call ptr @__rust_alloc(i64 9, i64 8), !dbg !16
  call void @__rust_dealloc(ptr %a), !dbg !17
  %h = call ptr @pool_take(i64 10), !dbg !18
  ret ptr %b
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.rs", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "f", linkageName: "f", scope: !1, file: !1, line: 100, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 101, column: 10, scope: !5)
!12 = !DILocation(line: 102, column: 10, scope: !5)
!13 = !DILocation(line: 103, column: 10, scope: !5)
!14 = !DILocation(line: 104, column: 10, scope: !5)
!15 = !DILocation(line: 105, column: 10, scope: !5)
!16 = !DILocation(line: 106, column: 10, scope: !5)
!17 = !DILocation(line: 107, column: 10, scope: !5)
!18 = !DILocation(line: 108, column: 10, scope: !5)
