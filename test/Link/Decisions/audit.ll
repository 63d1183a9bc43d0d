; The audit reads contexts from the modules and decisions from the engine, from
; indexes of ours, or of stock LLVM. It exits 1 if a not-cold context is made cold.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %thermo-lto audit main.o node.o | %FileCheck %s --check-prefixes=MODULES,SOUND
; MODULES-DAG: decided by thermocline, from the modules alone
; SOUND-DAG: cold -> cold 1 6.2 KiB
; SOUND-DAG: cold -> not cold 0
; SOUND-DAG: not cold -> cold 0
; SOUND-DAG: not cold -> not cold 1 800 B
; SOUND-DAG: Recall: 100.0 %
; SOUND-DAG: Clones: 1, of 1

; The linker's own indexes, with modules from an archive too.
; RUN: cd %t && rm -f libnode.a && %llvm-ar rcs libnode.a node.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o libnode.a %libhints -o program \
; RUN:   -Wl,--thinlto-emit-index-files -Wl,--save-temps=combinedindex -Wl,--thinlto-memprof-report=report.json
; RUN: cd %t && %thermo-lto audit *.thinlto.bc | %FileCheck %s --check-prefixes=INDEX,SOUND
; INDEX-DAG: decided by the given index
; RUN: %FileCheck %s --check-prefix=JSON < %t/report.json
; JSON: "thermocline"

; The index that --save-temps keeps has no decisions yet.
; RUN: cd %t && %not %thermo-lto audit program.index.bc 2>&1 | %FileCheck %s --check-prefix=UNDECIDED
; UNDECIDED: thermo-lto: error: program.index.bc: the index holds no decisions; --save-temps keeps it as it was before

; Stock LLVM's decisions.
; RUN: cd %t && mkdir stock && cp main.o node.o stock/
; RUN: cd %t/stock && %llvm-lto2 run main.o node.o -o lto -supports-hot-cold-new -thinlto-emit-indexes \
; RUN:   -enable-memprof-context-disambiguation -r=main.o,main,plx -r=main.o,node,l \
; RUN:   -r=node.o,node,pl -r=node.o,_Znwm,
; RUN: cd %t/stock && %thermo-lto audit main.o.thinlto.bc node.o.thinlto.bc | %FileCheck %s --check-prefixes=INDEX,SOUND

; Decisions that are wrong: both versions cold, then a version that is not made.
; RUN: cd %t/stock && %llvm-dis < node.o.thinlto.bc | sed 's/versions: (notcold, cold)/versions: (cold, cold)/' \
; RUN:   | %llvm-as -o bad.bc
; RUN: cd %t/stock && %not %thermo-lto audit main.o.thinlto.bc bad.bc > bad.txt
; RUN: %FileCheck %s --check-prefix=UNSAFE < %t/stock/bad.txt
; UNSAFE: not cold -> cold 1 800 B
; RUN: cd %t/stock && %llvm-dis < main.o.thinlto.bc | sed 's/clones: (1)/clones: (5)/' | %llvm-as -o bad.bc
; RUN: cd %t/stock && %not %thermo-lto audit bad.bc node.o.thinlto.bc | %FileCheck %s --check-prefix=MALFORMED
; MALFORMED: version 5

; Bad input.
; RUN: cd %t && echo text > text.bc && %not %thermo-lto audit text.bc 2>&1 | %FileCheck %s --check-prefix=TEXT
; RUN: cd %t && echo 'define void @f() { ret void }' > none.ll && %opt -thinlto-bc none.ll -o none.o && %thermo-lto audit none.o 2>&1 | %FileCheck %s --check-prefix=NOTHING
; RUN: cd %t && %not %thermo-lto dot none.o 2>&1 | %FileCheck %s --check-prefix=NOTHING
; NOTHING: the files hold no profiled contexts
; RUN: cd %t && head -c 4 main.o > begun.bc && %not %thermo-lto audit begun.bc 2>&1 | %FileCheck %s --check-prefix=BEGUN
; BEGUN: thermo-lto: error: begun.bc: bitcode without a module
; TEXT: thermo-lto: error: text.bc: neither a bitcode module nor a summary index
; RUN: cd %t && %not %thermo-lto audit missing.o 2>&1 | %FileCheck %s --check-prefix=MISSING
; MISSING: thermo-lto: error: missing.o: No such file or directory
; RUN: cd %t && %not %thermo-lto audit 2>&1 | %FileCheck %s --check-prefix=NONE
; NONE: thermo-lto: error: audit: no input files
; RUN: cd %t && %not %thermo-lto audit --format=pdf main.o 2>&1 | %FileCheck %s --check-prefix=FORMAT
; FORMAT: thermo-lto: error: --format: unknown format 'pdf'
; RUN: cd %t/stock && %not %thermo-lto audit main.o.thinlto.bc node.o.thinlto.bc node.o 2>&1 | %FileCheck %s --check-prefix=PARTIAL
; PARTIAL: thermo-lto: error: main.o: an index decides on this module, which is not among the files given; give the indexes alone in the directory of the link
; RUN: cd %t/stock && %not %thermo-lto audit main.o.thinlto.bc 2>&1 | %FileCheck %s --check-prefix=SOME
; SOME: thermo-lto: error: main.o.thinlto.bc: this is not all of the link: main.o calls versions of node, which no module here defines; give all *.thinlto.bc of the link
; RUN: mkdir %t/elsewhere && cd %t/elsewhere && %not %thermo-lto audit ../stock/main.o.thinlto.bc ../stock/node.o.thinlto.bc 2>&1 | %FileCheck %s --check-prefix=ELSEWHERE
; ELSEWHERE: thermo-lto: error: ../stock/main.o.thinlto.bc: the modules of this index cannot be read: main.o: No such file or directory; indexes name modules as the link found them: run this in the directory of the link

; Stock LLVM decides on nothing unless it is told to.
; RUN: mkdir %t/plain && cd %t/plain && cp ../main.o ../node.o . && %llvm-lto2 run main.o node.o -o lto -thinlto-emit-indexes \
; RUN:   -r=main.o,main,plx -r=main.o,node,l -r=node.o,node,pl -r=node.o,_Znwm,
; RUN: cd %t/plain && %not %thermo-lto explain node main.o.thinlto.bc node.o.thinlto.bc 2>&1 | %FileCheck %s --check-prefix=STOCK
; STOCK: thermo-lto: error: main.o.thinlto.bc: the index holds no decisions; the link made none: Thermocline's with --thinlto-memprof=off, or stock lld's without -Wl,-mllvm,-supports-hot-cold-new and -Wl,-mllvm,-enable-memprof-context-disambiguation
; RUN: cd %t/plain && %llvm-lto2 run main.o node.o -o lto -thinlto-emit-indexes -supports-hot-cold-new \
; RUN:   -r=main.o,main,plx -r=main.o,node,l -r=node.o,node,pl -r=node.o,_Znwm,
; RUN: cd %t/plain && %not %thermo-lto audit main.o.thinlto.bc node.o.thinlto.bc 2>&1 | %FileCheck %s --check-prefix=HALF
; HALF: thermo-lto: error: main.o.thinlto.bc: the index holds no decisions; stock lld makes some only with -Wl,-mllvm,-enable-memprof-context-disambiguation
; RUN: cd %t && %not %thermo-lto audit --profile=text.bc main.o node.o 2>&1 | %FileCheck %s --check-prefix=PROFILE
; PROFILE: thermo-lto: error: text.bc:
