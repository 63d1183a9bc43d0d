// What was attached reaches the module summary, sizes included, and stock LLVM's
// thin link reads it from there. No option of LLVM's is needed.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 -flto=thin -c %debug-flags -fpass-plugin=%plugin -mllvm -thermocline-use -fmemory-profile-use=%t.prof %s -o %t.o
// RUN: %llvm-bcanalyzer -dump %t.o | %FileCheck %s --check-prefix=RECORDS
// RUN: %llvm-lto2 run %t.o -o %t.out -r=%t.o,main,plx -r=%t.o,_Z4leafj,plx -r=%t.o,_Z3hotv,plx -r=%t.o,_Z4coldv,plx -r=%t.o,_Znam, -r=%t.o,__thermocline_linked_by_another_linker,plx -r=%t.o,__thermocline_linked_by_another_linker_note,plx -enable-memprof-context-disambiguation -supports-hot-cold-new -memprof-dump-ccg 2>&1 | %FileCheck %s --check-prefix=LINK

// PROFILE: notcold 1000: _Z4leafj+0:59 < _Z3hotv+0:48 < main+1:13
// PROFILE: cold    2000: _Z4leafj+0:59 < _Z4coldv+0:49 < main+2:13

// clang-format off
__attribute__((noinline)) char *leaf(unsigned N) { return new char[N]; }
__attribute__((noinline)) char *hot() { return leaf(10); }
__attribute__((noinline)) char *cold() { return leaf(20); }
int main() {
  char *A = hot();
  char *B = cold();
  return A[1] + B[2];
}

// RECORDS-DAG: <STACK_IDS
// RECORDS-DAG: <ALLOC_CONTEXT_IDS
// RECORDS-DAG: <PERMODULE_ALLOC_INFO {{.*}}=2000{{.*}}=1000
// RECORDS-DAG: <PERMODULE_CALLSITE_INFO

// LINK:      CCG before updating call stack chains
// LINK:      AllocType 2 StackIds:
// LINK-NEXT: AllocType 1 StackIds:
// LINK-NEXT: ContextSizeInfo per MIB:
// LINK-NEXT: { {{[0-9]+}}, 2000 }
// LINK-NEXT: { {{[0-9]+}}, 1000 }
