; Link lines that people wrote for stock lld keep working. What steers LLVM's own
; algorithm has no effect here, which is said once.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/Inputs/node.ll -o node.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o program \
; RUN:   -Wl,-mllvm,-supports-hot-cold-new -Wl,-mllvm,-enable-memprof-context-disambiguation \
; RUN:   -Wl,-mllvm,-optimize-hot-cold-new -Wl,-mllvm,-memprof-report-hinted-sizes \
; RUN:   -Wl,-mllvm,-memprof-verify-ccg -Wl,-mllvm,-memprof-tail-call-search-depth=3 \
; RUN:   -Wl,-mllvm,-memprof-merge-clones=false -Wl,-mllvm,-memprof-allow-recursive-contexts \
; RUN:   -Wl,-mllvm,-memprof-cloning-cold-threshold=90 2>&1 | %FileCheck %s
; RUN: %t/program
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=VERSION
; CHECK-NOT: warning
; CHECK: warning: -memprof-allow-recursive-contexts has no effect
; CHECK-NEXT: warning: -memprof-merge-clones has no effect
; CHECK-NEXT: warning: -memprof-tail-call-search-depth has no effect
; CHECK-NEXT: warning: -memprof-verify-ccg has no effect
; CHECK-NOT: warning
; VERSION: t node.memprof.1

; Switched off, no version is made and nothing is hinted.
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o -o off \
; RUN:   -Wl,-mllvm,-supports-hot-cold-new=false
; RUN: %llvm-nm %t/off | %FileCheck %s --check-prefix=OFF
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o -o off \
; RUN:   -Wl,-mllvm,-enable-memprof-context-disambiguation=false
; RUN: %llvm-nm %t/off | %FileCheck %s --check-prefix=OFF
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o off \
; RUN:   -Wl,-mllvm,-thermocline-clone=false 2>&1 | %FileCheck %s --check-prefix=NOHINT
; RUN: %llvm-nm %t/off | %FileCheck %s --check-prefix=OFF
; OFF-NOT: memprof
; OFF-NOT: hot_cold
; NOHINT: thermocline: warning: the profile has 1 cold context, but no allocation is hinted cold

; Several options in one place, hints off or not, are one error each.
; RUN: %not %ld.lld -mllvm -thermocline-no-such %t/main.o 2>&1 | %FileCheck %s --check-prefix=BAD
; BAD: Unknown command line argument '-thermocline-no-such'
; RUN: %not %ld.lld -mllvm -thermocline-cold-hint=256 %t/main.o 2>&1 | %FileCheck %s --check-prefix=HINT
; HINT: '256' is not a hint: 0 to 255
