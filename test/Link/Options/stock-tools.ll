; Stock LLVM takes the same input, and a backend of stock clang applies the
; decisions of our written indexes.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %clangxx --ld-path=%stock-ld.lld -flto=thin main.o node.o -o stock && ./stock
; RUN: cd %t && %llvm-lto2 run main.o node.o -o stock-lto -supports-hot-cold-new \
; RUN:   -enable-memprof-context-disambiguation -r=main.o,main,plx -r=main.o,node,l \
; RUN:   -r=node.o,node,pl -r=node.o,_Znwm,
; RUN: %llvm-nm %t/stock-lto.2 | %FileCheck %s --check-prefix=VERSION
; VERSION: T node.memprof.1

; RUN: cd %t && %thermo-lto run main.o node.o -o lto -thinlto-distributed-indexes \
; RUN:   -r=main.o,main,plx -r=main.o,node,l -r=node.o,node,plx -r=node.o,_Znwm,
; RUN: %llvm-dis < %t/main.o.thinlto.bc | %FileCheck %s --check-prefix=MAIN
; RUN: %llvm-dis < %t/node.o.thinlto.bc | %FileCheck %s --check-prefix=NODE
; MAIN: callsites: ((callee: {{.*}}, clones: (0), stackIds: (10)), (callee: {{.*}}, clones: (1), stackIds: (11)))
; NODE: allocs: ((versions: (notcold, cold),

; RUN: cd %t && for m in main node; do %clang -O2 -c -x ir $m.o -o $m.native.o \
; RUN:   -fthinlto-index=$m.o.thinlto.bc -mllvm -enable-memprof-context-disambiguation \
; RUN:   -mllvm -optimize-hot-cold-new; done
; RUN: %llvm-nm %t/node.native.o | %FileCheck %s --check-prefix=NATIVE
; NATIVE-DAG: U _Znwm12__hot_cold_t
; NATIVE-DAG: T node.memprof.1
; RUN: cd %t && %clangxx main.native.o node.native.o %libhints -o distributed && ./distributed

; The linker writes the same indexes.
; RUN: cd %t && mkdir lld && %ld.lld --thinlto-index-only --thinlto-prefix-replace=';lld/' \
; RUN:   -e main main.o node.o -o unused --unresolved-symbols=ignore-all
; RUN: %llvm-dis < %t/lld/main.o.thinlto.bc | %FileCheck %s --check-prefix=MAIN
; RUN: %llvm-dis < %t/lld/node.o.thinlto.bc | %FileCheck %s --check-prefix=NODE
