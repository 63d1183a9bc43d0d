; --time-trace shows which phases of the link are Thermocline's, those of the engine
; among them. lld writes it before the report, thermo-lto after.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc -module-hash %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o program \
; RUN:   -Wl,--save-temps,--time-trace=lld.json,--time-trace-granularity=0
; RUN: cd %t && %thermo-lto run --resolution-file=program.resolution.txt -o again \
; RUN:   -time-trace -time-trace-file=tool.json -time-trace-granularity=0
; RUN: cd %t && for trace in lld tool; do grep -o '"name":"Thermocline: [^"]*"' $trace.json | sort -u > $trace.txt; done
; RUN: %FileCheck %s < %t/lld.txt
; RUN: %FileCheck %s --check-prefixes=CHECK,REPORT < %t/tool.txt
; CHECK: Thermocline: construct subsets
; CHECK-NEXT: Thermocline: decide
; CHECK-NEXT: Thermocline: match
; CHECK-NEXT: Thermocline: merge
; CHECK-NEXT: Thermocline: minimize
; CHECK-NEXT: Thermocline: read summaries
; REPORT-NEXT: Thermocline: report
; CHECK-NEXT: Thermocline: two versions
; CHECK-NEXT: Thermocline: write decisions
; CHECK-NEXT: Thermocline: write settings
