; Operator new in all forms gets a hint argument, in calls and invokes alike; all
; that the call carried stays: attributes, metadata, debug location, bundles,
; calling convention, tail call kind, name.
;
; RUN: %opt -thinlto-bc %s -o %t.o
; RUN: %thermo-lto run %t.o -o %t.lto -O0 -select-save-temps=opt -r=%t.o,main,plx \
; RUN:   -r=%t.o,_Znwm, -r=%t.o,_ZnwmRKSt9nothrow_t, -r=%t.o,_ZnwmSt11align_val_t, \
; RUN:   -r=%t.o,_ZnwmSt11align_val_tRKSt9nothrow_t, -r=%t.o,_Znam, \
; RUN:   -r=%t.o,_ZnamRKSt9nothrow_t, -r=%t.o,_ZnamSt11align_val_t, \
; RUN:   -r=%t.o,_ZnamSt11align_val_tRKSt9nothrow_t, -r=%t.o,__size_returning_new, \
; RUN:   -r=%t.o,__gxx_personality_v0,
; RUN: %llvm-dis < %t.lto.1.4.opt.bc | %FileCheck %s 
; RUN: %thermo-lto run %t.o -o %t.two -O0 -select-save-temps=opt -thermocline-cold-hint=0 -r=%t.o,main,plx \
; RUN:   -r=%t.o,_Znwm, -r=%t.o,_ZnwmRKSt9nothrow_t, -r=%t.o,_ZnwmSt11align_val_t, \
; RUN:   -r=%t.o,_ZnwmSt11align_val_tRKSt9nothrow_t, -r=%t.o,_Znam, \
; RUN:   -r=%t.o,_ZnamRKSt9nothrow_t, -r=%t.o,_ZnamSt11align_val_t, \
; RUN:   -r=%t.o,_ZnamSt11align_val_tRKSt9nothrow_t, -r=%t.o,__size_returning_new, \
; RUN:   -r=%t.o,__gxx_personality_v0,
; RUN: %llvm-dis < %t.two.1.4.opt.bc | %FileCheck %s --check-prefix=ZERO

; CHECK: %a = tail call noalias nonnull dereferenceable(8) ptr @_Znwm12__hot_cold_t(i64 noundef 8, i8 noundef zeroext 1) #[[COLD:[0-9]+]], !keep
; ZERO: %a = tail call noalias nonnull dereferenceable(8) ptr @_Znwm12__hot_cold_t(i64 noundef 8, i8 noundef zeroext 0)
; CHECK: %b = call fastcc ptr @_ZnwmRKSt9nothrow_t12__hot_cold_t(i64 8, ptr null, i8 noundef zeroext 1)
; CHECK: %c = call ptr @_ZnwmSt11align_val_t12__hot_cold_t(i64 8, i64 64, i8 noundef zeroext 1) #[[COLD]] [ "deopt"(i32 3) ]
; CHECK: %d = call ptr @_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t(i64 8, i64 64, ptr null, i8 noundef zeroext 1)
; CHECK: %e = invoke ptr @_Znam12__hot_cold_t(i64 8, i8 noundef zeroext 1) #[[COLD]]
; CHECK-NEXT: to label %next unwind label %cleanup, !prof
; CHECK: %f = call ptr @_ZnamRKSt9nothrow_t12__hot_cold_t(i64 8, ptr null, i8 noundef zeroext 1)
; CHECK: %g = call ptr @_ZnamSt11align_val_t12__hot_cold_t(i64 8, i64 64, i8 noundef zeroext 1)
; CHECK: %h = call ptr @_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t(i64 8, i64 64, ptr null, i8 noundef zeroext 1)
; CHECK: %i = call %sized @__size_returning_new_hot_cold(i64 8, i8 noundef zeroext 1)
; Not marked cold: as it was.
; CHECK: %j = call ptr @_Znwm(i64 8) #[[HOT:[0-9]+]]
; CHECK: declare noundef nonnull ptr @_Znwm12__hot_cold_t(i64 noundef, i8 noundef zeroext) #[[NEW:[0-9]+]]
; CHECK-DAG: attributes #[[NEW]] = { nobuiltin allocsize(0) }
; CHECK-DAG: attributes #[[COLD]] = { builtin allocsize(0) "memprof"="cold" }

source_filename = "new.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
%sized = type { ptr, i64 }
declare noundef nonnull ptr @_Znwm(i64 noundef) nobuiltin allocsize(0)
declare ptr @_ZnwmRKSt9nothrow_t(i64, ptr)
declare ptr @_ZnwmSt11align_val_t(i64, i64)
declare ptr @_ZnwmSt11align_val_tRKSt9nothrow_t(i64, i64, ptr)
declare ptr @_Znam(i64)
declare ptr @_ZnamRKSt9nothrow_t(i64, ptr)
declare ptr @_ZnamSt11align_val_t(i64, i64)
declare ptr @_ZnamSt11align_val_tRKSt9nothrow_t(i64, i64, ptr)
declare %sized @__size_returning_new(i64)
declare i32 @__gxx_personality_v0(...)
define void @main() personality ptr @__gxx_personality_v0 {
  %a = tail call noalias nonnull dereferenceable(8) ptr @_Znwm(i64 noundef 8) #0, !keep !0
  %b = call fastcc ptr @_ZnwmRKSt9nothrow_t(i64 8, ptr null) #0
  %c = call ptr @_ZnwmSt11align_val_t(i64 8, i64 64) #0 [ "deopt"(i32 3) ]
  %d = call ptr @_ZnwmSt11align_val_tRKSt9nothrow_t(i64 8, i64 64, ptr null) #0
  %e = invoke ptr @_Znam(i64 8) #0 to label %next unwind label %cleanup, !prof !1
next:
  %f = call ptr @_ZnamRKSt9nothrow_t(i64 8, ptr null) #0
  %g = call ptr @_ZnamSt11align_val_t(i64 8, i64 64) #0
  %h = call ptr @_ZnamSt11align_val_tRKSt9nothrow_t(i64 8, i64 64, ptr null) #0
  %i = call %sized @__size_returning_new(i64 8) #0
  %j = call ptr @_Znwm(i64 8) "memprof"="hot"
  store volatile ptr %e, ptr %a
  ret void
cleanup:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}
attributes #0 = { builtin allocsize(0) "memprof"="cold" }
!0 = !{}
!1 = !{!"branch_weights", i32 99, i32 1}
