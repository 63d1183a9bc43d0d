// With the profile that the modules were compiled with, the link knows what
// summaries do not tell: lifetimes, accesses, and the names of frames.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: python3 %S/../../Annotate/Inputs/profile.py %llvm-profdata %s right.memprofdata
// RUN: %clangxx -c -O2 -flto=thin -gmlt -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use \
// RUN:   -fmemory-profile-use=right.memprofdata %s -o main.o
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %liballoc -o program -Wl,-mllvm,-thermocline-stats \
// RUN:   -Wl,--thinlto-memprof-report=report.json -Wl,--thinlto-memprof-profile=right.memprofdata \
// RUN:   -Wl,--thinlto-emit-index-files 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=JSON < report.json

// leaf was inlined into middle, and is still there for others, where no call
// reaches it: its contexts count once.
// CHECK-NOT: warning
// CHECK: thermocline: 1 clone of 1 function; cold->cold 1 context, 2.0 KiB; cold->not 0 contexts, 0 B; not->cold 0 contexts, 0 B; not->not 1 context, 1000 B;
// CHECK-NOT: without a hint

// 2,000 bytes for 1,000 s, and 1,000 bytes for 1 ms; a function that was inlined
// everywhere has its name.
// JSON: "bytes": 2000
// JSON: "byteMilliseconds": 2000000000
// JSON-NEXT: "accesses": 0
// JSON: "function": "cold()"
// JSON: "function": "gone()"
// JSON: "function": "main"
// JSON: "bytes": 1000
// JSON: "byteMilliseconds": 1000
// JSON-NEXT: "accesses": 100000
// JSON: "function": "hot()"

// The audit of what the link wrote gives the engine's reasons, and says so.
// RUN: %thermo-lto audit --all --profile=right.memprofdata main.o.thinlto.bc | %FileCheck %s --check-prefix=AUDIT
// AUDIT: decided by the given index, as thermocline decides with the same options:
// AUDIT: gone() +0:

// Another profile than the modules have been compiled with.
// RUN: sed 's/0:61 </0:99 </' %s > other.cpp
// RUN: python3 %S/../../Annotate/Inputs/profile.py %llvm-profdata other.cpp other.memprofdata
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %liballoc -o program \
// RUN:   -Wl,--thinlto-memprof-profile=other.memprofdata 2>&1 | %FileCheck %s --check-prefix=OTHER
// OTHER: warning: --thinlto-memprof-profile: other.memprofdata: none of 4 contexts of the link is in the profile; were the modules compiled with another one?
// OTHER-NEXT: warning: 1 cold context of other.memprofdata, 2.0 KiB (100.0 % of its cold bytes), is of no allocation in the link: 2.0 KiB no call there that could be hinted; --thinlto-memprof-report=FILE lists them
// OTHER-NOT: {{.}}
// RUN: sed 's/< main+2:13/< main+3:13/' %s > half.cpp
// RUN: python3 %S/../../Annotate/Inputs/profile.py %llvm-profdata half.cpp half.memprofdata
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %liballoc -o program \
// RUN:   -Wl,--thinlto-memprof-profile=half.memprofdata 2>&1 | %FileCheck %s --check-prefix=HALF
// HALF: warning: {{.*}} half.memprofdata: 2 of 4 contexts of the link are not in the profile; were the modules compiled with another one?

// PROFILE: notcold 1000: _Z4leafj+0:55 < _Z6middlej+0:61 < _Z3hotv+0:48 < main+1:13
// PROFILE: cold    2000: _Z4leafj+0:55 < _Z6middlej+0:61 < _Z4coldv+0:49 < _Z4gonev+0:61 < main+2:13

// clang-format off
__attribute__((used)) char *leaf(unsigned N) { return new char[N]; }
__attribute__((noinline)) char *middle(unsigned N) { return leaf(N); }
__attribute__((noinline)) char *hot() { return middle(10); }
__attribute__((noinline)) char *cold() { return middle(20); }
inline __attribute__((always_inline)) char *gone() { return cold(); }
int main() {
  char *A = hot();
  char *B = gone();
  return A[1] + B[2];
}
