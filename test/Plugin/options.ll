; The plugin's options: those of Thermocline with dashes or without, those of LLVM
; with their dash; a wrong one is one error that names it, and leaves no output.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Link/Inputs/node.ll -o node.o
; RUN: cd %t && echo '%clangxx -fuse-ld=$1 -Wl,-plugin,%lto-plugin main.o node.o %libhints -o a "${@:2}" 2>&1' > link.sh

; The instructions of all functions in the link are 7; the last option counts.
; RUN: cd %t && %each-linker 'bash link.sh $LINKER -Wl,-plugin-opt=-thermocline-stats \
; RUN:   -Wl,-plugin-opt=-thinlto-memprof-max-growth=none -Wl,-plugin-opt=thinlto-memprof-max-growth=157.2 | %FileCheck %s --check-prefix=GROWTH'
; GROWTH: 1 clone of 1 function{{.*}} of at most 11 instructions added
; RUN: cd %t && %each-linker 'bash link.sh $LINKER -Wl,-plugin-opt=-thermocline-stats \
; RUN:   -Wl,-plugin-opt=--thinlto-memprof-max-growth=none | %FileCheck %s --check-prefix=NONE'
; NONE: 1 clone of 1 function{{.*}}; {{[1-9]}} instructions added
; RUN: cd %t && %each-linker 'bash link.sh $LINKER -Wl,-plugin-opt=thinlto-memprof=off && \
; RUN:   %llvm-nm a | %FileCheck %s --check-prefix=OFF'
; OFF-NOT: {{memprof|hot_cold}}

; RUN: cd %t && %each-linker 'for help in help --help; do bash link.sh $LINKER -Wl,-plugin-opt=$help | %FileCheck %s --check-prefix=HELP && \
; RUN:   ./a || exit 1; done'
; HELP: Options of ThermoclineLTO
; HELP: {{^}}  O<0-3> {{.*}}Optimization level
; HELP: {{^}}  thinlto-index-only[=<file>]
; HELP: {{^}}  thinlto-memprof-max-growth=<percent>
; HELP: {{^}}  -<option>

; What clang hands on, and what steers code generation.
; RUN: cd %t && %each-linker 'bash link.sh $LINKER -Wl,-plugin-opt=thinlto,-plugin-opt=mcpu=native,-plugin-opt=jobs=1 \
; RUN:   -Wl,-plugin-opt=O3,-plugin-opt=-function-sections=1,-plugin-opt=lto-partitions=2,-plugin-opt=new-pass-manager && ./a'
; Nothing is inlined at O0.
; RUN: cd %t && %each-linker 'bash link.sh $LINKER -Wl,-plugin-opt=O0,-plugin-opt=jobs=1,-plugin-opt=debug-pass-manager > passes && ./a' && \
; RUN:   %FileCheck %s --check-prefix=PASSES < passes
; PASSES: Running pass: GlobalDCEPass
; PASSES-NOT: Running pass: InlinerPass
; PASSES-NOT: Running pass: SROAPass

; RUN: cd %t && %each-linker 'rm -f a && %not bash link.sh $LINKER -Wl,-plugin-opt=no-such | %FileCheck %s --check-prefix=UNKNOWN && test ! -e a'
; UNKNOWN: {{ld.bfd: error|ld.gold: fatal error|mold: fatal}}: ThermoclineLTO: no-such: unknown option; -plugin-opt=help lists
; UNKNOWN-NOT: warning
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=-no-such | %FileCheck %s --check-prefix=DASHED'
; DASHED: ThermoclineLTO: -no-such: unknown option
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=-thermocline-cold-hint=300 | %FileCheck %s --check-prefix=VALUE'
; VALUE: for the --thermocline-cold-hint option: '300' is not a hint: 0 to 255
; VALUE: ThermoclineLTO: -plugin-opt: LLVM does not take the above option
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=-thermocline-cold-hint | %FileCheck %s --check-prefix=ARGUMENT'
; ARGUMENT: ThermoclineLTO: {{.*}}thermocline-cold-hint{{.*}} requires a value
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=thinlto-memprof-max-growth=5%% | %FileCheck %s --check-prefix=BADGROWTH'
; BADGROWTH: ThermoclineLTO: thinlto-memprof-max-growth: '5%' is not a growth
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=thinlto-memprof-min-context | %FileCheck %s --check-prefix=MISSING'
; MISSING: ThermoclineLTO: thinlto-memprof-min-context: missing value
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=O4 | %FileCheck %s --check-prefix=LEVEL'
; LEVEL: ThermoclineLTO: O: '4' is not a level: 0 to 3
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=jobs=many | %FileCheck %s --check-prefix=JOBS'
; JOBS: ThermoclineLTO: jobs: 'many' is not a number of threads
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=cache-policy=often | %FileCheck %s --check-prefix=POLICY'
; POLICY: ThermoclineLTO: cache-policy: Unknown key: 'often'
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=save-temps=all | %FileCheck %s --check-prefix=FLAG'
; FLAG: ThermoclineLTO: save-temps: takes no value
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=thinlto-prefix-replace=a | %FileCheck %s --check-prefix=REPLACE'
; REPLACE: ThermoclineLTO: thinlto-prefix-replace: 'a' is not of the form old;new
; RUN: cd %t && %each-linker '%not bash link.sh $LINKER -Wl,-plugin-opt=thinlto-memprof-profile=none | %FileCheck %s --check-prefix=PROFILE'
; PROFILE: ThermoclineLTO: --thinlto-memprof-profile: none: No such file or directory
