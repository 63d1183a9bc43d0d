// Hints that the program passes to operator new itself. They stay as they are, and the
// report counts what of the profile they keep from being hinted. By
// --thinlto-memprof-own-hints=cold, cold contexts take the link's hint in place of the
// program's; by =always, the others take that for memory that is not cold. Both kinds
// of LTO, distributed backends and the cache do so.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: python3 %S/../../Annotate/Inputs/profile.py %llvm-profdata %s profile
// RUN: %clangxx -c -O2 -DALLOCATOR %s -o allocator.o
// RUN: for kind in thin full; do \
// RUN:   %clangxx -c -O2 -flto=$kind -gmlt -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use \
// RUN:     -fmemory-profile-use=profile %s -o $kind.o || exit 1; \
// RUN:   for own in "" =none =cold =always; do \
// RUN:     echo "$kind$own:"; \
// RUN:     %clangxx --ld-path=%ld.lld -flto=$kind $kind.o allocator.o %libhints -o program -Wl,-mllvm,-thermocline-stats \
// RUN:       -Wl,--thinlto-cache-dir=cache ${own:+-Wl,--thinlto-memprof-own-hints$own} -Wl,--save-temps 2>&1 || exit 1; \
// RUN:     ./program; done; done > all.txt
// RUN: %FileCheck %s < all.txt

// CHECK-LABEL: {{^}}thin:{{$}}
// CHECK: 0 clones {{.*}}cold->cold 0 contexts, 0 B; cold->not 1 context, 2.0 KiB
// CHECK: cold without a hint, hinted by the program itself: 1 context, 2.0 KiB
// CHECK: hints 200 200 7
// CHECK-LABEL: {{^}}thin=none:{{$}}
// CHECK: cold without a hint, hinted by the program itself: 1 context, 2.0 KiB
// CHECK: hints 200 200 7
// CHECK-LABEL: {{^}}thin=cold:{{$}}
// CHECK: cold->cold 1 context, 2.0 KiB; cold->not 0 contexts
// CHECK: 1 call made cold
// CHECK: hints 200 1 7
// CHECK-LABEL: {{^}}thin=always:{{$}}
// CHECK: hints 128 1 7
// CHECK-LABEL: {{^}}full:{{$}}
// CHECK: cold without a hint, hinted by the program itself: 1 context, 2.0 KiB
// CHECK: hints 200 200 7
// CHECK-LABEL: {{^}}full=none:{{$}}
// CHECK: hints 200 200 7
// CHECK-LABEL: {{^}}full=cold:{{$}}
// CHECK: hints 200 1 7
// CHECK-LABEL: {{^}}full=always:{{$}}
// CHECK: hints 128 1 7

// RUN: %clangxx --ld-path=%ld.lld -flto=thin thin.o allocator.o %libhints -o unused -Wl,--thinlto-index-only=list \
// RUN:   -Wl,--thinlto-memprof-backend=thermocline -Wl,--thinlto-memprof-own-hints=always -Wl,-mllvm,-notcold-new-hint-value=130
// RUN: %thermo-backend -O2 -c -x ir thin.o -fthinlto-index=thin.o.thinlto.bc -o native.o
// RUN: %clangxx -fuse-ld=lld native.o allocator.o %libhints -o distributed && ./distributed | %FileCheck %s --check-prefix=DISTRIBUTED
// DISTRIBUTED: hints 130 1 7

// RUN: %not %clangxx --ld-path=%ld.lld -flto=thin thin.o allocator.o %libhints -o program -Wl,--thinlto-memprof-own-hints=all 2>&1 | %FileCheck %s --check-prefix=BAD
// BAD: 'all' is none of none, cold and always

// PROFILE: notcold 1000: _Z4makej+0:67 < main+2:3
// PROFILE: cold    2000: _Z4makej+0:67 < main+3:3

// clang-format off
enum class __hot_cold_t : unsigned char {};
extern "C" int printf(const char *, ...);
#ifdef ALLOCATOR
extern "C" void *malloc(decltype(sizeof 0));
extern int Passed[3], Calls;
int Passed[3], Calls;
void *operator new(decltype(sizeof 0) N, __hot_cold_t Hint) { Passed[Calls++] = int(Hint); return malloc(N); }
#else
extern int Passed[3];
void *operator new(decltype(sizeof 0), __hot_cold_t);
__attribute__((noinline)) char *make(unsigned N) { return (char *)::operator new(N, __hot_cold_t{200}); }
__attribute__((noinline)) void unprofiled() { ::operator new(8, __hot_cold_t{7}); }
int main() {
  //
  make(10);
  make(20);
  unprofiled();
  printf("hints %d %d %d\n", Passed[0], Passed[1], Passed[2]);
}
#endif
