; The thin link by the plugin, backends by thermo-backend, the last link native: the
; program of the link in one process.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/node.ll -o node.o
; RUN: cd %t && %each-linker 'rm -f *.thinlto.bc && \
; RUN:   %clangxx -fuse-ld=$LINKER -Wl,-plugin,%lto-plugin -Wl,-plugin-opt=thinlto-index-only main.o node.o -o program && \
; RUN:   for m in main node; do %thermo-backend -c -O2 $m.o -fthinlto-index=$m.o.thinlto.bc -o $m.native.o || exit 1; done && \
; RUN:   %clangxx -fuse-ld=$LINKER main.native.o node.native.o %libhints -o program && ./program && \
; RUN:   %llvm-nm program | %FileCheck %s'
; CHECK-DAG: node.memprof.1
; CHECK-DAG: _Znwm12__hot_cold_t
