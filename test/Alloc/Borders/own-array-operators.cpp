// A program's own operators may be those of arrays alone, with or without an
// alignment: hinted calls of these go to them, too, never to the cold heap.
// Operators of single objects are judged with those of arrays.
//
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t.static
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.shared
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %libhints -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.hints
// RUN: for kind in static shared hints; do env THERMOCLINE_ALLOC_STATS=1 %t.$kind 2>&1 | %FileCheck %s || exit 1; done
// CHECK: freed what was made
// CHECK: kind=total calls=4 bytes=40 cold_calls=0 cold_bytes=0

#include "thermocline/hints.h"
#include <cstdio>
#include <cstdlib>

static constexpr std::size_t Header = 64;

static void *behindHeader(std::size_t Size) {
  char *P = static_cast<char *>(std::aligned_alloc(Header, Header + 64));
  if (!P || Size > 64)
    std::abort();
  *reinterpret_cast<std::size_t *>(P) = 0x5eed;
  return P + Header;
}

static void freeWithHeader(void *P) {
  char *Start = static_cast<char *>(P) - Header;
  if (*reinterpret_cast<std::size_t *>(Start) != 0x5eed)
    std::abort();
  std::free(Start);
}

void *operator new[](std::size_t Size) { return behindHeader(Size); }
void operator delete[](void *P) noexcept { freeWithHeader(P); }
void *operator new[](std::size_t Size, std::align_val_t) {
  return behindHeader(Size);
}
void operator delete[](void *P, std::align_val_t) noexcept {
  freeWithHeader(P);
}

int main() {
  constexpr auto Cold = __hot_cold_t(1);
  constexpr auto Alignment = std::align_val_t(64);
  ::operator delete[](::operator new[](10, Cold));
  ::operator delete[](::operator new[](10, std::nothrow, Cold));
  ::operator delete[](::operator new[](10, Alignment, Cold), Alignment);
  ::operator delete(::operator new(10, Cold));
  std::printf("freed what was made\n");
  std::fflush(stdout);
}
