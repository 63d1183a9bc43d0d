; Decisions are listed item by item: by the link, from its indexes and modules
; afterwards, and as far as they show from what the link made.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o program \
; RUN:   -Wl,--thinlto-memprof-decisions=link.txt -Wl,--thinlto-emit-index-files -Wl,--save-temps
; RUN: %FileCheck %s --match-full-lines --strict-whitespace < %t/link.txt
;      CHECK:# Thermocline decisions, format 1, by thermocline
;CHECK-EMPTY:
; CHECK-NEXT:function main
; CHECK-NEXT:  versions 1, of 5 instructions
; CHECK-NEXT:  call 0 of node, stack ids (0xa), clones (0)
; CHECK-NEXT:  call 1 of node, stack ids (0xb), clones (1)
;CHECK-EMPTY:
; CHECK-NEXT:function node
; CHECK-NEXT:  versions 2, of 2 instructions
; CHECK-NEXT:  version 1 node.memprof.1
; CHECK-NEXT:  allocation 0, versions (notcold, cold), contexts 2, bytes 7200, cold contexts 1, cold bytes 6400
;  CHECK-NOT:{{.}}

; The indexes and the modules say the same but for who decided.
; RUN: cd %t && tail -n +2 link.txt > expected.txt
; RUN: cd %t && %thermo-lto decisions main.o.thinlto.bc node.o.thinlto.bc > index.txt
; RUN: head -1 %t/index.txt | %FileCheck %s --check-prefix=INDEX
; INDEX: # Thermocline decisions, format 1, by the given index, as thermocline decides with the same options
; RUN: cd %t && tail -n +2 index.txt | diff - expected.txt
; RUN: cd %t && %thermo-lto decisions main.o node.o -o modules.txt && tail -n +2 modules.txt | diff - expected.txt
; RUN: cd %t && %thermo-lto decisions --thinlto-memprof-max-growth=0 main.o node.o | %FileCheck %s --check-prefix=ZERO
; ZERO: allocation 0, versions (notcold), contexts 2

; Of the merged module of regular LTO, too, and of the modules that go into it.
; RUN: cd %t && %llvm-as %S/../Inputs/main.ll -o full-main.o && %llvm-as %S/../Inputs/node.ll -o full-node.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=full full-main.o full-node.o %libhints -o full -Wl,--save-temps \
; RUN:   -Wl,--thinlto-memprof-decisions=full.txt
; RUN: cd %t && tail -n +2 full.txt | diff - expected.txt
; RUN: cd %t && %thermo-lto decisions full.0.0.preopt.bc | tail -n +2 | diff - expected.txt
; RUN: cd %t && %thermo-lto decisions full-main.o full-node.o | tail -n +2 | diff - expected.txt
; RUN: cd %t && %thermo-lto audit full-main.o full-node.o | %FileCheck %s --check-prefix=AUDIT
; AUDIT: cold -> cold 1 6.2 KiB
; AUDIT: Recall: 100.0 %

; JSON, by name or by option.
; RUN: cd %t && %thermo-lto run main.o node.o -o lto --thinlto-memprof-decisions=run.json -r=main.o,main,plx \
; RUN:   -r=main.o,node,l -r=node.o,node,pl -r=node.o,_Znwm,
; RUN: cd %t && %thermo-lto decisions --format=json main.o node.o > view.json
; RUN: cd %t && sed 's/thermocline, from the modules alone/thermocline/' view.json | diff - run.json
; RUN: python3 -c "import json, sys; d = json.load(open(sys.argv[1])); \
; RUN:   assert d['format'] == 1 and [f['name'] for f in d['functions']] == ['main', 'node']; \
; RUN:   assert d['functions'][0]['calls'][1] == {'record': 1, 'callee': 'node', 'redirectable': 'yes', \
; RUN:     'stackIds': ['0xb'], 'frames': [], 'clones': [1]}; \
; RUN:   assert d['functions'][1]['versions'] == ['node', 'node.memprof.1']; \
; RUN:   assert d['functions'][1]['allocations'][0]['versions'] == ['notcold', 'cold']" %t/run.json
; RUN: cd %t && %not %thermo-lto decisions --format=html main.o 2>&1 | %FileCheck %s --check-prefix=FORMAT
; FORMAT: thermo-lto: error: --format: unknown format 'html'; text and json are known

; What was made of them is seen in machine code.
; RUN: cd %t && %llvm-objdump -dr --no-show-raw-insn program | grep '>:$\|memprof\|_cold\|hot_cold_t' | %FileCheck %s --check-prefix=CODE
; CODE: <main>:
; CODE-NEXT: call{{.*}} <node.memprof.1>
; CODE: <node.memprof.1>:
; CODE-NEXT: jmp{{.*}} <_Znwm12__hot_cold_t>

; Errors.
; RUN: cd %t && %not %thermo-lto decisions program 2>&1 | %FileCheck %s --check-prefix=NOAUDIT
; RUN: cd %t && %thermo-lto decisions full.0.4.opt.bc 2>&1 | %FileCheck %s --check-prefix=OPTIMIZED
; OPTIMIZED: thermo-lto: warning: decisions: the files hold no profiled contexts
; RUN: cd %t && %not %thermo-lto decisions program.index.bc 2>&1 | %FileCheck %s --check-prefix=UNDECIDED
; UNDECIDED: the index holds no decisions
; RUN: cd %t && %not %thermo-lto audit program 2>&1 | %FileCheck %s --check-prefix=NOAUDIT
; NOAUDIT: thermo-lto: error: program: machine code, which holds no contexts; give the bitcode modules or *.thinlto.bc of the link (llvm-objdump -dr shows the versions and hints in machine code)
; RUN: cd %t && cp main.o input.o && %not %thermo-lto decisions input.o node.o -o ./input.o 2>&1 | %FileCheck %s --check-prefix=OVER
; OVER: thermo-lto: error: ./input.o: is an input{{.*}} as well as the output
; RUN: cd %t && cmp main.o input.o
; RUN: cd %t && %not %thermo-lto decisions 2>&1 | %FileCheck %s --check-prefix=NONE
; NONE: thermo-lto: error: decisions: no input files
