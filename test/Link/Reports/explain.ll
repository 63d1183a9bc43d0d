; What was decided is explained in words and drawn, of modules and of indexes,
; ours and stock LLVM's.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %thermo-lto explain node main.o node.o | %FileCheck %s --match-full-lines --check-prefix=FUNCTION
; FUNCTION: Decided by thermocline, from the modules alone
; FUNCTION: function node: 2 versions of 2 instructions; clones add 2 instructions
; FUNCTION:   version 0 (the original): 1 not-cold context (800 B); whatever is not named below calls it
; FUNCTION-NEXT: called by main, version 0 (the original), at (call 0xa): 1 not-cold context (800 B)
; FUNCTION-NEXT: context {{[01]}}: not cold, 800 B
; FUNCTION:   version 1: node.memprof.1, made for 1 cold context (6.2 KiB)
; FUNCTION-NEXT: called by main, version 0 (the original), at (call 0xb): 1 cold context (6.2 KiB)
; FUNCTION-NEXT: context {{[01]}}: cold, 6.2 KiB, hinted cold
; FUNCTION: allocation node#0

; The options of the link count, and are what is recommended.
; RUN: cd %t && %thermo-lto explain --thinlto-memprof-max-growth=0 0x65 main.o node.o | %FileCheck %s --check-prefix=BUDGET
; BUDGET: profiled cold, and not hinted: over budget
; BUDGET: Raise it, or give none for no limit.

; Indexes with decisions, by whoever made them.
; RUN: cd %t && %llvm-lto2 run main.o node.o -o lto -supports-hot-cold-new -thinlto-emit-indexes \
; RUN:   -enable-memprof-context-disambiguation -r=main.o,main,plx -r=main.o,node,l -r=node.o,node,pl -r=node.o,_Znwm,
; RUN: cd %t && %thermo-lto explain 0xb main.o.thinlto.bc node.o.thinlto.bc | %FileCheck %s --check-prefix=INDEX
; INDEX: Decided by the given index
; INDEX: call 1, of node, at (call 0xb), in main
; INDEX: in version 0 (the original): calls version 1; 1 cold context (6.2 KiB)

; Pictures, which Graphviz takes: by the tool, and by both ways to link.
; RUN: cd %t && %thermo-lto dot main.o node.o -o tool.dot
; RUN: cd %t && %thermo-lto run main.o node.o -o lto --thinlto-memprof-dot=run.dot -r=main.o,main,plx -r=main.o,node,l \
; RUN:   -r=node.o,node,pl -r=node.o,_Znwm, && cmp tool.dot run.dot
; RUN: cd %t && %ld.lld -e main main.o node.o --unresolved-symbols=ignore-all -o a --thinlto-memprof-dot=lld.dot && cmp tool.dot lld.dot
; RUN: cd %t && dot -Tsvg tool.dot -o tool.svg && %FileCheck %s --check-prefix=SVG < tool.svg
; SVG-DAG: <title>{{.*}}&#45;&gt;{{.*}}</title>
; SVG-DAG: >allocates cold</text>
; RUN: cd %t && %thermo-lto dot --around=0x64 main.o node.o | %FileCheck %s --check-prefix=AROUND
; AROUND: digraph
; AROUND-NOT: allocates cold
; AROUND: }
; RUN: cd %t && %thermo-lto dot --max-nodes=1 main.o node.o 2>&1 -o one.dot | %FileCheck %s --check-prefix=LIMIT
; LIMIT: thermo-lto: warning: dot: 2 versions of functions are left out; draw a part with --around=FUNCTION, or more with --max-nodes=N
; RUN: cd %t && %FileCheck %s --check-prefix=ONE < one.dot
; ONE: label="1 of 3 versions are drawn, those with most bytes"

; Errors.
; RUN: cd %t && %not %thermo-lto explain mian main.o node.o 2>&1 | %FileCheck %s --check-prefix=NEAR
; NEAR: thermo-lto: error: explain: no function with a profile in the link matches 'mian'; near are: main
; RUN: cd %t && %not %thermo-lto dot --around=7 main.o node.o 2>&1 | %FileCheck %s --check-prefix=NUMBER
; NUMBER: thermo-lto: error: dot: there is no context 7 in the report
; RUN: cd %t && %not %thermo-lto explain main.o 2>&1 | %FileCheck %s --check-prefix=ONLY
; ONLY: thermo-lto: error: explain: give what to explain, then the files: FUNCTION,
; RUN: cd %t && %not %thermo-lto explain main node.txt 2>&1 | %FileCheck %s --check-prefix=NOFILE
; NOFILE: thermo-lto: error: node.txt: No such file or directory
; RUN: cd %t && %not %thermo-lto dot 2>&1 | %FileCheck %s --check-prefix=NONE
; NONE: thermo-lto: error: dot: no input files
