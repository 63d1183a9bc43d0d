; A link without optimization decides and hints nothing unless it is asked to, whoever
; links. GNU ld writes its warnings to standard output.
;
; RUN: rm -rf %t && mkdir %t && cp %S/../Inputs/main.ll %S/../Inputs/node.ll %t
; RUN: cd %t && for f in main node; do %opt -thinlto-bc $f.ll -o $f.o && %opt $f.ll -o $f.full.o || exit 1; done
; RUN: cd %t && (echo 'for o in "main.o node.o" "main.full.o node.full.o"; do' && \
; RUN:   echo '  $LINK $o "$@" -o program && %llvm-nm program | grep -c _Znwm12__hot_cold_t || true; done') > link
; RUN: echo '%clangxx --ld-path=%ld.lld -flto=thin %libhints' > %t/lld
; RUN: cd %t && export LINK="$(cat lld)" && (sh link -Wl,--lto-O1; sh link -Wl,--lto-O0,--thinlto-memprof=on; sh link -Wl,-plugin-opt=O0 -Wl,-mllvm,-thinlto-memprof=on; sh link -Wl,--lto-O0,-mllvm,-supports-hot-cold-new; sh link -Wl,--lto-O0,--lto-O2) | tr -d '\n' | grep -x 1111111111
; RUN: cd %t && export LINK="$(cat lld)" && (sh link -Wl,--lto-O0; sh link -O0; sh link -Wl,-plugin-opt,O0; sh link -Wl,--lto-O2,--lto-O0; sh link -Wl,--thinlto-memprof=auto,--lto-O0; sh link -Wl,--lto-O0,--thinlto-memprof=on,--thinlto-memprof=auto; sh link -Wl,--thinlto-memprof=off) | tr -d '\n' | grep -x 00000000000000
; RUN: for linker in bfd gold mold; do cd %t && export LINK="%clangxx -fuse-ld=$linker -Wl,-plugin,%lto-plugin %libhints" && \
; RUN:   sh link -Wl,-plugin-opt=O0,-plugin-opt=thinlto-memprof=on,-plugin-opt=thinlto-memprof=auto | tr -d '\n' | grep -x 00 && \
; RUN:   sh link -Wl,-plugin-opt=O0 | tr -d '\n' | grep -x 00 && sh link -Wl,-plugin-opt=O1 %libhints | grep -v warning: | tr -d '\n' | grep -x 11 && \
; RUN:   sh link -Wl,-plugin-opt=O0,-plugin-opt=-thinlto-memprof=on %libhints | grep -v warning: | tr -d '\n' | grep -x 11 || exit 1; done
; The index of a distributed link says it to the backends.
; RUN: cd %t && (for ask in off on; do %clangxx --ld-path=%ld.lld -flto=thin main.o node.o -Wl,--lto-O0,--thinlto-index-only,--thinlto-memprof-backend=thermocline -Wl,--thinlto-memprof=$(test $ask = on && echo on || echo auto) -o program && \
; RUN:   %thermo-backend -w -c -O0 node.o -fthinlto-index=node.o.thinlto.bc -o native.o && %llvm-nm native.o | grep -c hot_cold; done; true) | tr -d '\n' | grep -x 01
