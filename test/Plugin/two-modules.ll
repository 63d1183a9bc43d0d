; A link of two modules through the plugin, by each config file and by hand: the
; decisions are those of ld.lld, and the program runs with them.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/node.ll -o node.o
; RUN: cd %t && %clangxx --config=%use-cfg main.o node.o -o program -Wl,-plugin-opt=-thinlto-memprof-report=lld.json \
; RUN:   -Wl,-plugin-opt=-thinlto-memprof-decisions=lld.txt

; The config files: with -flto on the link, and the fallback of the hints, which
; nothing refers to before link-time optimization, after all else.
; RUN: cd %t && %each-linker '%clangxx --config=%build/config/thermocline-use-$LINKER.cfg \
; RUN:     main.o node.o -o program -Wl,-plugin-opt=-thermocline-stats \
; RUN:     -Wl,-plugin-opt=-thinlto-memprof-report=$LINKER.json,-plugin-opt=-thinlto-memprof-decisions=$LINKER.txt 2>&1 | %FileCheck %s && \
; RUN:   grep -q "output.*program" $LINKER.json && mv program $LINKER && ./$LINKER && %llvm-nm $LINKER | %FileCheck %s --check-prefix=SYMBOLS && \
; RUN:   cmp lld.json $LINKER.json && cmp lld.txt $LINKER.txt'
; CHECK: {{^}}ThermoclineLTO: thermocline: 1 clone of 1 function; cold->cold 1 context, 6.2 KiB;
; CHECK: 2 modules compiled, 1 call made cold (1 operator new(unsigned long))
; SYMBOLS-DAG: node.memprof.1
; SYMBOLS-DAG: _Znwm12__hot_cold_t

; By hand: -plugin, and no -flto.
; RUN: cd %t && %each-linker '%clangxx -fuse-ld=$LINKER -Wl,-plugin,%lto-plugin main.o node.o %libhints \
; RUN:     -o program -Wl,-plugin-opt=-thinlto-memprof-report=by-hand.json && ./program && cmp lld.json by-hand.json'

; -flto on such a link gives LLVM's own plugin to GNU ld and gold, which would
; take the bitcode; mold knows only the last plugin.
; RUN: cd %t && env LINKERS="bfd gold" %each-linker '%not %clangxx -flto=thin -fuse-ld=$LINKER \
; RUN:   -Wl,-plugin,%lto-plugin main.o node.o %libhints -o twice 2>&1 | %FileCheck %s --check-prefix=TWICE'
; RUN: cd %t && env LINKERS="bfd gold" %each-linker '%not %clangxx -Wl,-plugin,%lto-plugin -flto=thin \
; RUN:   -fuse-ld=$LINKER main.o node.o %libhints -o twice 2>&1 | %FileCheck %s --check-prefix=TWICE'
; TWICE: error: ThermoclineLTO: {{.*}}LLVMgold.so: this plugin is loaded as well
; RUN: %not ls %t/twice
; RUN: cd %t && %clangxx -fuse-ld=mold -flto=thin -Wl,-plugin,%lto-plugin main.o node.o %libhints -o last \
; RUN:   -Wl,-plugin-opt=-thermocline-stats 2>&1 | %FileCheck %s
; Ours twice is ours once, with the options of both.
; RUN: cd %t && %each-linker '%clangxx --config=%build/config/thermocline-use-$LINKER.cfg main.o node.o -o ours \
; RUN:   -Wl,-plugin,%lto-plugin -Wl,-plugin-opt=-thermocline-stats 2>&1 | %FileCheck %s'

; Without any library that takes hints the link fails and names what is missing.
; RUN: cd %t && %each-linker '%not %clangxx -fuse-ld=$LINKER -Wl,-plugin,%lto-plugin main.o node.o -o missing 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=MISSING'
; MISSING: undefined {{reference to|symbol:}} {{.*}}operator new(unsigned long, __hot_cold_t)

; Other plugins in the process meet nothing of ours, and no other LLVM comes with it.
; RUN: %llvm-nm -D --defined-only %lto-plugin | %FileCheck %s --check-prefix=EXPORTS
; EXPORTS: T ld_lld_main
; EXPORTS-NEXT: T onload
; EXPORTS-NEXT: T thermo_backend_main
; EXPORTS-NEXT: T thermo_lto_main
; EXPORTS-NOT: {{[A-Za-z]}}
; RUN: %llvm-readelf -d %lto-plugin | %FileCheck %s --check-prefix=NEEDED
; NEEDED-NOT: libLLVM
; NEEDED: NEEDED{{.*}}libstdc++
; NEEDED-NOT: libLLVM
