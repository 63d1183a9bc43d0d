; Without any library that takes hints the link fails and names what is missing;
; with the fallback it runs, in a static link too, also at -O0.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %not %clangxx --ld-path=%ld.lld -flto=thin main.o node.o -o program 2>&1 | %FileCheck %s
; CHECK: undefined symbol: operator new(unsigned long, __hot_cold_t)
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin -static main.o node.o %libhints -o program
; RUN: %t/program
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin -Wl,--lto-O0,--thinlto-memprof=on main.o node.o %libhints -o program
; RUN: %t/program
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=SYMBOLS
; SYMBOLS-DAG: node.memprof.1
; SYMBOLS-DAG: _Znwm12__hot_cold_t
; The config file links the fallback by itself.
; RUN: cd %t && %clangxx --config=%use-cfg main.o node.o -o program
; RUN: %t/program
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=SYMBOLS
