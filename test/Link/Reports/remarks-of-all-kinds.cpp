// Remarks reach people by every way that clang and lld have for them, with places
// in the source: what was cloned, redirected and hinted, and what was not and why.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: python3 %S/../../Annotate/Inputs/profile.py %llvm-profdata %s profile
// RUN: %clangxx -c -O2 -flto=thin -g -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use \
// RUN:   -fmemory-profile-use=profile %s -o main.o

// On the terminal.
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o program -Rpass=memprof -Rpass-missed=memprof 2>&1 \
// RUN:   | %FileCheck %s
// CHECK-DAG: {{.*}}.cpp:[[#LEAF:]]:59: call in clone _Z4leafj.memprof.1 marked with memprof allocation attribute cold
// CHECK-DAG: {{.*}}.cpp:[[#LEAF]]:59: call in clone _Z4leafj.memprof.1 calls _Znam12__hot_cold_t
// CHECK-DAG: {{.*}}.cpp:[[#LEAF]]:0: created clone _Z4leafj.memprof.1
// CHECK-DAG: {{.*}}.cpp:{{[0-9]+}}:49: call in clone _Z4coldv assigned to call function clone _Z4leafj.memprof.1
// CHECK-DAG: {{.*}}.cpp:[[#LEAF]]:59: call in _Z4leafj is not hinted for 1 cold context, 500 bytes: unmatched frame
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o program -Rpass-missed=memprof 2>&1 | %FileCheck %s --check-prefix=MISSED
// MISSED: not hinted
// MISSED-NOT: created clone

// In a file, as YAML and as bitstream.
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o program -fsave-optimization-record
// RUN: cat program-opt.ld.yaml.thin* | %FileCheck %s --check-prefix=YAML
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o program -Wl,--opt-remarks-filename,all.yaml \
// RUN:   -Wl,--opt-remarks-passes,memprof
// RUN: cat all.yaml.thin* | %FileCheck %s --check-prefix=YAML
// YAML: --- !Missed
// YAML-NEXT: Pass: memprof-context-disambiguation
// YAML-NEXT: Name: MemprofMissed
// YAML-NEXT: DebugLoc: { File: '{{.*}}remarks-of-all-kinds.cpp'
// YAML: Column: 59
// YAML-NEXT: Function: _Z4leafj
// YAML-NEXT: Args:
// YAML-NEXT: AllocationCall: call
// YAML: Caller: _Z4leafj
// YAML: Contexts: '1'
// YAML: Bytes: '500'
// YAML: Reason: unmatched frame
// RUN: %llvm-remarkutil count --parser=yaml --remark-name=MemprofMissed $(ls all.yaml.thin*) | %FileCheck %s --check-prefix=ONE
// ONE: .cpp,1{{$}}
// RUN: %llvm-opt-report $(ls all.yaml.thin*) > report.txt

// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o program -fsave-optimization-record=bitstream
// RUN: cat program-opt.ld.bitstream.thin* > record
// RUN: %llvm-bcanalyzer record | %FileCheck %s --check-prefix=STREAM
// STREAM: Stream type: LLVM Remarks
// RUN: %llvm-remarkutil bitstream2yaml record -o - | %FileCheck %s --check-prefix=YAML
// RUN: for name in MemprofClone MemprofCall MemprofAttribute MemprofHint MemprofMissed; do \
// RUN:   %llvm-remarkutil count --parser=bitstream --remark-name=$name record; done | %FileCheck %s --check-prefix=COUNTS
// COUNTS: .cpp,1{{$}}
// COUNTS: .cpp,1{{$}}
// COUNTS: .cpp,2{{$}}
// COUNTS: .cpp,1{{$}}
// COUNTS: .cpp,1{{$}}

// Regular LTO and the tool.
// RUN: %clangxx -c -O2 -flto=full -g -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use \
// RUN:   -fmemory-profile-use=profile %s -o full.o
// RUN: %clangxx --ld-path=%ld.lld -flto=full full.o %libhints -o program -fsave-optimization-record
// RUN: %FileCheck %s --check-prefix=YAML < program-opt.ld.yaml

// PROFILE: notcold 1000: _Z4leafj+0:59 < _Z3hotv+0:48 < main+1:13
// PROFILE: cold    2000: _Z4leafj+0:59 < _Z4coldv+0:49 < main+2:13
// PROFILE: cold    500:  _Z4leafj+0:59 < _Z4lostv+7:7 < main+3:13

// clang-format off
__attribute__((noinline)) char *leaf(unsigned N) { return new char[N]; }
__attribute__((noinline)) char *hot() { return leaf(10); }
__attribute__((noinline)) char *cold() { return leaf(20); }
int main() {
  char *A = hot();
  char *B = cold();
  return A[1] + B[2];
}
