; Regular LTO has no index. Contexts are not told apart there, which is said once;
; allocations that are cold whatever their context are lowered.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %llvm-as %S/Inputs/main.ll -o main.o && %llvm-as %S/Inputs/node.ll -o node.o
; RUN: cd %t && sed 's/builtin allocsize(0), !memprof !1, !callsite !6/builtin "memprof"="cold"/' \
; RUN:   %S/Inputs/node.ll > cold.ll && %llvm-as cold.ll -o cold.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto main.o node.o -o program 2>&1 | %FileCheck %s
; CHECK: thermocline: warning: {{.*}}regular LTO does not tell allocation contexts apart
; CHECK-NOT: warning
; RUN: %t/program
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=PLAIN
; PLAIN-NOT: memprof
; PLAIN-NOT: hot_cold
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto main.o cold.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; STATS: 1 calls made cold (1 operator new(unsigned long))
; RUN: %t/program
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=COLD
; COLD: _Znwm12__hot_cold_t
