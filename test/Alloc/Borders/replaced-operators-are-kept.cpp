// A program's own operator new and delete belong together: hinted calls go to
// its operator new, never to the cold heap. The allocator calls each once more,
// for one byte, to see whether they end in malloc and free.
//
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t.static
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.shared
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %libhints -o %t.hints
// RUN: env THERMOCLINE_ALLOC_STATS=1 %t.static 2>&1 | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_STATS=1 %t.shared 2>&1 | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 %t.static 2>&1 | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 %t.shared 2>&1 | %FileCheck %s
// RUN: %t.hints | %FileCheck %s --check-prefix=HINTS
// CHECK: 5 objects made, 5 deleted
// CHECK: kind=total calls=4 bytes=40 cold_calls=0 cold_bytes=0
// HINTS: 4 objects made, 4 deleted

#include "thermocline/hints.h"
#include <cstdio>
#include <cstdlib>

static int Made = 0, Deleted = 0;
static constexpr std::size_t Header = 32;

void *operator new(std::size_t Size) {
  ++Made;
  char *P = static_cast<char *>(std::malloc(Size + Header));
  *reinterpret_cast<std::size_t *>(P) = 0x5eed;
  return P + Header;
}

void operator delete(void *P) noexcept {
  char *Start = static_cast<char *>(P) - Header;
  if (*reinterpret_cast<std::size_t *>(Start) != 0x5eed)
    std::abort();
  ++Deleted;
  std::free(Start);
}

int main() {
  constexpr auto Cold = __hot_cold_t(1);
  ::operator delete(::operator new(10, Cold));
  ::operator delete(::operator new(10, std::nothrow, Cold), 10);
  ::operator delete[](::operator new[](10, Cold));
  ::operator delete[](::operator new[](10, std::nothrow, Cold), std::nothrow);
  std::printf("%d objects made, %d deleted\n", Made, Deleted);
  std::fflush(stdout);
}
