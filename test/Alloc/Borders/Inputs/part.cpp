// One part of a process: PART is main, library or plugin.
#include "thermocline/hints.h"
#include <cstdlib>
#include <cstring>

#define JOIN(A, B) A##B
#define NAME(Function, Part) JOIN(Function, Part)

/// Memory of this part's, by one of the ways there are.
extern "C" void *NAME(give_, PART)(int Way) {
  constexpr auto Cold = __hot_cold_t(1);
  switch (Way) {
  case 0:
    return malloc_cold(BYTES);
  case 1:
    return calloc_cold(1, BYTES);
  case 2:
    return realloc_cold(std::malloc(10), BYTES);
  case 3:
    return ::operator new(BYTES, Cold);
  case 4:
    return ::operator new[](BYTES, std::nothrow, Cold);
  case 5:
    return ::operator new(BYTES, std::align_val_t(128), Cold);
  case 6:
    return std::malloc(10);
  case 7:
    return ::operator new(10);
  case 8:
    return strdup("by libc");
  default:
    return strdup_cold("by the allocator, or libc");
  }
}

extern "C" void NAME(take_, PART)(int Way, void *Memory) {
  if (Way == 5)
    ::operator delete(Memory, std::align_val_t(128));
  else if (Way == 4)
    ::operator delete[](Memory);
  else if (Way == 3 || Way == 7)
    ::operator delete(Memory);
  else if (Way == 0)
    std::free(std::realloc(Memory, 20000));
  else
    std::free(Memory);
}
