; --lto-newpm-passes takes the place of all passes, those that make hints included. So
; nothing is decided, no report promises anything, and a warning says it, but only
; where there was something to hint. Compiles elsewhere are not concerned.
;
; RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/main.ll %S/../Inputs/node.ll %t
; RUN: cd %t && for f in main node; do %opt -thinlto-bc $f.ll -o $f.o && sed 's/, !memprof ![0-9]*//; s/, !callsite ![0-9]*//' $f.ll | %opt -thinlto-bc -o $f.plain.o || exit 1; done
; RUN: echo '%clangxx --ld-path=%ld.lld -flto=thin %libhints -o program -Wl,--thinlto-memprof-report=report.txt' > %t/link
; RUN: cd %t && $(cat link) main.o node.o '-Wl,--lto-newpm-passes=default<O2>' 2>&1 | %FileCheck %s --implicit-check-not=warning:
; CHECK: ld.lld: warning: --lto-newpm-passes takes the place of all passes, those that make hints included: no allocation is hinted
; RUN: cd %t && %not grep -q 'cold -> cold  *[1-9]' report.txt && %llvm-nm program | %not grep -q _Znwm12__hot_cold_t
; RUN: cd %t && $(cat link) main.plain.o node.plain.o '-Wl,--lto-newpm-passes=default<O2>' 2>&1 | wc -l | grep -x 0
; RUN: cd %t && $(cat link) main.o node.o -Wl,--thinlto-memprof=off '-Wl,--lto-newpm-passes=default<O2>' 2>&1 | wc -l | grep -x 0
; RUN: cd %t && $(cat link) main.o node.o -Wl,--lto-newpm-passes= 2>&1 | %not grep passes
; RUN: cd %t && %llvm-nm program | grep -q _Znwm12__hot_cold_t
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin %libhints main.o node.o -Wl,--thinlto-index-only,--thinlto-memprof-backend=thermocline '-Wl,--lto-newpm-passes=default<O2>' -o program 2>&1 | wc -l | grep -x 0
; RUN: cd %t && %thermo-backend -w -c -O2 node.o -fthinlto-index=node.o.thinlto.bc -o native.o && %llvm-nm native.o | grep -q hot_cold
