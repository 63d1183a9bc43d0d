; The constructor that starts the runtime and the variables it reads; the file
; and the runtime's options by option. A module that was instrumented before, by
; clang or by us, is left as it is.
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument -S %t.ll -o %t.again.ll
; RUN: diff -I "^; ModuleID" -I "; preds = " %t.ll %t.again.ll
; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-instrument -S -thermocline-generate-file=out/name -thermocline-generate-runtime-options=dump_at_exit=0 %s -o - | %FileCheck %s --check-prefix=OPTIONS
target triple = "x86_64-unknown-linux-gnu"

; CHECK-DAG: @llvm.global_ctors = appending global {{.*}} { i32 1, ptr @memprof.module_ctor, ptr null }
; CHECK-DAG: @__memprof_profile_filename = constant [16 x i8] c"memprof.profraw\00", comdat
; CHECK-DAG: @__memprof_default_options_str = constant [1 x i8] zeroinitializer, comdat
; CHECK-DAG: @__memprof_histogram = constant i1 false, comdat
; CHECK: define internal void @memprof.module_ctor()
; CHECK-NEXT: call void @__memprof_init()
; CHECK-NEXT: call void @__memprof_version_mismatch_check_v1()
; CHECK-NEXT: %[[ASKED:[0-9]+]] = icmp ne ptr @__memprof_counters_of_bytes, null
; CHECK-NEXT: br i1 %[[ASKED]], label %[[TELL:[0-9]+]], label %[[END:[0-9]+]]
; CHECK: [[TELL]]:
; CHECK-NEXT: call void @__memprof_counters_of_bytes(i32 8)
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: ret void
; CHECK: declare extern_weak void @__memprof_counters_of_bytes(i32)

; OPTIONS-DAG: @__memprof_profile_filename = constant [9 x i8] c"out/name\00", comdat
; OPTIONS-DAG: @__memprof_default_options_str = constant [15 x i8] c"dump_at_exit=0\00", comdat

define void @f(ptr %p) {
  store i32 0, ptr %p
  ret void
}
