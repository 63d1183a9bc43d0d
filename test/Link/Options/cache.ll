; The ThinLTO cache must know the decisions: LLVM's key does not cover them, and
; stale code would call a version that is no longer made.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o first \
; RUN:   -Wl,--thinlto-cache-dir=cache -Wl,-mllvm,-thermocline-stats && ./first
; RUN: ls %t/cache | grep -c llvmcache- | %FileCheck %s --check-prefix=TWO
; TWO: {{^}}2{{$}}

; The same link again takes both modules from the cache.
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o again \
; RUN:   -Wl,--thinlto-cache-dir=cache -Wl,-mllvm,-thermocline-stats 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=HIT
; HIT: 1 clone of 1 function
; HIT: 0 modules compiled
; RUN: cmp %t/first %t/again

; Without the profile in node.o no version is made. main.o is as it was, yet must
; not come from the cache.
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Inputs/node-plain.ll -o node.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o plain \
; RUN:   -Wl,--thinlto-cache-dir=cache -Wl,-mllvm,-thermocline-stats 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=PLAIN
; PLAIN: 0 clones of 0 functions
; PLAIN: 2 modules compiled
; RUN: cd %t && ./plain
; RUN: %llvm-nm %t/plain | %FileCheck %s --check-prefix=NOVERSION
; NOVERSION-NOT: memprof

; Another hint value compiles all modules anew.
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o other \
; RUN:   -Wl,--thinlto-cache-dir=cache -Wl,-mllvm,-thermocline-stats \
; RUN:   -Wl,-mllvm,-thermocline-cold-hint=0 2>&1 | %FileCheck %s --check-prefix=OTHER
; OTHER: 2 modules compiled
