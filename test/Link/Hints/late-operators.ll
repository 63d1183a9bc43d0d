; The hinted operators are first needed after link-time optimization, by a program
; whose bitcode had its own copy of a helper that they use too and that was
; optimized away: stock lld and ours link it, and the object lands cold.
;
; RUN: rm -rf %t && mkdir %t
; RUN: %opt -thinlto-bc %s -o %t/main.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o -lstdc++ %liballoc -o program
; RUN: env THERMOCLINE_ALLOC_STATS=1 %t/program 2>&1 | %FileCheck %s
; RUN: cd %t && %clangxx --ld-path=%stock-ld.lld -flto=thin main.o -lstdc++ %liballoc -o program \
; RUN:   -Wl,-mllvm,-enable-memprof-context-disambiguation \
; RUN:   -Wl,-mllvm,-supports-hot-cold-new -Wl,-mllvm,-optimize-hot-cold-new
; RUN: env THERMOCLINE_ALLOC_STATS=1 %t/program 2>&1 | %FileCheck %s
; CHECK: kind=new calls=1 bytes=100 cold_calls=1 cold_bytes=100

; No member of the libraries that hinted programs take late has such a group.
; RUN: %llvm-readelf -g %liballoc %libhints | %FileCheck %s --check-prefix=GROUPS
; GROUPS: (operators.o)
; GROUPS-NOT: COMDAT group section

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
$__clang_call_terminate = comdat any
@sink = global ptr null
declare ptr @_Znwm(i64)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @_ZSt9terminatev()
define linkonce_odr hidden void @__clang_call_terminate(ptr %e) noreturn nounwind comdat {
  %c = call ptr @__cxa_begin_catch(ptr %e)
  call void @_ZSt9terminatev()
  unreachable
}
define internal void @throws_nothing() nounwind {
  ret void
}
define i32 @main() personality ptr @__gxx_personality_v0 {
  %p = call ptr @_Znwm(i64 100) builtin "memprof"="cold"
  store volatile ptr %p, ptr @sink
  invoke void @throws_nothing() to label %ok unwind label %bad
ok:
  ret i32 0
bad:
  %l = landingpad { ptr, i32 } catch ptr null
  %e = extractvalue { ptr, i32 } %l, 0
  call void @__clang_call_terminate(ptr %e)
  unreachable
}
