; Without a profile in the input, the linked program is byte for byte that of
; stock lld: with imports, promoted locals and debug output of symbols.
;
; RUN: %split-file %s %t
; RUN: cd %t && for f in a b; do %opt -thinlto-bc -module-hash $f.ll -o $f.o; done
; RUN: cd %t && %ld.lld --lto-O2 -e main a.o b.o -o ours
; RUN: cd %t && %stock-ld.lld --lto-O2 -e main a.o b.o -o stock
; RUN: cd %t && cmp ours stock
; RUN: cd %t && %llvm-nm ours | %FileCheck %s
; CHECK: make.llvm.
; RUN: cd %t && %ld.lld --lto-O2 -e main a.o b.o -o ours -mllvm -thermocline-stats 2>&1 | %FileCheck %s --check-prefix=STATS
; STATS: no profiled contexts in the link
; STATS: 0 calls made cold

; Options and errors are lld's.
; RUN: %ld.lld --version | %FileCheck %s --check-prefix=VERSION
; VERSION: LLD 22.1
; RUN: %not %ld.lld --no-such-option 2>&1 | %FileCheck %s --check-prefix=OPTION
; OPTION: error: unknown argument '--no-such-option'
; RUN: %not %ld.lld %t/missing.o 2>&1 | %FileCheck %s --check-prefix=MISSING
; MISSING: error: cannot open {{.*}}missing.o

;--- a.ll
source_filename = "a.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @count(i64)
define i64 @main() {
  %h = call i64 @count(i64 4)
  ret i64 %h
}
;--- b.ll
source_filename = "b.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define internal i64 @make(i64 %n) noinline {
  %p = mul i64 %n, 3
  ret i64 %p
}
define i64 @count(i64 %n) {
  %p = call i64 @make(i64 %n)
  ret i64 %p
}
