; An unchanged link takes all from the cache; changed decisions compile what they
; touch, though LLVM's keys do not know them.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/node.ll -o node.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/node-plain.ll -o node-plain.o
; RUN: cd %t && echo '%clangxx -fuse-ld=$1 -Wl,-plugin,%lto-plugin -Wl,-plugin-opt=cache-dir=$1.cache,-plugin-opt=-thermocline-stats \
; RUN:   main.o %libhints "${@:2}" 2>&1' > link.sh
; RUN: cd %t && %each-linker 'bash link.sh $LINKER node.o -o first | %FileCheck %s --check-prefix=FIRST && ./first && \
; RUN:   test $(ls $LINKER.cache | grep -c llvmcache-) = 2'
; FIRST: 2 modules compiled
; RUN: cd %t && %each-linker 'bash link.sh $LINKER node.o -o again | %FileCheck %s --check-prefix=AGAIN && ./again'
; AGAIN: 1 clone of 1 function
; AGAIN: 0 modules compiled

; main.o is as it was, yet must not come from the cache.
; RUN: cd %t && %each-linker 'bash link.sh $LINKER node-plain.o -o plain | %FileCheck %s --check-prefix=PLAIN && ./plain && \
; RUN:   %llvm-nm plain | %FileCheck %s --check-prefix=NOVERSION'
; PLAIN: 0 clones of 0 functions
; PLAIN: 2 modules compiled
; NOVERSION-NOT: memprof
; RUN: cd %t && %each-linker 'bash link.sh $LINKER node.o -o hint -Wl,-plugin-opt=-thermocline-cold-hint=0 | %FileCheck %s --check-prefix=FIRST'
; So does any option that code may depend on, not one for a report.
; RUN: cd %t && %each-linker 'bash link.sh $LINKER node.o -o option -Wl,-plugin-opt=-inline-threshold=1 | %FileCheck %s --check-prefix=FIRST'
; RUN: cd %t && %each-linker 'bash link.sh $LINKER node.o -o again -Wl,-plugin-opt=thinlto-memprof-report=report | %FileCheck %s --check-prefix=AGAIN'

; The policy prunes; a directory that cannot be made is an error.
; RUN: cd %t && %each-linker 'bash link.sh $LINKER node.o -o pruned -Wl,-plugin-opt=cache-policy=cache_size_files=1:prune_interval=0s && \
; RUN:   test $(ls $LINKER.cache | grep -c llvmcache-) = 1'
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER node.o -o error -Wl,-plugin-opt=cache-dir=main.o/cache | %FileCheck %s --check-prefix=ERROR'
; ERROR: ThermoclineLTO: main.o/cache: Not a directory
