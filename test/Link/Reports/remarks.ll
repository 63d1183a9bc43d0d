; The remarks are those of LLVM's pass, by pass name, remark names and arguments.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %thermo-lto run main.o node.o -o lto -pass-remarks=memprof-context-disambiguation \
; RUN:   -thinlto-threads=1 -r=main.o,main,plx -r=main.o,node,l -r=node.o,node,pl -r=node.o,_Znwm, \
; RUN:   2>&1 | %FileCheck %s
; CHECK-DAG: remark: {{.*}}call in clone main assigned to call function clone node.memprof.1
; CHECK-DAG: remark: {{.*}}created clone node.memprof.1
; CHECK-DAG: remark: {{.*}}call in clone node marked with memprof allocation attribute notcold
; CHECK-DAG: remark: {{.*}}call in clone node.memprof.1 marked with memprof allocation attribute cold

; CHECK-DAG: remark: {{.*}}call in clone node.memprof.1 calls _Znwm12__hot_cold_t

; Stock LLVM says the same, but for the last, which it has no remark of.
; RUN: cd %t && %thermo-lto run main.o node.o -o lto -pass-remarks=memprof-context-disambiguation \
; RUN:   -thinlto-threads=1 -r=main.o,main,plx -r=main.o,node,l -r=node.o,node,pl -r=node.o,_Znwm, \
; RUN:   2>&1 | sed 's/.*remark: //' | grep -v ' calls ' | sort > ours.txt
; RUN: cd %t && %llvm-lto2 run main.o node.o -o lto -pass-remarks=memprof-context-disambiguation \
; RUN:   -thinlto-threads=1 -r=main.o,main,plx -r=main.o,node,l -r=node.o,node,pl -r=node.o,_Znwm, \
; RUN:   -supports-hot-cold-new -enable-memprof-context-disambiguation 2>&1 | sed 's/.*remark: //' | sort > stock.txt
; RUN: diff %t/ours.txt %t/stock.txt
