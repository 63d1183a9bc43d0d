; Link lines that people wrote for stock lld keep working. What steers LLVM's own
; algorithm has no effect here, which is said once, with what does it here.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/main.ll -o main.o
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %liballoc -o program \
; RUN:   -Wl,-mllvm,-supports-hot-cold-new -Wl,-mllvm,-enable-memprof-context-disambiguation \
; RUN:   -Wl,-mllvm,-optimize-hot-cold-new -Wl,-mllvm,-memprof-report-hinted-sizes \
; RUN:   -Wl,-mllvm,-memprof-verify-ccg -Wl,-mllvm,-memprof-tail-call-search-depth=3 \
; RUN:   -Wl,-mllvm,-memprof-merge-clones=false -Wl,-mllvm,-memprof-allow-recursive-contexts \
; RUN:   -Wl,-mllvm,-memprof-cloning-cold-threshold=90 -Wl,-mllvm,-memprof-export-to-dot \
; RUN:   -Wl,-mllvm,-memprof-ave-lifetime-cold-threshold=0 \
; RUN:   -Wl,-mllvm,-memprof-annotate-static-data-prefix=false 2>&1 | %FileCheck %s
; RUN: %t/program
; RUN: %llvm-nm %t/program | %FileCheck %s --check-prefix=VERSION
; CHECK-NOT: warning
; CHECK: warning: -memprof-allow-recursive-contexts has no effect: it steers LLVM's own pass, which Thermocline's stands in for{{$}}
; CHECK-NEXT: warning: -memprof-ave-lifetime-cold-threshold has no effect: it steers compiles, not links{{$}}
; CHECK-NEXT: warning: -memprof-cloning-cold-threshold has no effect: it steers LLVM's own pass, {{.*}}; --thinlto-memprof-report=FILE says of each cold context that gets no hint why, and thermo-lto explain what helps
; CHECK-NEXT: warning: -memprof-export-to-dot has no effect: {{.*}}; --thinlto-memprof-dot=FILE draws the decisions
; CHECK-NEXT: warning: -memprof-merge-clones has no effect
; CHECK-NEXT: warning: -memprof-report-hinted-sizes has no effect: {{.*}}; --thinlto-memprof-report=FILE tells the bytes of every context
; CHECK-NEXT: warning: -memprof-tail-call-search-depth has no effect
; CHECK-NEXT: warning: -memprof-verify-ccg has no effect
; CHECK-NOT: warning
; VERSION: t node.memprof.1

; Every MemProf option that stock LLVM takes in a link is taken, and the link
; speaks of every one that does nothing.
; RUN: %llvm-lto2 run --help-hidden | grep -oE -- '^ *--memprof-[a-z-]+(=<[a-z]+>)?' \
; RUN:   | sed -e 's/^ *--//; s/=<number>/=1/; s/=<u*int>/=1/; s/=<value>/=all/; s/=<[a-z]*>/=x/' | sort -u > %t/names
; RUN: grep -c . %t/names | %FileCheck %s --check-prefix=COUNT
; COUNT: {{^[4-9][0-9]$}}
; RUN: cd %t && for name in $(cat names); do echo "-mllvm -$name"; done > all.rsp
; RUN: cd %t && %ld.lld -e main main.o node.o %libhints --unresolved-symbols=ignore-all -o all @all.rsp 2> all.txt
; RUN: cd %t && for name in $(sed 's/=.*//' names); do grep -q -- "-$name has no effect" all.txt || echo "silent: $name"; done \
; RUN:   | %FileCheck %s --check-prefix=SILENT
; SILENT: silent: memprof-annotate-static-data-prefix
; SILENT-NOT: silent

; Switched off, no version is made and nothing is hinted.
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o -o off \
; RUN:   -Wl,-mllvm,-supports-hot-cold-new=false
; RUN: %llvm-nm %t/off | %FileCheck %s --check-prefix=OFF
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o -o off \
; RUN:   -Wl,-mllvm,-enable-memprof-context-disambiguation=false
; RUN: %llvm-nm %t/off | %FileCheck %s --check-prefix=OFF
; RUN: cd %t && %clangxx --ld-path=%ld.lld -flto=thin main.o node.o %libhints -o off \
; RUN:   -Wl,-mllvm,-thermocline-clone=false 2>&1 | %FileCheck %s --check-prefix=NOHINT
; RUN: %llvm-nm %t/off | %FileCheck %s --check-prefix=OFF
; OFF-NOT: memprof
; OFF-NOT: hot_cold
; NOHINT: warning: the profile has 1 cold context, but no allocation is hinted cold

; Several options in one place, hints off or not, are one error each.
; RUN: %not %ld.lld -mllvm -thermocline-no-such %t/main.o 2>&1 | %FileCheck %s --check-prefix=BAD
; BAD: Unknown command line argument '-thermocline-no-such'
; RUN: %not %ld.lld -mllvm -thermocline-cold-hint=256 %t/main.o 2>&1 | %FileCheck %s --check-prefix=HINT
; HINT: '256' is not a hint: 0 to 255
