; The options of LLVM's own hint lowering do what they do in stock LLVM: the code
; is the same, here of calls that were marked when they were compiled.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %s -o m.o
; RUN: echo "m.o -r=m.o,cold,plx -r=m.o,notcold,plx -r=m.o,hot,plx -r=m.o,ambiguous,plx" > %t/m.rsp
; RUN: echo "-r=m.o,existing,plx -r=m.o,nobuiltin,plx -r=m.o,_Znwm, -r=m.o,_Znwm12__hot_cold_t," >> %t/m.rsp
; RUN: echo "-filetype=asm -supports-hot-cold-new -o lto" >> %t/m.rsp

; Nothing asked for: the cold call alone takes LLVM's number.
; RUN: cd %t && %thermo-lto run @m.rsp && %FileCheck %s --check-prefixes=COLD,PLAIN < lto.1
; COLD-LABEL: cold:
; COLD: movl $1, %esi
; COLD: jmp _Znwm12__hot_cold_t
; FIVE-LABEL: cold:
; FIVE: movl $5, %esi
; PLAIN-LABEL: notcold:
; PLAIN: jmp _Znwm@PLT
; PLAIN-LABEL: existing:
; PLAIN: movl $7, %esi
; PLAIN-LABEL: nobuiltin:
; PLAIN: jmp _Znwm@PLT

; A number for cold calls.
; RUN: cd %t && %thermo-lto run @m.rsp -cold-new-hint-value=5 && %FileCheck %s --check-prefixes=FIVE,PLAIN < lto.1
; RUN: cd %t && %thermo-lto run @m.rsp -cold-new-hint-value=5 -thermocline-cold-hint=6 && %FileCheck %s --check-prefix=SIX < lto.1
; SIX-LABEL: cold:
; SIX: movl $6, %esi

; RUN: cd %t && echo "-optimize-hot-cold-new" > 1.rsp
; RUN: cd %t && echo "-optimize-hot-cold-new -cold-new-hint-value=5 -notcold-new-hint-value=100" > 2.rsp
; RUN: cd %t && echo "-optimize-hot-cold-new -hot-new-hint-value=200 -ambiguous-new-hint-value=201" > 3.rsp
; RUN: cd %t && echo "-optimize-hot-cold-new -optimize-existing-hot-cold-new -cold-new-hint-value=9" > 4.rsp
; RUN: cd %t && echo "-optimize-hot-cold-new -optimize-nobuiltin-hot-cold-new-new" > 5.rsp
; RUN: cd %t && for i in 1 2 3 4 5; do %thermo-lto run @m.rsp @$i.rsp && mv lto.1 ours.$i && \
; RUN:   %llvm-lto2 run @m.rsp @$i.rsp && mv lto.1 stock.$i && diff ours.$i stock.$i || exit 1; done
; RUN: %FileCheck %s --check-prefix=TWO < %t/ours.2
; TWO-LABEL: cold:
; TWO: movl $5, %esi
; TWO-LABEL: notcold:
; TWO: movl $100, %esi
; RUN: %FileCheck %s --check-prefix=THREE < %t/ours.3
; THREE-LABEL: hot:
; THREE: movl $200, %esi
; THREE-LABEL: ambiguous:
; THREE: movl $201, %esi
; RUN: %FileCheck %s --check-prefix=FOUR < %t/ours.4
; FOUR-LABEL: existing:
; FOUR: movl $9, %esi
; RUN: %FileCheck %s --check-prefix=FIFTH < %t/ours.5
; FIFTH-LABEL: nobuiltin:
; FIFTH: movl $128, %esi
; FIFTH: jmp _Znwm12__hot_cold_t

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare ptr @_Znwm(i64) nobuiltin allocsize(0)
declare ptr @_Znwm12__hot_cold_t(i64, i8 zeroext)
define ptr @cold(i64 %n) {
  %p = call ptr @_Znwm(i64 %n) #0
  ret ptr %p
}
define ptr @notcold(i64 %n) {
  %p = call ptr @_Znwm(i64 %n) #1
  ret ptr %p
}
define ptr @hot(i64 %n) {
  %p = call ptr @_Znwm(i64 %n) #2
  ret ptr %p
}
define ptr @ambiguous(i64 %n) {
  %p = call ptr @_Znwm(i64 %n) #3
  ret ptr %p
}
define ptr @existing(i64 %n) {
  %p = call ptr @_Znwm12__hot_cold_t(i64 %n, i8 zeroext 7) #0
  ret ptr %p
}
define ptr @nobuiltin(i64 %n) {
  %p = call ptr @_Znwm(i64 %n) #4
  ret ptr %p
}
attributes #0 = { builtin allocsize(0) "memprof"="cold" }
attributes #1 = { builtin allocsize(0) "memprof"="notcold" }
attributes #2 = { builtin allocsize(0) "memprof"="hot" }
attributes #3 = { builtin allocsize(0) "memprof"="ambiguous" }
attributes #4 = { "memprof"="notcold" }
