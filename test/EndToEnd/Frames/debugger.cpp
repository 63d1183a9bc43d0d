// To a debugger, a symbolizer and whoever unwinds a stack, a version is the function:
// its name, its lines, its parameters. A breakpoint at the function is one at every
// version.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: python3 %S/../../Annotate/Inputs/profile.py %llvm-profdata %s profile
// RUN: %clangxx -c -O1 -fno-optimize-sibling-calls -flto=thin -g -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use \
// RUN:   -fmemory-profile-use=profile %s -o main.o
// RUN: for linker in lld bfd gold mold; do if [ $linker = lld ]; then option=--ld-path=%ld.lld; else option="-fuse-ld=$linker -Wl,-plugin,%lto-plugin"; fi; \
// RUN:   %clangxx $option $([ $linker != lld ] || echo -flto=thin) -no-pie main.o %libhints -o program-$linker || exit 1; done

// The symbol of the version has the function's name, file and line.
// RUN: for linker in lld bfd gold mold; do address=0x$(%llvm-nm program-$linker | grep '_Z4leafj.memprof.1' | cut -d' ' -f1) && \
// RUN:   %llvm-symbolizer --obj=program-$linker $address | %FileCheck %s --check-prefix=PLACE && \
// RUN:   %llvm-symbolizer --no-demangle --obj=program-$linker $address | %FileCheck %s --check-prefix=LINKAGE || exit 1; done
// PLACE: leaf(unsigned int)
// PLACE-NEXT: debugger.cpp:[[#LEAF:]]:
// LINKAGE: {{^}}_Z4leafj.memprof.1{{$}}

// The debug information has both, whole, each with its own symbol's name.
// RUN: %llvm-dwarfdump --verify program-lld > verified || (cat verified; false)
// RUN: %llvm-dwarfdump --name=leaf program-lld | %FileCheck %s --check-prefix=DWARF
// DWARF-DAG: DW_AT_linkage_name	("_Z4leafj")
// DWARF-DAG: DW_AT_linkage_name	("_Z4leafj.memprof.1")

// It stops in both, by whatever name, and sees through the version to main.
// RUN: for linker in lld bfd gold mold; do gdb -nx -batch -ex 'set confirm off' -ex 'set debuginfod enabled off' -ex 'break leaf' -ex run -ex bt -ex continue -ex bt -ex 'print N' -ex continue program-$linker > gdb.$linker 2>&1; \
// RUN:   %FileCheck %s --check-prefix=GDB < gdb.$linker || exit 1; done
// GDB: Breakpoint 1 at {{.*}} (2 locations)
// GDB: leaf (N=10) at {{.*}}debugger.cpp:
// GDB: #0 {{.*}}leaf (N=10)
// GDB-NEXT: #1 {{.*}}hot ()
// GDB-NEXT: #2 {{.*}}main ()
// GDB: leaf(unsigned int) [clone .memprof.1] (N=20) at {{.*}}debugger.cpp:
// GDB: #0 {{.*}}leaf(unsigned int) [clone .memprof.1] (N=20)
// GDB-NEXT: #1 {{.*}}cold ()
// GDB-NEXT: #2 {{.*}}main ()
// GDB: $1 = 20
// GDB: exited normally

// What LLVM's own cloning has: the same name of the version, and of its subprogram.
// RUN: %clangxx -flto=thin -fuse-ld=lld -no-pie main.o %libhints -o program-stock -Wl,-mllvm,-enable-memprof-context-disambiguation \
// RUN:   -Wl,-mllvm,-supports-hot-cold-new -Wl,-mllvm,-optimize-hot-cold-new
// RUN: %llvm-dwarfdump --name=leaf program-stock | %FileCheck %s --check-prefix=DWARF

// PROFILE: notcold 1000: _Z4leafj+0:59 < _Z3hotv+0:48 < main+1:13
// PROFILE: cold    2000: _Z4leafj+0:59 < _Z4coldv+0:49 < main+2:13

// clang-format off
__attribute__((noinline)) char *leaf(unsigned N) { return new char[N]; }
__attribute__((noinline)) char *hot() { return leaf(10); }
__attribute__((noinline)) char *cold() { return leaf(20); }
int main() {
  char *A = hot();
  char *B = cold();
  A[1] = B[2] = 0;
  return A[1] + B[2];
}
