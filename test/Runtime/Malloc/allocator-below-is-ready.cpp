// What is not sampled goes to the allocator below the runtime's. glibc's sets
// itself up at its first call without a lock, so that call must not be one that
// threads of the program make at the same time: the runtime makes it before main.
// It is the one below if the link names the runtime before it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx -DLIBRARY -O1 -fPIC -shared %s -o liballocator.so
// RUN: %clangxx --config=%generate-sampling-cfg -O1 -fuse-ld=lld %s -L%build/lib -lthermocline_profile ./liballocator.so -o program -pthread
// RUN: env MEMPROF_OPTIONS=log_path=raw ./program | %FileCheck %s --check-prefixes=CHECK,ALL
// RUN: env MEMPROF_OPTIONS=log_path=raw2:sample=2 ./program | %FileCheck %s --check-prefixes=CHECK,SOME
// CHECK: ready before main: 1
// ALL: called from threads: 0
// SOME: called from threads: 1

#ifdef LIBRARY
#include <atomic>
#include <cstddef>
#include <cstring>

// Never frees; each allocation has its size in front.
alignas(64) static char Pool[64 << 20];
static std::atomic<size_t> Used, Calls;

extern "C" size_t allocatorCalls() { return Calls; }

extern "C" void *memalign(size_t Alignment, size_t Size) {
  ++Calls;
  if (Alignment < 64)
    Alignment = 64;
  size_t Needed = (Alignment + Size + Alignment - 1) / Alignment * Alignment;
  size_t Offset = (Used += Needed + Alignment) - Needed;
  char *Result = Pool + Offset / Alignment * Alignment;
  memcpy(Result - sizeof(Size), &Size, sizeof(Size));
  return Result;
}
extern "C" size_t malloc_usable_size(void *P) {
  size_t Size;
  memcpy(&Size, static_cast<char *>(P) - sizeof(Size), sizeof(Size));
  return Size;
}
extern "C" void *malloc(size_t Size) { return memalign(64, Size); }
extern "C" void free(void *) {}
extern "C" void *calloc(size_t Count, size_t Size) {
  return malloc(Count * Size); // The pool is zero.
}
extern "C" void *realloc(void *P, size_t Size) {
  void *Result = malloc(Size);
  if (P) {
    size_t Old = malloc_usable_size(P);
    memcpy(Result, P, Old < Size ? Old : Size);
  }
  return Result;
}
#else
#include <cstdio>
#include <cstdlib>
#include <thread>

extern "C" size_t allocatorCalls();

int main() {
  size_t Before = allocatorCalls();
  auto Allocate = [] {
    for (int I = 0; I < 100; ++I) {
      char *volatile P = static_cast<char *>(malloc(40));
      P[0] = 1;
      free(P);
    }
  };
  std::thread A(Allocate), B(Allocate);
  A.join();
  B.join();
  printf("ready before main: %d\n", Before > 0);
  printf("called from threads: %d\n", allocatorCalls() > Before);
}
#endif
