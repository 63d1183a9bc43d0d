; The program brings its own operator new in bitcode, in an object or an archive
; of objects. The hinted call falls back to it.
;
; RUN: %split-file %s %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %opt -thinlto-bc own.ll -o own.o && rm -f libown.a && %llvm-ar rcs libown.a own.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o own.o %libhints -o program && ./program
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o libown.a %libhints -o program && ./program
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin -static main.o node.o libown.a %libhints -o program && ./program
; RUN: %llvm-objdump -d --no-show-raw-insn --disassemble-symbols=_Znwm12__hot_cold_t %t/program | %FileCheck %s
; CHECK: <_Znwm>

;--- own.ll
source_filename = "own.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define ptr @_Znwm(i64 %n) {
  %p = call ptr @malloc(i64 %n)
  ret ptr %p
}
