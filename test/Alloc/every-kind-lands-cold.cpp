// Every hinted call gets memory in the cold heap, which free or delete takes;
// no plain call does. The counts at exit agree, in static and in shared links.
//
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %liballoc -Wl,--export-dynamic-symbol=thermocline_alloc_hints -fuse-ld=lld -o %t.static
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.shared
// RUN: env THERMOCLINE_ALLOC_STATS=1 %t.static 2>&1 | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_STATS=1 %t.shared 2>&1 | %FileCheck %s
//
// CHECK-COUNT-9: thermocline-alloc: pid={{[0-9]+}} kind={{(malloc|calloc|realloc|reallocarray|aligned_alloc|memalign|posix_memalign|strdup|strndup)}} calls=1 bytes={{[1-9][0-9]*}} cold_calls=1
// CHECK-NEXT: kind=new calls=1 bytes=100 cold_calls=1 cold_bytes=100
// CHECK-NEXT: kind=new_nothrow calls=1 bytes=101 cold_calls=1 cold_bytes=101
// CHECK-NEXT: kind=new_aligned calls=1 bytes=102 cold_calls=1 cold_bytes=102
// CHECK-NEXT: kind=new_aligned_nothrow calls=1 bytes=103 cold_calls=1 cold_bytes=103
// CHECK-NEXT: kind=new_array calls=1 bytes=104 cold_calls=1 cold_bytes=104
// CHECK-NEXT: kind=new_array_nothrow calls=1 bytes=105 cold_calls=1 cold_bytes=105
// CHECK-NEXT: kind=new_array_aligned calls=1 bytes=106 cold_calls=1 cold_bytes=106
// CHECK-NEXT: kind=new_array_aligned_nothrow calls=1 bytes=107 cold_calls=1 cold_bytes=107
// CHECK-NEXT: kind=size_returning_new calls=1 bytes=108 cold_calls=1 cold_bytes=108
// CHECK-NEXT: kind=size_returning_new_aligned calls=1 bytes=109 cold_calls=1 cold_bytes=109
// CHECK-NEXT: kind=not_cold calls=1 bytes=110 cold_calls=0 cold_bytes=0
// CHECK-NEXT: kind=total calls=20 bytes={{[0-9]+}} cold_calls=19 cold_bytes={{[0-9]+}}
// CHECK-NEXT: heap=cold live_bytes=0 mapped_bytes={{[1-9][0-9]*}} reserved_bytes=67108864
// CHECK-NOT: {{.}}

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>

static void require(bool Condition, const char *What) {
  if (Condition)
    return;
  std::fprintf(stderr, "failed: %s\n", What);
  std::_Exit(1);
}

/// Checks a cold object of Size bytes and fills it.
static void *cold(void *P, size_t Size, size_t Alignment = 16) {
  require(P != nullptr, "memory");
  require(thermocline_alloc_is_cold(P), "cold");
  require(malloc_usable_size(P) >= Size, "usable size");
  require(reinterpret_cast<uintptr_t>(P) % Alignment == 0, "alignment");
  std::memset(P, 0xa5, Size);
  return P;
}

static void *notCold(void *P) {
  require(P != nullptr, "memory");
  require(!thermocline_alloc_is_cold(P), "not cold");
  return P;
}

int main() {
  constexpr auto Cold = __hot_cold_t(1);
  constexpr auto Aligned = std::align_val_t(256);

  free(cold(malloc_cold(50), 50));
  char *Zeroed = static_cast<char *>(calloc_cold(10, 7));
  for (int I = 0; I != 70; ++I)
    require(Zeroed[I] == 0, "zeroed");
  free(cold(Zeroed, 70));
  char *Moved = static_cast<char *>(notCold(malloc(20)));
  std::strcpy(Moved, "kept");
  Moved = static_cast<char *>(realloc_cold(Moved, 3000));
  require(std::strcmp(Moved, "kept") == 0, "contents after realloc_cold");
  require(thermocline_alloc_is_cold(Moved), "cold after realloc_cold");
  Moved = static_cast<char *>(realloc(Moved, 100000));
  require(std::strcmp(Moved, "kept") == 0, "contents after realloc");
  free(notCold(Moved));
  free(cold(reallocarray_cold(nullptr, 12, 5), 60));
  free(cold(aligned_alloc_cold(64, 128), 128, 64));
  free(cold(memalign_cold(4096, 10), 10, 4096));
  void *P = nullptr;
  require(posix_memalign_cold(&P, 512, 33) == 0, "posix_memalign_cold");
  free(cold(P, 33, 512));
  char *Text = strdup_cold("thermocline");
  require(std::strcmp(Text, "thermocline") == 0, "strdup_cold");
  free(cold(Text, 12));
  Text = strndup_cold("thermocline", 6);
  require(std::strcmp(Text, "thermo") == 0, "strndup_cold");
  free(cold(Text, 7));

  ::operator delete(cold(::operator new(100, Cold), 100));
  ::operator delete(cold(::operator new(101, std::nothrow, Cold), 101), 101);
  ::operator delete(cold(::operator new(102, Aligned, Cold), 102, 256),
                    Aligned);
  ::operator delete(
      cold(::operator new(103, Aligned, std::nothrow, Cold), 103, 256), 103,
      Aligned);
  ::operator delete[](cold(::operator new[](104, Cold), 104));
  ::operator delete[](cold(::operator new[](105, std::nothrow, Cold), 105));
  ::operator delete[](cold(::operator new[](106, Aligned, Cold), 106, 256),
                      Aligned);
  ::operator delete[](
      cold(::operator new[](107, Aligned, std::nothrow, Cold), 107, 256),
      Aligned, std::nothrow);
  __sized_ptr_t Sized = __size_returning_new_hot_cold(108, Cold);
  ::operator delete(cold(Sized.p, Sized.n), Sized.n);
  Sized = __size_returning_new_aligned_hot_cold(109, Aligned, Cold);
  ::operator delete(cold(Sized.p, Sized.n, 256), Aligned);
  ::operator delete(notCold(::operator new(110, __hot_cold_t(128))));

  free(notCold(malloc(50)));
  free(notCold(calloc(10, 7)));
  free(notCold(realloc(nullptr, 8)));
  free(notCold(aligned_alloc(64, 128)));
  free(notCold(memalign(64, 128)));
  free(notCold(valloc(1)));
  free(notCold(pvalloc(1)));
  free(notCold(strdup("plain")));
  delete static_cast<int *>(notCold(new int(1)));
  delete[] static_cast<char *>(notCold(new char[10]));
  ::operator delete(notCold(::operator new(64, Aligned)), Aligned);
  require(malloc_usable_size(nullptr) == 0, "usable size of null");
  free(nullptr);
}
