; What is made beside a program, and in its place.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/node.ll -o node.o
; RUN: cd %t && echo '%clangxx -fuse-ld=$1 -Wl,-plugin,%lto-plugin main.o node.o %libhints -o out "${@:2}" 2>&1' > link.sh
; RUN: cd %t && printf 'rm -rf w && mkdir w && cp main.o node.o w && cd w && bash ../link.sh $LINKER "$@"' > try.sh

; The saved objects are the program; the saved resolutions serve thermo-lto.
; RUN: cd %t && %each-linker 'bash try.sh -Wl,-plugin-opt=save-temps && cd w && ./out && \
; RUN:   %llvm-dis node.o.4.opt.bc -o - | %FileCheck %s --check-prefix=OPTIMIZED && \
; RUN:   %clangxx -fuse-ld=$LINKER out.lto.o1 out.lto.o2 %libhints -o again && ./again && \
; RUN:   %thermo-lto run main.o node.o -o resolved $(grep ^-r out.resolution.txt) -thermocline-stats 2>&1 | %FileCheck %s --check-prefix=RESOLVED'
; OPTIMIZED: define {{.*}} @node.memprof.1
; RESOLVED: 1 clone of 1 function

; RUN: cd %t && %each-linker 'bash try.sh -Wl,-plugin-opt=obj-path=kept.o && ls w/kept.o w/kept.o1 w/kept.o2 && ./w/out'
; RUN: cd %t && %each-linker 'bash try.sh -Wl,-plugin-opt=emit-llvm && %llvm-dis w/out2 -o - | %FileCheck %s --check-prefix=BITCODE'
; BITCODE: define {{.*}} @node(
; RUN: cd %t && %each-linker 'bash try.sh -Wl,-plugin-opt=emit-asm && cat w/out1 w/out2 | %FileCheck %s --check-prefix=ASSEMBLY'
; ASSEMBLY: call{{.*}} node.memprof.1
; ASSEMBLY: {{^}}node.memprof.1:
; RUN: cd %t && %each-linker 'bash try.sh -Wl,-plugin-opt=disable-output && ls w | sort | %FileCheck %s --check-prefix=NOTHING'
; NOTHING: main.o
; NOTHING-NEXT: node.o
; NOTHING-NOT: {{.}}

; Indexes for backends elsewhere; the unneeded member is marked.
; RUN: cd %t && %clang -O2 -flto=thin -x c -c /dev/null -o empty.o && rm -f lib.a && %llvm-ar qc lib.a node.o
; RUN: cd %t && %each-linker 'bash try.sh -Wl,-plugin-opt=thinlto-index-only=list,-plugin-opt=thinlto-emit-imports-files ../empty.o && \
; RUN:   sort w/list | %FileCheck %s --check-prefix=LIST && test ! -e w/out && cat w/main.o.imports w/node.o.imports && \
; RUN:   cd w && %thermo-lto audit *.thinlto.bc | %FileCheck %s --check-prefix=INDEXED'
; LIST: {{^}}main.o
; LIST-NEXT: {{^}}node.o
; INDEXED: cold -> cold{{ +}}1
; INDEXED: Clones: 1, of 1 of 2 functions
; RUN: cd %t && %each-linker 'bash try.sh "-Wl,-plugin-opt=thinlto-index-only,-plugin-opt=thinlto-prefix-replace=;indexes/,-plugin-opt=thinlto-object-suffix-replace=.o;.obj" && \
; RUN:   ls w/indexes/main.obj.thinlto.bc w/indexes/node.obj.thinlto.bc'
; RUN: cd %t && %opt -thinlto-bc %S/../Link/Inputs/node-plain.ll -o plain.o && %llvm-ar qc plain.a plain.o
; RUN: cd %t && env LINKERS="gold mold" %each-linker 'bash try.sh -Wl,-plugin-opt=thinlto-index-only -Wl,--start-lib ../plain.o -Wl,--end-lib && \
; RUN:   %llvm-bcanalyzer -dump plain.o.thinlto.bc | %FileCheck %s --check-prefix=SKIPPED; rm plain.o.thinlto.bc'
; SKIPPED: <FLAGS op0={{[1-9]}}

; RUN: cd %t && %each-linker 'bash try.sh -Wl,-plugin-opt=time-trace=trace.json,-plugin-opt=stats-file=stats.json,-plugin-opt=dwo_dir=split && \
; RUN:   cd w && ./out && grep -q traceEvents trace.json && python3 -m json.tool stats.json > /dev/null && ls split/1.dwo'
; RUN: cd %t && %each-linker 'bash try.sh -Wl,-plugin-opt=opt-remarks-filename=remarks.yaml && ls w/remarks.yaml.thin.2.*'
