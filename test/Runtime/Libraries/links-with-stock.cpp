// Objects of clang's -fmemory-profile and ours in one program, linked with our
// runtime or with LLVM's: accesses of both are counted.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx -gmlt -fdebug-info-for-profiling -fmemory-profile -DSTOCK -O1 -c %s -o %t/stock.o
// RUN: %clangxx --config=%generate-cfg -O1 -c %s -o %t/ours.o
// RUN: %clangxx --config=%generate-cfg -fuse-ld=lld %t/stock.o %t/ours.o -o %t/with-ours
// RUN: %clangxx -fmemory-profile -fuse-ld=lld -Wl,--build-id %t/stock.o %t/ours.o -o %t/with-stock
// RUN: env MEMPROF_OPTIONS=log_path=%t/raw-ours %t/with-ours
// RUN: env MEMPROF_OPTIONS=log_path=%t/raw-stock %t/with-stock
// RUN: python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t/with-stock %t/raw-stock.* %t/with-ours %t/raw-ours.* --require allocateForBoth=300

#include <cstdlib>

extern "C" long inStock(volatile long *P);

#ifdef STOCK
extern "C" long inStock(volatile long *P) {
  for (int I = 0; I < 100; ++I)
    P[0] = I;
  return 0;
}
#else
extern "C" __attribute__((noinline)) volatile long *allocateForBoth() {
  return static_cast<volatile long *>(malloc(72));
}
int main() {
  volatile long *P = allocateForBoth();
  for (int I = 0; I < 100; ++I)
    P[0] += I;
  inStock(P);
  free(const_cast<long *>(P));
}
#endif
