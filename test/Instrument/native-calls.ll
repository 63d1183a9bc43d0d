; The profiled program tells calls through pointers that lead to native code from
; others: what has no mark in front of its code in the same binary is called by a
; call of its own, at the same place, with a discriminator.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S %s -o - | %FileCheck %s
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument,verify -S -thermocline-generate-like-llvm %s -o - | %FileCheck %s --check-prefix=LIKE

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-DAG: @thermocline.unmarked = private constant i64 0
; CHECK-DAG: @__ehdr_start = extern_weak hidden global i8
; CHECK-DAG: @_etext = extern_weak hidden global i8
; LIKE-NOT: unmarked

declare i32 @named(i32)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define i32 @call(ptr %p)
; CHECK: %[[AT:.*]] = ptrtoint ptr %p to i64
; CHECK: sub i64 %[[AT]], ptrtoint (ptr @__ehdr_start to i64)
; CHECK: %[[HERE:.*]] = icmp ult i64
; CHECK: %[[BEFORE:.*]] = getelementptr i8, ptr %p, i64 -16
; CHECK: %[[READ:.*]] = select i1 %[[HERE]], ptr %[[BEFORE]], ptr @thermocline.unmarked
; CHECK: %[[MARK:.*]] = load i64, ptr %[[READ]], align 1
; CHECK: %[[NATIVE:.*]] = icmp ne i64 %[[MARK]], 7234307576386515568
; CHECK: br i1 %[[NATIVE]], label %[[YES:[^ ,]+]], label %[[NO:[^ ,]+]]
; CHECK: [[YES]]:
; CHECK-NEXT: %[[ONE:.*]] = call i32 %p(i32 8), !dbg ![[MARKED:[0-9]+]]
; CHECK: [[NO]]:
; CHECK-NEXT: %[[OTHER:.*]] = call i32 %p(i32 8), !dbg ![[PLAIN:[0-9]+]]
; CHECK: phi i32
define i32 @call(ptr %p) !dbg !4 {
  %r = call i32 %p(i32 8), !dbg !5
  ret i32 %r, !dbg !6
}

; CHECK-LABEL: define i32 @invoke(ptr %p)
; CHECK: invoke i32 %p(i32 8)
; CHECK-NEXT: to label %{{.*}} unwind label %pad, !dbg
; CHECK: invoke i32 %p(i32 8)
; CHECK-NEXT: to label %{{.*}} unwind label %pad, !dbg
define i32 @invoke(ptr %p) personality ptr @__gxx_personality_v0 !dbg !7 {
  %r = invoke i32 %p(i32 8) to label %done unwind label %pad, !dbg !8
done:
  ret i32 %r
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

; Calls by name, calls that leave no frame, and calls without a line stay as they are.
; CHECK-LABEL: define i32 @others(ptr %p)
; CHECK-NOT: icmp
; CHECK: ret i32
define i32 @others(ptr %p) !dbg !9 {
  call i32 @named(i32 8), !dbg !10
  call void %p(), !dbg !11
  %r = musttail call i32 %p(ptr %p), !dbg !10
  ret i32 %r
}

; CHECK-DAG: ![[PLAIN]] = !DILocation(line: 2, column: 3, scope: ![[SCOPE:[0-9]+]])
; CHECK-DAG: ![[MARKED]] = !DILocation(line: 2, column: 3, scope: ![[BLOCK:[0-9]+]])
; CHECK-DAG: ![[BLOCK]] = !DILexicalBlockFile(scope: ![[SCOPE]], {{.*}}discriminator: [[#DISCRIMINATOR:]])

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "call", file: !1, line: 1, type: !12, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 3, scope: !4)
!6 = !DILocation(line: 3, column: 3, scope: !4)
!7 = distinct !DISubprogram(name: "invoke", file: !1, line: 5, type: !12, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 6, column: 3, scope: !7)
!9 = distinct !DISubprogram(name: "others", file: !1, line: 9, type: !12, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 10, column: 3, scope: !9)
!11 = !DILocation(line: 0, scope: !9)
!12 = !DISubroutineType(types: !13)
!13 = !{}
