; Members of archives: one of two with the same name is in the link, the other is
; not, and would not link. Reports and indexes are those of ld.lld, under which
; `thermo-lto audit` finds the member again.
;
; RUN: rm -rf %t && mkdir -p %t/one %t/two %t/lld
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/node.ll -o two/node.o
; RUN: cd %t && %opt -thinlto-bc %s -o one/node.o && %llvm-ar qc lib.a one/node.o two/node.o
; RUN: cd %t && %clangxx --config=%use-cfg main.o lib.a -o a -Wl,-plugin-opt=-thinlto-memprof-report=lld/report \
; RUN:   -Wl,--thinlto-emit-index-files && mv a *.thinlto.bc lld

; RUN: cd %t && %each-linker '%clangxx --config=%build/config/thermocline-use-$LINKER.cfg main.o lib.a -o a \
; RUN:     -Wl,-plugin-opt=-thinlto-memprof-report=report -Wl,-plugin-opt=thinlto-emit-index-files && ./a && cmp report lld/report && \
; RUN:   %thermo-lto audit *.thinlto.bc | %FileCheck %s && (ls *.thinlto.bc; cd lld; ls *.thinlto.bc) | sort | uniq -c | %FileCheck %s --check-prefix=SAME && rm *.thinlto.bc'
; CHECK: cold -> cold{{ +}}1
; CHECK: Clones: 1, of 1 of 2 functions
; SAME: 2 lib.a(node.o at
; SAME-NEXT: 2 main.o.thinlto.bc
; SAME-NOT: {{.}}

; Thin archives name files; GNU ld has no --start-lib.
; RUN: cd %t && %llvm-ar qc --thin thin.a one/node.o two/node.o
; RUN: cd %t && %each-linker '%clangxx --config=%build/config/thermocline-use-$LINKER.cfg main.o thin.a -o a \
; RUN:   -Wl,-plugin-opt=-thinlto-memprof-report=report && ./a && cmp report lld/report'
; RUN: cd %t && env LINKERS="gold mold" %each-linker '%clangxx --config=%build/config/thermocline-use-$LINKER.cfg main.o \
; RUN:   -Wl,--start-lib one/node.o two/node.o -Wl,--end-lib -o a -Wl,-plugin-opt=-thinlto-memprof-report=report && ./a && cmp report lld/report'
; With --whole-archive both are in it.
; RUN: cd %t && echo 'int no_such_function(void) { return 0; }' | %clang -x c -c - -o native.o
; RUN: cd %t && %each-linker '%clangxx --config=%build/config/thermocline-use-$LINKER.cfg main.o native.o -Wl,--whole-archive lib.a \
; RUN:   -Wl,--no-whole-archive -Wl,-plugin-opt=save-temps -o all && ./all && grep -c "^lib.a(node.o at [0-9]*)$" all.resolution.txt \
; RUN:   | %FileCheck %s --check-prefix=BOTH'
; BOTH: 2

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i32 @no_such_function()
define i32 @unused() {
  %r = call i32 @no_such_function()
  ret i32 %r
}
