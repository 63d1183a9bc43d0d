; Allocation functions that the program names: the cold variant is called wherever in the
; link it is, whoever links. A twin that is nowhere is never called, and said so.
;
; RUN: rm -rf %t && %split-file %s %t && cd %t && mkdir lib
; RUN: cd %t && %opt -thinlto-bc -module-hash main.ll -o main.o && %opt main.ll -o full.o
; RUN: cd %t && %clang -O2 -fPIC -c plain.c twin.c && %clang -shared twin.o -o lib/libtwin.so && %llvm-ar rcs native.a twin.o
; RUN: cd %t && %clang -O2 -flto=thin -c twin.c -o thin-twin.o && %llvm-ar rcs bitcode.a thin-twin.o && %clang -O2 -flto=full -c twin.c -o full-twin.o
; RUN: cd %t && (echo 'for twin in twin.o native.a thin-twin.o bitcode.a full-twin.o "-Llib -ltwin"; do' && \
; RUN:   echo '  for main in main.o full.o; do $LINK $main plain.o $twin -o program && ./program | grep -x "cold 8" || exit 1; done; done') > each-twin
; RUN: cd %t && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %libhints -Wl,-rpath,%t/lib" sh each-twin
; Linker scripts name some of them.
; RUN: cd %t && echo 'GROUP ( AS_NEEDED ( %t/lib/libtwin.so ) )' > lib/libnamed.so && echo '/* Other ( */ INPUT ( "native.a" -lother )' > twin.lds
; RUN: cd %t && echo 'INCLUDE twin.lds' > more.lds && echo 'INPUT(-lnamed)' > lib/libscript.so
; RUN: cd %t && %clang -shared -x c /dev/null -o lib/libother.so
; RUN: cd %t && sed 's/for twin in .*; do/for twin in "-Llib -lnamed" "-Llib -lscript" "-Llib twin.lds" "-Llib more.lds" "-Llib -Wl,-T,twin.lds"; do/' each-twin > each-script
; RUN: cd %t && grep -c lnamed each-script && LINK="%clang -Wno-override-module -flto=thin --ld-path=%ld.lld %libhints -Wl,-rpath,%t/lib" sh each-script
; RUN: cd %t && LINK="%clang -fuse-ld=bfd -Wl,-plugin,%lto-plugin -Wl,-rpath,%t/lib" sh each-twin
; RUN: cd %t && LINK="%clang -fuse-ld=gold -Wl,-plugin,%lto-plugin -Wl,-rpath,%t/lib" sh each-twin
; RUN: cd %t && LINK="%clang -fuse-ld=mold -Wl,-plugin,%lto-plugin -Wl,-rpath,%t/lib" sh each-twin

; Nowhere.
; RUN: cd %t && (echo 'for main in main.o full.o; do $LINK $main plain.o -o program >err 2>&1 || exit 1' && \
; RUN:   echo 'grep "pool_alloc_cold, the cold variant of an allocation function, is not defined in the link" err && ./program | grep -x "plain 8" || exit 1; done') > no-twin
; RUN: cd %t && LINK="%clang -flto=thin --ld-path=%ld.lld %libhints" sh no-twin
; RUN: cd %t && LINK="%clang -fuse-ld=bfd -Wl,-plugin,%lto-plugin" sh no-twin
; RUN: cd %t && LINK="%clang -fuse-ld=gold -Wl,-plugin,%lto-plugin" sh no-twin
; RUN: cd %t && LINK="%clang -fuse-ld=mold -Wl,-plugin,%lto-plugin" sh no-twin
; An output of the last link is no input of this one.
; RUN: cd %t && %clang -flto=thin --ld-path=%ld.lld main.o plain.o twin.o -o program -Wl,--export-dynamic
; RUN: cd %t && %clang -flto=thin --ld-path=%ld.lld main.o plain.o -o program -Rpass-missed=memprof -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=NOTWIN
; NOTWIN: call in clone {{.*}}, marked cold, keeps its function: the cold variant is not defined in the link
; NOTWIN: 0 calls made cold; 1 not, the cold variant is not defined in the link
; Nor is the file that it is called as, or one that has it in an old version only.
; RUN: cd %t && for twin in twin.o ""; do %clang -shared -flto=thin --ld-path=%ld.lld main.o plain.o $twin -Wl,-soname,libitself.so -o libitself.so || exit 1; done && %llvm-nm -D libitself.so | %not grep cold
; RUN: cd %t && echo 'VERSION_1 { };' > map && %clang -shared -fPIC old.c -Wl,--version-script=map -o libold.so && %llvm-nm -D libold.so | grep 'pool_alloc_cold@VERSION_1'
; RUN: cd %t && LINK="%clang -flto=thin --ld-path=%ld.lld %libhints libold.so -Wl,-rpath,%t" sh no-twin
; Nor does a shared library refer to it that somebody might define.
; RUN: cd %t && %clang -shared -flto=thin --ld-path=%ld.lld main.o plain.o -o libmain.so && %llvm-nm -D libmain.so | %not grep cold

; Whether there is a twin is part of what the cache knows a module by.
; RUN: cd %t && %clang -flto=thin --ld-path=%ld.lld main.o plain.o twin.o -Wl,--thinlto-cache-dir=cache -Wl,-mllvm,-thermocline-stats -o program && ./program | grep -x "cold 8"
; RUN: cd %t && %clang -flto=thin --ld-path=%ld.lld main.o plain.o -Wl,--thinlto-cache-dir=cache -Wl,-mllvm,-thermocline-stats -o program && ./program | grep -x "plain 8"
; RUN: cd %t && %clang -flto=thin --ld-path=%ld.lld main.o plain.o twin.o -Wl,--thinlto-cache-dir=cache -Wl,-mllvm,-thermocline-stats -o program 2>&1 | %FileCheck %s --check-prefix=CACHED
; CACHED: 0 modules compiled

; Compilers in other processes are told.
; RUN: cd %t && echo '%clang -flto=thin --ld-path=%ld.lld main.o plain.o "$@" -o program -Wl,--thinlto-index-only -Wl,--thinlto-memprof-backend=thermocline && %thermo-backend -w -c -O2 main.o -fthinlto-index=main.o.thinlto.bc -o native.o && %clang native.o plain.o "$@" -o program && ./program' > distributed
; RUN: cd %t && sh distributed twin.o | grep -x "cold 8"
; RUN: cd %t && sh distributed | grep -x "plain 8"
; So is ours where indexes are written for stock clang.
; RUN: cd %t && sed -i s/backend=thermocline/backend=stock/ distributed && sh distributed twin.o | grep -x "cold 8"
; RUN: cd %t && sh distributed | grep -x "plain 8"
; RUN: cd %t && echo 'void *__wrap_pool_alloc(unsigned long n) { void *other_alloc(unsigned long); return other_alloc(n); }' > wrap.c && %clang -c wrap.c
; RUN: cd %t && sh distributed twin.o wrap.o -Wl,--wrap=pool_alloc | grep -x "other 8"

; llvm-lto2's flags say it where no linker does: of what is defined outside, that it
; is visible there.
; RUN: cd %t && %thermo-lto run main.o -o out -r=main.o,main,plx -r=main.o,pool_alloc, -r=main.o,pool_alloc_cold,x -thermocline-stats 2>&1 | %FileCheck %s --check-prefix=LTO2
; LTO2: 1 call made cold (1 pool_alloc)
; RUN: cd %t && %thermo-lto run main.o -o out -r=main.o,main,plx -r=main.o,pool_alloc, -r=main.o,pool_alloc_cold, -thermocline-stats 2>&1 | %FileCheck %s --check-prefix=UNDEFINED
; UNDEFINED: 0 calls made cold; 1 not, the cold variant is not defined in the link

; --wrap and --defsym hold for these functions, too.
; RUN: cd %t && %clang -flto=thin --ld-path=%ld.lld main.o plain.o twin.o -Wl,--defsym=pool_alloc=other_alloc -Wl,-mllvm,-thermocline-stats -o program 2>&1 | %FileCheck %s --check-prefix=REDEFINED
; RUN: %t/program | grep -x "other 8"
; REDEFINED: 0 calls made cold; 1 not, redefined by --wrap, --defsym or a script

;--- main.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@llvm.compiler.used = appending global [1 x ptr] [ptr @pool_alloc_cold], section "llvm.metadata"
declare ptr @pool_alloc(i64)
declare ptr @pool_alloc_cold(i64)
define i32 @main() {
  %p = call ptr @pool_alloc(i64 8) "memprof"="cold" "alloc-variant-cold"="pool_alloc_cold"
  ret i32 0
}

;--- plain.c
#include <stdio.h>
void *pool_alloc(unsigned long n) { return printf("plain %lu\n", n) ? stdout : stdin; }
void *other_alloc(unsigned long n) { return printf("other %lu\n", n) ? stdout : stdin; }

;--- twin.c
#include <stdio.h>
void *pool_alloc_cold(unsigned long n) { return printf("cold %lu\n", n) ? stdout : stdin; }

;--- old.c
void *old(unsigned long n) { return 0; }
__asm__(".symver old, pool_alloc_cold@VERSION_1");
