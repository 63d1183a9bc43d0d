; The linker's own options: taken with one or two dashes, joined or apart, from
; response files too; thermo-lto run has the same.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o

; A small program may grow by 5,000 instructions, unless asked otherwise.
; RUN: cd %t && %ld.lld -e main main.o node.o %libhints --unresolved-symbols=ignore-all -o a \
; RUN:   -mllvm -thermocline-stats 2>&1 | %FileCheck %s --check-prefix=DEFAULT
; DEFAULT: 1 clone of 1 function{{.*}}; {{[1-9]}} of at most 5,000 instructions added
; RUN: cd %t && %ld.lld -e main main.o node.o %libhints --unresolved-symbols=ignore-all -o a \
; RUN:   -mllvm -thermocline-stats --thinlto-memprof-max-growth=none 2>&1 | %FileCheck %s --check-prefix=NONE
; NONE: 1 clone of 1 function{{.*}}; {{[1-9]}} instructions added

; What is asked for is of the instructions of all functions in the link (here 7),
; with a profile or not; the last one counts.
; RUN: cd %t && %ld.lld -e main main.o node.o %libhints --unresolved-symbols=ignore-all -o a \
; RUN:   -mllvm -thermocline-stats -thinlto-memprof-max-growth none \
; RUN:   -thinlto-memprof-max-growth 157.2 2>&1 | %FileCheck %s --check-prefix=PERCENT
; RUN: echo "-mllvm -thermocline-stats --thinlto-memprof-max-growth 157.2" > %t/args.rsp
; RUN: cd %t && %ld.lld -e main main.o node.o %libhints --unresolved-symbols=ignore-all -o a @args.rsp \
; RUN:   2>&1 | %FileCheck %s --check-prefix=PERCENT
; RUN: cd %t && %thermo-lto run main.o node.o -o b -r=main.o,main,plx -r=main.o,node, \
; RUN:   -r=node.o,node,pl -r=node.o,_Znwm, -thermocline-stats -thinlto-memprof-max-growth=157.2 \
; RUN:   2>&1 | %FileCheck %s --check-prefix=PERCENT
; PERCENT: 1 clone of 1 function{{.*}} of at most 11 instructions added

; An argument of -mllvm is LLVM's to parse.
; RUN: cd %t && %ld.lld -e main main.o node.o %libhints --unresolved-symbols=ignore-all -o a \
; RUN:   -mllvm -thermocline-stats -mllvm -thinlto-memprof-max-growth=157.2 2>&1 | %FileCheck %s --check-prefix=PERCENT

; All of them together.
; RUN: cd %t && %ld.lld -e main main.o node.o %libhints --unresolved-symbols=ignore-all -o a \
; RUN:   --thinlto-memprof-max-false-cold=1.5MiB -thinlto-memprof-max-false-cold 4k \
; RUN:   --thinlto-memprof-min-context=1 --thinlto-memprof-strict --thinlto-memprof-strict=false

; Off, the output is stock lld's of the same modules, in regular LTO as
; well; the last one given counts.
; RUN: cd %t && %ld.lld -e main main.o node.o --unresolved-symbols=ignore-all -o off --thinlto-memprof=off
; RUN: cd %t && %stock-ld.lld -e main main.o node.o --unresolved-symbols=ignore-all -o stock
; RUN: cmp %t/off %t/stock
; RUN: cd %t && %ld.lld -e main main.o node.o %libhints --unresolved-symbols=ignore-all -o a \
; RUN:   --thinlto-memprof off -thinlto-memprof on -mllvm -thermocline-stats 2>&1 | %FileCheck %s --check-prefix=DEFAULT
; RUN: cd %t && %thermo-lto run main.o node.o -o b -r=main.o,main,plx -r=main.o,node, \
; RUN:   -r=node.o,node,pl -r=node.o,_Znwm, --thinlto-memprof=off
; RUN: %llvm-nm %t/b.2 | %FileCheck %s --check-prefix=OFF
; RUN: cd %t && %opt %S/../Inputs/main.ll -o full-main.o && %opt %S/../Inputs/node.ll -o full-node.o
; RUN: cd %t && %ld.lld -e main full-main.o full-node.o --unresolved-symbols=ignore-all -o off --thinlto-memprof=off
; RUN: cd %t && %stock-ld.lld -e main full-main.o full-node.o --unresolved-symbols=ignore-all -o stock
; RUN: cmp %t/off %t/stock
; OFF-NOT: memprof
; OFF-NOT: hot_cold

; A cache that both fill keeps them apart.
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/stock-hint-options.ll -o marked.o
; RUN: cd %t && %ld.lld -shared --thinlto-cache-dir=cache marked.o -o on.so
; RUN: cd %t && %ld.lld -shared --thinlto-cache-dir=cache marked.o -o off.so --thinlto-memprof=off
; RUN: cd %t && %ld.lld -shared --thinlto-cache-dir=cache marked.o -o again.so && cmp on.so again.so
; RUN: cd %t && %not cmp -s on.so off.so

; Files that are written are nothing that a cached module depends on.
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Inputs/main.ll -o main-hash.o && %opt -thinlto-bc -module-hash %S/../Inputs/node.ll -o node-hash.o
; RUN: cd %t && %ld.lld -e main main-hash.o node-hash.o --unresolved-symbols=ignore-all -o a --thinlto-cache-dir=files
; RUN: cd %t && %ld.lld -e main main-hash.o node-hash.o --unresolved-symbols=ignore-all -o a --thinlto-cache-dir=files \
; RUN:   --thinlto-memprof-report r.txt --thinlto-memprof-decisions=d.json -thinlto-memprof-dot=g.dot --thinlto-memprof-dump=p.txt
; RUN: cd %t && ls r.txt d.json g.dot p.txt && ls files | grep -c llvmcache- | %FileCheck %s --check-prefix=TWO
; TWO: {{^}}2{{$}}

; Bad values are one error each.
; RUN: %not %ld.lld --thinlto-memprof=maybe 2>&1 | %FileCheck %s --check-prefix=SWITCH
; SWITCH: {{^}}ld.lld: error: --thinlto-memprof: 'maybe' is none of on, off and auto
; RUN: %not %ld.lld --thinlto-memprof 2>&1 | %FileCheck %s --check-prefix=NOSWITCH
; NOSWITCH: {{^}}ld.lld: error: --thinlto-memprof: missing argument
; RUN: %not %ld.lld --thinlto-memprof-max-growth=5%% 2>&1 | %FileCheck %s --check-prefix=GROWTH
; GROWTH: {{^}}ld.lld: error: --thinlto-memprof-max-growth: '5%' is not a growth: a percentage such as 5 or 0.5, or none
; GROWTH-NOT: {{.}}
; RUN: %not %ld.lld -thinlto-memprof-max-growth -1 2>&1 | %FileCheck %s --check-prefix=NEGATIVE
; NEGATIVE: error: --thinlto-memprof-max-growth: '-1' is not
; RUN: %not %ld.lld --thinlto-memprof-max-false-cold=1TB 2>&1 | %FileCheck %s --check-prefix=SIZE
; SIZE: error: --thinlto-memprof-max-false-cold: '1TB' is not a size: bytes, or a number with KiB, MiB or GiB
; RUN: %not %ld.lld --thinlto-memprof-strict=maybe 2>&1 | %FileCheck %s --check-prefix=BOOL
; BOOL: error: --thinlto-memprof-strict: 'maybe' is neither true nor false
; RUN: %not %ld.lld --thinlto-memprof-min-context 2>&1 | %FileCheck %s --check-prefix=MISSING
; MISSING: error: --thinlto-memprof-min-context: missing argument
;
; A file has a name.
; RUN: for o in report decisions dot dump profile; do %not %ld.lld --thinlto-memprof-$o= 2>&1 | %FileCheck %s --check-prefix=EMPTY || exit 1; done
; EMPTY: error: --thinlto-memprof-{{report|decisions|dot|dump|profile}}: the name of the file is empty
; RUN: %not %thermo-lto run --thinlto-memprof-report= x.o -o y 2>&1 | %FileCheck %s --check-prefix=RUNEMPTY
; RUNEMPTY: for the --thinlto-memprof-report option: the name of the file is empty
;
; What is written is never another file of the link.
; RUN: cd %t && %not %ld.lld x.o -o out --thinlto-memprof-report=out 2>&1 | %FileCheck %s --check-prefix=TWICE
; RUN: cd %t && echo x > x.o && %not %ld.lld x.o -o out --thinlto-memprof-dot ./x.o 2>&1 | %FileCheck %s --check-prefix=INPUT
; RUN: cd %t && %not %ld.lld x.o -o out --thinlto-memprof-dot=both --thinlto-memprof-report=both 2>&1 | %FileCheck %s --check-prefix=BOTH
; TWICE: {{^}}ld.lld: error: out: is a file of the link as well as the file of --thinlto-memprof-report
; INPUT: {{^}}ld.lld: error: ./x.o: is a file of the link (x.o) as well as the file of --thinlto-memprof-dot
; BOTH: {{^}}ld.lld: error: both: is the file of --thinlto-memprof-dot as well as the file of --thinlto-memprof-report
; RUN: %not %ld.lld --thinlto-memprof-no-such 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
; UNKNOWN: error: unknown argument '--thinlto-memprof-no-such'
; RUN: %not %thermo-lto run --thinlto-memprof-max-growth=x 2>&1 | %FileCheck %s --check-prefix=RUNGROWTH
; RUNGROWTH: for the --thinlto-memprof-max-growth option: 'x' is not a growth

; A profile that cannot be read leaves no output.
; RUN: cd %t && rm a && %not %ld.lld -e main main.o node.o --unresolved-symbols=ignore-all -o a \
; RUN:   --thinlto-memprof-profile=no-such.memprofdata 2>&1 | %FileCheck %s --check-prefix=NOFILE
; NOFILE: {{^}}ld.lld: error: --thinlto-memprof-profile: no-such.memprofdata: No such file or directory
; NOFILE-NOT: {{.}}
; RUN: cd %t && %not %ld.lld -e main main.o node.o --unresolved-symbols=ignore-all -o a \
; RUN:   --thinlto-memprof-profile=main.o 2>&1 | %FileCheck %s --check-prefix=NOPROFILE
; NOPROFILE: ld.lld: error: --thinlto-memprof-profile: main.o:
; RUN: %not ls %t/a

; RUN: %ld.lld --help | %FileCheck %s --check-prefix=HELP
; HELP: --thinlto-cache-dir
; HELP: THERMOCLINE OPTIONS:
; HELP-NEXT: --thinlto-memprof=<on|off|auto>
; HELP: --thinlto-memprof-max-growth=<percent>
; HELP: --thinlto-memprof-max-false-cold=<bytes>
; HELP: --thinlto-memprof-min-context=<bytes>
; HELP: --thinlto-memprof-strict{{$}}
; HELP: --thinlto-memprof-profile=<file>
; HELP: --thinlto-memprof-report=<file>
; HELP: --thinlto-memprof-decisions=<file>
; HELP: --thinlto-memprof-dot=<file>
; HELP: --thinlto-memprof-dump=<file>
; RUN: %ld.lld --version | %FileCheck %s --check-prefix=VERSION
; VERSION: {{^}}{{.*}}LLD 22.1
; VERSION-NEXT: {{^}}ld.lld (Thermocline {{[0-9.]+}}, LLVM 22.1.{{[0-9]+}})
; RUN: %thermo-lto --version | %FileCheck %s --check-prefix=LTOVERSION
; LTOVERSION: {{^}}thermo-lto (Thermocline {{[0-9.]+}}, LLVM 22.1.{{[0-9]+}})

; Each subcommand lists its options once, and Thermocline's.
; RUN: %thermo-lto audit --help | %FileCheck %s --check-prefix=AUDIT
; AUDIT-NOT: thermo-lto run
; AUDIT: Options of thermo-lto audit:
; AUDIT: -o <filename>
; AUDIT-NOT: -o <filename>
; AUDIT: Thermocline options:
; AUDIT: --thinlto-memprof-max-growth=<percent>
; AUDIT-NOT: -o <filename>

; Those of the link alone are not among them, nor without a word.
; RUN: for command in audit report decisions explain dot; do %thermo-lto $command --help | %FileCheck %s --check-prefix=LOOKS || exit 1; done
; LOOKS-NOT: {{--thinlto-memprof(-report|-decisions|-dot|-backend)?=|thermocline-stats|thermocline-cold-hint}}
; LOOKS: --thinlto-memprof-strict
; LOOKS-NOT: {{--thinlto-memprof(-report|-decisions|-dot|-backend)?=|thermocline-stats|thermocline-cold-hint}}
; RUN: cd %t && %thermo-lto audit --thinlto-memprof-report=never.txt main.o node.o 2>&1 | %FileCheck %s --check-prefix=VAIN
; VAIN: thermo-lto: warning: audit: --thinlto-memprof-report is of the link, and has no effect here
; RUN: %not ls %t/never.txt
; RUN: %thermo-lto run --help | %FileCheck %s --check-prefix=ONCE
; ONCE-NOT: Options of thermo-lto audit
; ONCE: Options of thermo-lto run:
; ONCE: --thinlto-memprof-max-growth=<percent>
