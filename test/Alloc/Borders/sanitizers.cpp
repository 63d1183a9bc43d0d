// Hinted programs run under sanitizers, with either form of the allocator: the
// sanitizer's malloc then serves them, nothing lands cold, and the statistics
// say why. The sanitizer sees hinted objects as it sees others.
//
// RUN: for sanitizer in address thread memory leak; do \
// RUN:   %clangxx -fno-builtin -O1 -fsanitize=$sanitizer %s %liballoc -fuse-ld=lld -o %t.$sanitizer || exit 1; \
// RUN:   %clangxx -fno-builtin -O1 -fsanitize=$sanitizer %s -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.$sanitizer.shared || exit 1; \
// RUN:   for program in %t.$sanitizer %t.$sanitizer.shared; do \
// RUN:     env THERMOCLINE_ALLOC_STATS=1 $program 2>&1 | %FileCheck %s || exit 1; done; done
// CHECK: all is well
// CHECK: kind=malloc calls=1 bytes=100 cold_calls=0
// CHECK: warning: nothing lands cold: a sanitizer's malloc serves this process
// CHECK-NOT: {{.}}
//
// RUN: %not %t.address overflow 2>&1 | %FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: AddressSanitizer: heap-buffer-overflow
// OVERFLOW: malloc_cold
//
// Two that pass malloc on to the next one get memory of the allocator that comes
// after them, and of the one before.
// RUN: for sanitizer in realtime type; do \
// RUN:   %clangxx -fno-builtin -O1 -fsanitize=$sanitizer %s %liballoc -fuse-ld=lld -o %t.$sanitizer && env THERMOCLINE_ALLOC_STATS=1 %t.$sanitizer 2>&1 | %FileCheck %s && \
// RUN:   %clangxx -fno-builtin -O1 -fsanitize=$sanitizer %s -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.$sanitizer.shared && \
// RUN:   env THERMOCLINE_ALLOC_STATS=1 timeout 60 %t.$sanitizer.shared 2>&1 | %FileCheck %s --check-prefix=PASSED || exit 1; done
// PASSED: all is well
// PASSED: kind=malloc calls=1 bytes=100 cold_calls=1
// PASSED-NOT: warning
//
// Those without a malloc leave everything as it is, and the archive stands before
// one that is an allocator.
// RUN: for sanitizer in undefined safe-stack kcfi shadow-call-stack scudo; do \
// RUN:   %clangxx -fno-builtin -O1 -fsanitize=$sanitizer %s %liballoc -fuse-ld=lld -o %t.$sanitizer && \
// RUN:   env THERMOCLINE_ALLOC_STATS=1 %t.$sanitizer 2>&1 | %FileCheck %s --check-prefix=COLD || exit 1; done
// COLD: kind=malloc calls=1 bytes=100 cold_calls=1
// COLD-NOT: nothing lands cold

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <thread>

extern "C" void *malloc_cold(size_t Size);

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

int main(int ArgumentCount, char **) {
  char *Cold = static_cast<char *>(malloc_cold(100));
  Cold[ArgumentCount > 1 ? 100 : 99] = 1;
  // Memory that libc gives and memory that it takes.
  char *Copy = strdup("copy");
  std::thread([&] { std::free(Copy); }).join();
  char *Line = static_cast<char *>(std::malloc(1));
  size_t Size = 1;
  FILE *Self = std::fopen("/proc/self/status", "r");
  require(Self && getline(&Line, &Size, Self) > 1);
  std::fclose(Self);
  std::free(Line);
  void *Aligned = nullptr;
  require(posix_memalign(&Aligned, 256, 10) == 0);
  Aligned = std::realloc(Aligned, 1000);
  require(malloc_usable_size(Aligned) >= 1000);
  std::free(Aligned);
  std::free(memalign(64, 64));
  std::free(std::calloc(3, 4));
  delete[] new char[10];
  try {
    throw std::bad_alloc();
  } catch (const std::bad_alloc &) {
  }
  std::free(Cold);
  std::puts("all is well");
  std::fflush(stdout);
}
