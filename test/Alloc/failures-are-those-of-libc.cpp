// A hinted call that cannot be served fails as the plain call does: null and
// errno, an error number, the new handler and std::bad_alloc. With both
// libraries.
//
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t.alloc
// RUN: %clangxx -std=c++20 -O0 -I%srcroot/runtime/alloc/include %s %libhints -o %t.hints
// RUN: %t.alloc | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_ORDER=1 %t.alloc | %FileCheck %s
// RUN: %t.hints | %FileCheck %s
// CHECK: all failed well

#include "thermocline/hints.h"
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

static void require(bool Condition, const char *What) {
  if (Condition)
    return;
  std::fprintf(stderr, "failed: %s\n", What);
  std::_Exit(1);
}

template <typename Call> static void failsWith(int Error, Call Try) {
  errno = 0;
  require(Try() == nullptr, "null");
  require(errno == Error, "errno");
}

static int HandlerCalls = 0;

template <typename Call> static void throwsBadAlloc(Call Try) {
  std::set_new_handler([] {
    if (++HandlerCalls % 2 == 0)
      std::set_new_handler(nullptr);
  });
  int Before = HandlerCalls;
  bool Thrown = false;
  try {
    Try();
  } catch (const std::bad_alloc &) {
    Thrown = true;
  }
  require(Thrown, "bad_alloc");
  require(HandlerCalls == Before + 2, "new handler called");
}

int main() {
  constexpr auto Cold = __hot_cold_t(1);
  constexpr auto Aligned = std::align_val_t(64);
  volatile size_t Huge = SIZE_MAX - 100, Half = SIZE_MAX / 2 + 1;
  failsWith(ENOMEM, [&] { return malloc_cold(Huge); });
  failsWith(ENOMEM, [&] { return malloc_cold(Half); });
  failsWith(ENOMEM, [&] { return calloc_cold(Huge, 1); });
  failsWith(ENOMEM, [&] { return calloc_cold(Half, 2); });
  failsWith(ENOMEM, [&] { return reallocarray_cold(nullptr, Half, 2); });
  failsWith(ENOMEM, [&] { return aligned_alloc_cold(64, Huge); });
  failsWith(ENOMEM, [&] { return memalign_cold(64, Huge); });
  failsWith(EINVAL, [&] { return memalign_cold(Huge, 1); });

  for (bool StartsCold : {false, true}) {
    char *Old = static_cast<char *>(StartsCold ? malloc_cold(9) : malloc(9));
    std::strcpy(Old, "unharmed");
    failsWith(ENOMEM, [&] { return realloc_cold(Old, Huge); });
    failsWith(ENOMEM, [&] { return reallocarray_cold(Old, Half, 2); });
    failsWith(ENOMEM, [&] { return realloc(Old, Huge); });
    require(std::strcmp(Old, "unharmed") == 0, "object after a failed realloc");
    require(realloc_cold(Old, 0) == nullptr, "realloc to nothing frees");
  }

  void *P = &P;
  require(posix_memalign_cold(&P, 3, 10) == EINVAL, "bad alignment");
  require(posix_memalign_cold(&P, 4, 10) == EINVAL, "small alignment");
  require(posix_memalign_cold(&P, 64, Huge) == ENOMEM, "no memory");
  require(P == &P, "result untouched");

  throwsBadAlloc([&] { return ::operator new(Huge, Cold); });
  throwsBadAlloc([&] { return ::operator new[](Huge, Cold); });
  throwsBadAlloc([&] { return ::operator new(Huge, Aligned, Cold); });
  throwsBadAlloc([&] { return ::operator new[](Huge, Aligned, Cold); });
  std::set_new_handler([] { throw std::bad_alloc(); });
  require(!::operator new(Huge, std::nothrow, Cold), "nothrow");
  require(!::operator new[](Huge, std::nothrow, Cold), "nothrow");
  require(!::operator new(Huge, Aligned, std::nothrow, Cold), "nothrow");
  require(!::operator new[](Huge, Aligned, std::nothrow, Cold), "nothrow");

  // Nothing asked for is an object all the same.
  void *A = malloc_cold(0), *B = malloc_cold(0);
  require(A && B && A != B, "objects of no size");
  free(A);
  free(B);
  free(memalign_cold(48, 10)); // Rounded up to 64.
  std::puts("all failed well");
}
