; Bitcode that was changed after its summary was made is an error that names
; module, function and call; nothing wrong is linked.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %opt -module-summary %S/../Inputs/main.ll -o main.bc && %llvm-dis main.bc -o good.ll
; RUN: cd %t && %llvm-as good.ll -o main.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o program
; RUN: cd %t && ./program && rm program

; Another stack id.
; RUN: cd %t && sed 's/^!1 = !{i64 11}/!1 = !{i64 99}/' good.ll > bad.ll && %llvm-as bad.ll -o main.o
; RUN: cd %t && %not %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o program 2>&1 | %FileCheck %s --check-prefix=STACK
; STACK: ld.lld: error: main.o: main: call 2 (of node) has other stack ids than its callsite record. Was the bitcode changed after its summary was made?
; RUN: %not ls %t/program

; A call more, a call less.
; RUN: cd %t && sed 's/^  store volatile i32 1, ptr %%hot.*/  %%x = call ptr @node(i64 8), !callsite !0/' good.ll > bad.ll && %llvm-as bad.ll -o main.o
; RUN: cd %t && %not %thermo-lto run main.o node.o -o lto -r=main.o,main,plx -r=main.o,node,l \
; RUN:   -r=node.o,node,pl -r=node.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=MORE
; MORE: thermo-lto: error: main.o: main: call 3 (of node) has no callsite record
; RUN: cd %t && sed 's/, !callsite !1//' good.ll > bad.ll && %llvm-as bad.ll -o main.o
; RUN: cd %t && %not %thermo-lto run main.o node.o -o lto -r=main.o,main,plx -r=main.o,node,l \
; RUN:   -r=node.o,node,pl -r=node.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=LESS
; LESS: thermo-lto: error: main.o: main: the summary has 2 callsite records, the function 1

; Other contexts at the allocation.
; RUN: cd %t && %opt -module-summary %S/../Inputs/node.ll -o node.bc && %llvm-dis node.bc -o - \
; RUN:   | sed 's/i64 1, i64 11/i64 1, i64 12/' > bad.ll && %llvm-as bad.ll -o node.o
; RUN: cd %t && %llvm-as good.ll -o main.o
; RUN: cd %t && %not %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o program 2>&1 | %FileCheck %s --check-prefix=CONTEXT
; CONTEXT: ld.lld: error: node.o: node: call 1 (of _Znwm) has other contexts than its allocation record
