// Small objects come from caches of threads, on a path that knows no failure.
// When the caches and all memory behind them are used up, calls fail all the
// same as libc's do, hinted ones after they have got ordinary memory; and each
// is counted as what it became, from several threads.
//
// RUN: %clangxx -std=c++20 -O1 -fno-builtin -I%srcroot/runtime/alloc/include %s %liballoc -pthread -fuse-ld=lld -o %t
// RUN: env THERMOCLINE_ALLOC_COLD_MIB=3 %t | %FileCheck %s
// RUN: %clangxx -std=c++20 -O1 -fno-builtin -I%srcroot/runtime/alloc/include %s -pthread -L%build/lib -lthermocline_alloc -Wl,-rpath,%build/lib -o %t.shared
// RUN: env THERMOCLINE_ALLOC_COLD_MIB=3 %t.shared | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_COLD_MIB=3 %t | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_COLD_MIB=3 %t.shared | %FileCheck %s
// CHECK: all counted, and all failed well

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <thread>
#include <vector>

static void require(bool Condition, const char *What) {
  if (Condition)
    return;
  std::fprintf(stderr, "failed: %s\n", What);
  std::_Exit(1);
}

constexpr auto Cold = __hot_cold_t(1);
constexpr size_t Bytes = 48;
struct Kind {
  const char *Name;
  void *(*Call)();
  std::atomic<unsigned long long> Calls, ColdCalls;
};
static Kind Kinds[] = {
    {"malloc", [] { return malloc_cold(Bytes); }, 0, 0},
    {"new", [] { return ::operator new(Bytes, Cold); }, 0, 0},
    {"new_array", [] { return ::operator new[](Bytes, Cold); }, 0, 0},
    {"new_nothrow", [] { return ::operator new(Bytes, std::nothrow, Cold); }, 0,
     0},
};

// Objects are linked, so that the program needs no memory for a list of them.
static void *keep(void *Object, void *Next) {
  *static_cast<void **>(Object) = Next;
  return Object;
}

static void fillCold() {
  void *Last = nullptr;
  for (int I = 0; I != 40000; ++I)
    for (Kind &K : Kinds) {
      Last = keep(K.Call(), Last);
      ++K.Calls;
      K.ColdCalls += thermocline_alloc_is_cold(Last);
    }
  while (Last) {
    void *Next = *static_cast<void **>(Last);
    std::free(Last);
    Last = Next;
  }
}

// The call before may have set errno as well: it got the last object there was,
// and no more for its thread's cache.
template <typename Call> static void failsAtLast(Call Try) {
  for (errno = 0; Try();)
    errno = 0;
  require(errno == ENOMEM, "errno");
}

static int HandlerCalls = 0;

template <typename Call> static void throwsAtLast(Call Try) {
  HandlerCalls = 0;
  std::set_new_handler([] {
    if (++HandlerCalls == 3)
      std::set_new_handler(nullptr);
  });
  bool Thrown = false;
  try {
    for (;;)
      Try();
  } catch (const std::bad_alloc &) {
    Thrown = true;
  }
  require(Thrown && HandlerCalls == 3, "bad_alloc after the new handler");
}

int main() {
  std::vector<std::thread> Threads;
  for (int I = 0; I != 3; ++I)
    Threads.emplace_back(fillCold);
  for (std::thread &T : Threads)
    T.join();
  thermocline_alloc_counter Counters[32];
  size_t Count = thermocline_alloc_stats(Counters, 32, nullptr);
  for (Kind &K : Kinds)
    for (size_t I = 0; I != Count; ++I)
      if (std::strcmp(Counters[I].kind, K.Name) == 0) {
        require(K.ColdCalls != 0 && K.ColdCalls < K.Calls, "a full cold heap");
        require(Counters[I].calls == K.Calls, "calls");
        require(Counters[I].bytes == K.Calls * Bytes, "bytes");
        require(Counters[I].cold_calls == K.ColdCalls, "cold calls");
        require(Counters[I].cold_bytes == K.ColdCalls * Bytes, "cold bytes");
      }

  rlimit Limit = {256 << 20, 256 << 20};
  require(setrlimit(RLIMIT_AS, &Limit) == 0, "limit");
  throwsAtLast([] { return ::operator new(Bytes); });
  throwsAtLast([] { return ::operator new(Bytes, Cold); });
  throwsAtLast([] { return ::operator new[](Bytes, Cold); });
  failsAtLast([] { return std::malloc(Bytes); });
  failsAtLast([] { return malloc_cold(Bytes); });
  // The rest of another size class.
  throwsAtLast([] { return ::operator new(2000); });
  failsAtLast([] { return malloc_cold(3000); });
  failsAtLast([] { return std::malloc(5000); });
  std::puts("all counted, and all failed well");
  std::fflush(stdout);
  std::_Exit(0);
}
