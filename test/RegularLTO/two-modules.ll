; The merged module of regular LTO gets versions, redirected calls and hints, at
; every level, and the same counts and report as a ThinLTO link.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %llvm-as %S/../Link/Inputs/main.ll -o main.o && %llvm-as %S/../Link/Inputs/node.ll -o node.o
; RUN: cd %t && for level in 0 1 2 3; do \
; RUN:   %clangxx --ld-path=%ld.lld -flto=full -Wl,--lto-O$level,--thinlto-memprof=on main.o node.o %liballoc -o program$level \
; RUN:     -Wl,--save-temps -Wl,--thinlto-memprof-report=report.txt -Wl,-mllvm,-thermocline-stats 2>&1 \
; RUN:     | %FileCheck %s --check-prefix=STATS || exit 1; \
; RUN:   ./program$level || exit 1; \
; RUN:   %llvm-dis < program$level.0.4.opt.bc | %FileCheck %s || exit 1; done
; RUN: %FileCheck %s --check-prefix=REPORT < %t/report.txt

; STATS-NOT: warning
; STATS: ld.lld: thermocline: 1 clone of 1 function; cold->cold 1 context, 6.2 KiB; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 1 context, 800 B
; STATS-NEXT: ld.lld: thermocline: 1 module compiled, 1 call made cold (1 operator new(unsigned long))
; STATS-NOT: {{.}}

; CHECK-NOT: !memprof
; CHECK-NOT: !callsite
; CHECK-LABEL: @main(
; CHECK: call {{.*}}@node(
; CHECK: call {{.*}}@node.memprof.1(
; CHECK: define internal {{.*}}@node(
; CHECK: call {{.*}}@_Znwm({{.*}} [[NOTCOLD:#[0-9]+]]
; CHECK: define internal {{.*}}@node.memprof.1(
; CHECK: call {{.*}}@_Znwm12__hot_cold_t(i64 {{.*}}, i8 {{.*}}1) [[COLD:#[0-9]+]]
; CHECK-DAG: attributes [[NOTCOLD]] = { {{.*}}"memprof"="notcold"
; CHECK-DAG: attributes [[COLD]] = { {{.*}}"memprof"="cold"
; CHECK-NOT: !memprof

; REPORT: cold -> cold 1 6.2 KiB
; REPORT: Recall: 100.0 %
; REPORT: Clones: 1, of 1 of 2 functions; 2 instructions added
; REPORT: Cold hints: operator new(unsigned long) 1

; The driver's own partitions, and the tool that links without lld.
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=full -Wl,--lto-partitions=2 main.o node.o %libhints -o program
; RUN: cd %t && ./program && %llvm-nm program | %FileCheck %s --check-prefix=SYMBOLS
; SYMBOLS: _Znwm12__hot_cold_t
; SYMBOLS: node.memprof.1
; RUN: cd %t && %thermo-lto run main.o node.o -o lto -save-temps -thermocline-stats -r=main.o,main,plx -r=main.o,node,l \
; RUN:   -r=node.o,node,pl -r=node.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=TOOL
; RUN: %llvm-dis < %t/lto.0.4.opt.bc | %FileCheck %s
; TOOL: thermo-lto: thermocline: 1 clone of 1 function; cold->cold 1 context

; Switched off, nothing is left of it.
; RUN: cd %t && for off in supports-hot-cold-new enable-memprof-context-disambiguation; do \
; RUN:   %clangxx --ld-path=%ld.lld -flto=full -Wl,-mllvm,-$off=false main.o node.o -o program || exit 1; \
; RUN:   %llvm-nm program | %FileCheck %s --check-prefix=OFF || exit 1; done
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=full -Wl,-mllvm,-thermocline-clone=false main.o node.o -o program 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=NOCLONE
; RUN: cd %t && %llvm-nm program | %FileCheck %s --check-prefix=OFF
; NOCLONE: warning: the profile has 1 cold context, but no allocation is hinted cold: 1
; OFF-NOT: memprof
; OFF-NOT: hot_cold

; Calls that were marked when they were compiled are lowered.
; RUN: cd %t && sed 's/builtin allocsize(0), !memprof !1, !callsite !6/builtin "memprof"="cold"/' \
; RUN:   %S/../Link/Inputs/node.ll > cold.ll && %llvm-as cold.ll -o cold.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=full main.o cold.o %libhints -o program \
; RUN:   -Wl,-mllvm,-thermocline-stats 2>&1 | %FileCheck %s --check-prefix=MARKED
; MARKED: 1 call made cold (1 operator new(unsigned long))
; RUN: %t/program
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=LOWERED
; LOWERED: _Znwm12__hot_cold_t
