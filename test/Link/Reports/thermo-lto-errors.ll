; Bad input to thermo-lto run is one clear error and exit status 1.
;
; RUN: rm -rf %t && mkdir %t
; RUN: cd %t && %opt -thinlto-bc %S/../Inputs/node.ll -o node.o && echo text > text.o
; RUN: cd %t && head -c 700 node.o > truncated.o

; RUN: %not %thermo-lto 2>&1 | %FileCheck %s --check-prefix=NOCOMMAND
; NOCOMMAND: thermo-lto: error: no command; one of run, audit, report, decisions, explain, dot (see thermo-lto --help)
; RUN: %not %thermo-lto link 2>&1 | %FileCheck %s --check-prefix=COMMAND
; COMMAND: thermo-lto: error: unknown command 'link' (see thermo-lto --help)
; RUN: %thermo-lto --help | %FileCheck %s --check-prefix=HELP
; HELP: {{^}}  thermo-lto audit [options] FILE...
; HELP: {{^}}EXIT STATUS:
; HELP: {{^}}  run - Link bitcode modules
; RUN: %thermo-lto run --help | %FileCheck %s --check-prefix=RUNHELP
; RUNHELP: -save-temps
; RUN: %thermo-lto audit --help | %FileCheck %s --check-prefix=AUDITHELP
; AUDITHELP: -profile=<file>

; RUN: cd %t && %not %thermo-lto run -o lto 2>&1 | %FileCheck %s --check-prefix=NOINPUT
; NOINPUT: thermo-lto: error: run: no input files
; RUN: cd %t && %not %thermo-lto run node.o 2>&1 | %FileCheck %s --check-prefix=NOOUTPUT
; NOOUTPUT: thermo-lto: error: run: no output file; give one with -o
; RUN: cd %t && %not %thermo-lto run missing.o -o lto 2>&1 | %FileCheck %s --check-prefix=MISSING
; MISSING: thermo-lto: error: missing.o: No such file or directory
; RUN: cd %t && %not %thermo-lto run text.o -o lto 2>&1 | %FileCheck %s --check-prefix=TEXT
; TEXT: thermo-lto: error: text.o: {{.+}}
; RUN: cd %t && %not %thermo-lto run truncated.o -o lto 2>&1 | %FileCheck %s --check-prefix=TRUNCATED
; TRUNCATED: thermo-lto: error: truncated.o: {{.+}}
; RUN: cd %t && %not %thermo-lto run node.o -o lto -r=node.o,node,pl 2>&1 | %FileCheck %s --check-prefix=UNRESOLVED
; UNRESOLVED: thermo-lto: error: node.o: _Znwm: no resolution given for this symbol; add -r=node.o,_Znwm,FLAGS
; RUN: cd %t && %not %thermo-lto run node.o -o lto -r=node.o,node,pl -r=node.o,_Znwm, -r=node.o,nobody,p 2>&1 | %FileCheck %s --check-prefix=UNUSED
; UNUSED: thermo-lto: error: node.o: nobody: a resolution is given for a symbol that the file does not have
; RUN: cd %t && %not %thermo-lto run node.o -o lto -r=node.o,node,q -r=node.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=FLAG
; FLAG: thermo-lto: error: -r=node.o,node,q: unknown flag 'q'
; RUN: cd %t && %not %thermo-lto run node.o -o lto -r=node.o 2>&1 | %FileCheck %s --check-prefix=FORM
; FORM: thermo-lto: error: -r=node.o: expected FILE,SYMBOL,FLAGS
; RUN: cd %t && %not %thermo-lto run node.o -o lto -O7 2>&1 | %FileCheck %s --check-prefix=LEVEL
; LEVEL: thermo-lto: error: -O: the level must be 0 to 3
; RUN: cd %t && %not %thermo-lto run node.o -o lto -thinlto-threads=many 2>&1 | %FileCheck %s --check-prefix=THREADS
; THREADS: thermo-lto: error: -thinlto-threads: not a number of threads: many
; RUN: cd %t && %not %thermo-lto run node.o -o no/such/dir -r=node.o,node,plx -r=node.o,_Znwm, 2>&1 | %FileCheck %s --check-prefix=OUTPUT
; OUTPUT: thermo-lto: error: no/such/dir: there is no directory no/such
