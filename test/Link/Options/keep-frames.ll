; By --thinlto-memprof-keep-frames no call takes the place of its caller's, whoever compiled the
; module and whoever links it, so that live profiles of the program know who called. What must be a
; tail call stays one.
;
; RUN: rm -rf %t && mkdir %t && cd %t && for kind in thin full; do %opt $([ $kind = thin ] && echo -thinlto-bc -module-hash) %s -o $kind.o || exit 1; done
; RUN: echo 'for kind in thin full; do %clang -Wno-override-module "$@" $kind.o -o program && %llvm-objdump -d --no-show-raw-insn --disassemble-symbols=main,middle,must program || exit 1; done' >each
; RUN: cd %t && sh each -flto=thin --ld-path=%ld.lld | %FileCheck %s --check-prefix=WITHOUT
; WITHOUT: <middle>:
; WITHOUT-NEXT: jmp
; WITHOUT: <middle>:
; WITHOUT-NEXT: jmp
; RUN: cd %t && sh each -flto=thin --ld-path=%ld.lld -Wl,--thinlto-memprof-keep-frames | %FileCheck %s
; RUN: cd %t && sh each -fuse-ld=bfd -Wl,-plugin,%lto-plugin -Wl,-plugin-opt,--thinlto-memprof-keep-frames | %FileCheck %s
; RUN: cd %t && sh each -fuse-ld=mold -Wl,-plugin,%lto-plugin -Wl,-plugin-opt=--thinlto-memprof-keep-frames | %FileCheck %s
; CHECK: <middle>:
; CHECK: call{{.*}}<leaf
; CHECK: <must>:
; CHECK: jmp{{.*}}<leaf
; CHECK: <middle>:
; CHECK: call{{.*}}<leaf
; CHECK: <must>:
; CHECK: jmp{{.*}}<leaf

; A cache has both programs.
; RUN: cd %t && for frames in "" ,--thinlto-memprof-keep-frames ""; do sh each -flto=thin --ld-path=%ld.lld -Wl,--thinlto-cache-dir=cache$frames >last || exit 1; done; %FileCheck %s --check-prefix=WITHOUT <last

; Compilers in other processes would not see it.
; RUN: cd %t && %not %clang -Wno-override-module -flto=thin --ld-path=%ld.lld thin.o -o program -Wl,--thinlto-index-only,--thinlto-memprof-keep-frames 2>&1 | %FileCheck %s --check-prefix=ELSEWHERE
; ELSEWHERE: error: --thinlto-memprof-keep-frames: other processes, which compile by written indexes, read the modules as they are in their files; compile them with -fno-optimize-sibling-calls

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@where = global i32 0

define i32 @leaf(i32 %n) noinline {
  store volatile i32 %n, ptr @where
  ret i32 %n
}
define i32 @middle(i32 %n) noinline {
  %r = tail call i32 @leaf(i32 %n)
  ret i32 %r
}
define i32 @must(i32 %n) noinline {
  %r = musttail call i32 @leaf(i32 %n)
  ret i32 %r
}
define i32 @main(i32 %n) {
  %a = call i32 @middle(i32 %n)
  %b = call i32 @must(i32 %n)
  store volatile i32 %a, ptr @where
  ret i32 0
}
