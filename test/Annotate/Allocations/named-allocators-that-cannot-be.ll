; What is wrong with a named allocation function or its twin is said, and its calls
; stay as they are. A front end names the twin by a function attribute.

; RUN: %opt -load-pass-plugin=%plugin -passes=thermocline-use -thermocline-alloc-function=local:local_cold,alias:alias_cold -disable-output %s 2>&1 | %FileCheck %s
; RUN: %not %opt -load-pass-plugin=%plugin -passes=thermocline-use -thermocline-alloc-function=pool -disable-output %s 2>&1 | %FileCheck %s --check-prefix=FORM
; RUN: %not %opt -load-pass-plugin=%plugin -passes=thermocline-use -thermocline-alloc-function=a:a -disable-output %s 2>&1 | %FileCheck %s --check-prefix=SELF
; RUN: %not %opt -load-pass-plugin=%plugin -passes=thermocline-use -thermocline-alloc-function=a:b,a:c -disable-output %s 2>&1 | %FileCheck %s --check-prefix=TWICE
; RUN: %not %opt -load-pass-plugin=%plugin -passes=thermocline-use -thermocline-alloc-function=a:b -thermocline-alloc-function=a:c -disable-output %s 2>&1 | %FileCheck %s --check-prefix=TWICE --implicit-check-not="Stack dump"
; CHECK-DAG: warning: thermocline: alias, a named allocation function, is no function in this module, but an alias or the like; its calls get no hint
; CHECK-DAG: warning: thermocline: other_alias, a named allocation function, is no function in this module
; CHECK-DAG: warning: thermocline: good, a named allocation function, is annotated with several cold variants; good_cold is taken
; CHECK-DAG: warning: thermocline: local, a named allocation function, is local to its module
; CHECK-DAG: warning: thermocline: typed, a named allocation function, has a cold variant, typed_cold, of another type; its calls get no hint
; CHECK-DAG: warning: thermocline: family, a named allocation function, has a cold variant, family_cold, of another alloc-family
; CHECK-DAG: warning: thermocline: hidden, a named allocation function, has a cold variant, hidden_cold, that is local to its module
; CHECK-DAG: warning: thermocline: data, a named allocation function, has a cold variant, data_cold, that is no function
; CHECK-DAG: warning: thermocline: chosen, a named allocation function, has a cold variant, chosen_cold, that is an ifunc; its calls get no hint
; CHECK-NOT: warning: thermocline: good, {{.*}}its calls get no hint
; FORM: 'pool' does not name an allocation function and its cold variant: NAME:VARIANT, such as pool_alloc:pool_alloc_cold
; SELF: 'a:a' names a function as its own cold variant
; TWICE: 'a:c' names another cold variant than before: b

@alias = alias ptr (i64), ptr @aliased
@other_alias = alias ptr (i64), ptr @aliased
define ptr @aliased(i64 %n) {
  ret ptr null
}
@first = private unnamed_addr constant [29 x i8] c"alloc-variant-cold=good_cold\00", section "llvm.metadata"
@second = private unnamed_addr constant [30 x i8] c"alloc-variant-cold=other_cold\00", section "llvm.metadata"
@llvm.global.annotations = appending global [3 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @good, ptr @first, ptr null, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @good, ptr @second, ptr null, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @other_alias, ptr @second, ptr null, i32 1, ptr null }], section "llvm.metadata"
@chosen_cold = ifunc ptr (i64), ptr @resolver
define ptr @resolver() {
  ret ptr @aliased
}
declare ptr @chosen(i64) "alloc-variant-cold"="chosen_cold"
@data_cold = external global i32
define internal ptr @local(i64 %n) {
  ret ptr null
}
declare ptr @good(i64) "alloc-variant-cold"="good_cold" "alloc-family"="good" allockind("alloc,uninitialized")
declare ptr @good_cold(i64) "alloc-family"="good"
declare ptr @typed(i64) "alloc-variant-cold"="typed_cold"
declare ptr @typed_cold(i32)
declare ptr @family(i64) "alloc-variant-cold"="family_cold" "alloc-family"="a"
declare ptr @family_cold(i64) "alloc-family"="b"
declare ptr @hidden(i64) "alloc-variant-cold"="hidden_cold"
define internal ptr @hidden_cold(i64 %n) {
  ret ptr null
}
declare ptr @data(i64) "alloc-variant-cold"="data_cold"
define void @f() {
  call ptr @local(i64 1)
  call ptr @good(i64 1)
  call ptr @typed(i64 1)
  call ptr @family(i64 1)
  call ptr @hidden(i64 1)
  call ptr @data(i64 1)
  call ptr @chosen(i64 1)
  ret void
}
