//===- alloc/entry/Statistics.cpp - Counters of hinted calls --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines are described in docs/allocator.md; programs read them.
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "abi/ProgramTable.h"
#include "heap/ColdHeap.h"
#include "heap/Export.h"
#include "heap/Print.h"
#include "heap/Role.h"
#include "heap/Sampler.h"
#include "order/OrderHeap.h"
#include "thermocline/Format/AllocationKinds.h"
#include "thermocline/alloc.h"
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

using namespace thermocline::alloc;

#pragma weak dlsym

namespace {

constexpr const char *KindNames[] = {
#define THERMOCLINE_NAME(Kind, Name, ...) Name,
    THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_NAME)
        THERMOCLINE_OPERATORS_NEW(THERMOCLINE_NAME)
#undef THERMOCLINE_NAME
            "not_cold",
};
static_assert(KindCount == sizeof(KindNames) / sizeof(KindNames[0]));

/// These count for threads that have no record of their own.
constinit Counter Counters[KindCount] = {};

/// Where the counts go at exit: "" for nowhere, "1" for stderr, else a file.
char Destination[PATH_MAX];

/// A forked process counts its own calls.
void forgetCounts() {
  for (Counter &C : Counters)
    C.forget();
  forgetThreads();
}

/// Whether libraries that are loaded find this allocator. Static programs have
/// no symbols for libraries at all.
bool isFound() {
  if (!dlsym || !dlsym(RTLD_DEFAULT, "malloc"))
    return true;
  return dlsym(RTLD_DEFAULT, "thermocline_alloc_hints") ==
             &thermocline_alloc_hints ||
         tableOfProgram() == &thermocline_alloc_hints;
}

/// Text of a bounded size that is written at once.
class Report {
public:
  void line(const char *Format, ...) __attribute__((format(printf, 2, 3))) {
    va_list Arguments;
    va_start(Arguments, Format);
    int Size = vsnprintf(Text + Used, sizeof(Text) - Used, Format, Arguments);
    va_end(Arguments);
    if (Size > 0 && Used + static_cast<size_t>(Size) < sizeof(Text))
      Used += static_cast<size_t>(Size);
  }
  void writeTo(int File) const { writeAll(File, Text, Used); }

private:
  char Text[8192];
  size_t Used = 0;
};

/// Opens the file that Destination names, where %p stands for the process id.
int openDestination() {
  char Path[PATH_MAX];
  const char *Mark = strstr(Destination, "%p");
  int Size = Mark ? snprintf(Path, sizeof(Path), "%.*s%d%s",
                             static_cast<int>(Mark - Destination), Destination,
                             getpid(), Mark + 2)
                  : snprintf(Path, sizeof(Path), "%s", Destination);
  if (Size < 0 || static_cast<size_t>(Size) >= sizeof(Path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  return open(Path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

void addLine(Report &To, const thermocline_alloc_counter &C) {
  To.line("thermocline-alloc: pid=%d kind=%s calls=%llu bytes=%llu "
          "cold_calls=%llu cold_bytes=%llu\n",
          getpid(), C.kind, C.calls, C.bytes, C.cold_calls, C.cold_bytes);
}

__attribute__((destructor(101))) void printStatistics() {
  if (Destination[0] == '\0')
    return;
  thermocline_alloc_counter Kinds[KindCount];
  thermocline_alloc_heap Heap;
  thermocline_alloc_stats(Kinds, KindCount, &Heap);
  thermocline_alloc_counter Total = {"total", 0, 0, 0, 0};
  Report Text;
  for (const thermocline_alloc_counter &C : Kinds) {
    addLine(Text, C);
    Total.calls += C.calls;
    Total.bytes += C.bytes;
    Total.cold_calls += C.cold_calls;
    Total.cold_bytes += C.cold_bytes;
  }
  addLine(Text, Total);
  Text.line("thermocline-alloc: pid=%d heap=cold live_bytes=%llu "
            "mapped_bytes=%llu reserved_bytes=%llu\n",
            getpid(), Heap.live_bytes, Heap.mapped_bytes, Heap.reserved_bytes);
  if (servesInOrder()) {
    const OrderHeapSizes Order = orderHeapSizes();
    Text.line("thermocline-alloc: pid=%d heap=order live_bytes=%llu "
              "mapped_bytes=%llu reserved_bytes=%llu\n",
              getpid(), static_cast<unsigned long long>(Order.Live),
              static_cast<unsigned long long>(Order.Mapped),
              static_cast<unsigned long long>(Order.Reserved));
  }
  if (const char *Why = whyNoneIsCold())
    Text.line("thermocline-alloc: pid=%d warning: nothing lands cold: %s\n",
              getpid(), Why);
  else if (!isFound())
    Text.line("thermocline-alloc: pid=%d warning: hinted calls of libraries do "
              "not find this allocator: the program does not export "
              "thermocline_alloc_hints\n",
              getpid());
  if (hasProgramNote(THERMOCLINE_NOTE_NATIVE_CODE))
    Text.line("thermocline-alloc: pid=%d warning: native code of fat objects "
              "was linked, which lacks hints of the heap profile\n",
              getpid());
  // Stock backends leave the note, and may have made hinted calls.
  if (Total.calls == 0 && hasProgramNote(THERMOCLINE_NOTE_OTHER_LINKER))
    Text.line("thermocline-alloc: pid=%d warning: no call is hinted: another "
              "linker than Thermocline's made the code, and lost hints of the "
              "heap profile\n",
              getpid());

  if (strcmp(Destination, "1") == 0) {
    Text.writeTo(STDERR_FILENO);
    return;
  }
  int File = openDestination();
  if (File < 0) {
    printLine("thermocline-alloc: error: %s: %s", Destination, strerror(errno));
    return;
  }
  Text.writeTo(File);
  close(File);
}

} // namespace

void thermocline::alloc::startStatistics() {
  pthread_atfork(nullptr, nullptr, forgetCounts);
  const char *Wanted = secure_getenv("THERMOCLINE_ALLOC_STATS");
  if (Wanted == nullptr || strcmp(Wanted, "0") == 0)
    return;
  if (strlen(Wanted) >= sizeof(Destination)) {
    printLine("thermocline-alloc: error: THERMOCLINE_ALLOC_STATS is too long");
    return;
  }
  strcpy(Destination, Wanted);
}

void *thermocline::alloc::count(Kind Called, void *Result, size_t SizeBytes) {
  if (Result == nullptr)
    return nullptr;
  bool Cold = countsAsCold(Result);
  if (ThreadRecord *Mine = myRecord()) {
    if (Cold)
      Mine->countCold(Called, SizeBytes);
    else
      Mine->countOrdinary(Called, SizeBytes);
    return Result;
  }
  Counter &C = Counters[static_cast<size_t>(Called)];
  (Cold ? C.ColdCalls : C.Calls).fetch_add(1, std::memory_order_relaxed);
  (Cold ? C.ColdBytes : C.Bytes)
      .fetch_add(SizeBytes, std::memory_order_relaxed);
  return Result;
}

THERMOCLINE_EXPORT size_t
thermocline_alloc_stats(thermocline_alloc_counter *Result, size_t Capacity,
                        thermocline_alloc_heap *Heap) {
  for (size_t I = 0; I != KindCount && I != Capacity; ++I) {
    const Counter &Shared = Counters[I];
    Counter C = {Shared.Calls.load(std::memory_order_relaxed),
                 Shared.Bytes.load(std::memory_order_relaxed),
                 Shared.ColdCalls.load(std::memory_order_relaxed),
                 Shared.ColdBytes.load(std::memory_order_relaxed)};
    for (ThreadRecord *R = firstRecord(); R != nullptr; R = R->Next)
      R->addTo(C, static_cast<Kind>(I));
    Result[I] = {KindNames[I], C.Calls + C.ColdCalls, C.Bytes + C.ColdBytes,
                 C.ColdCalls, C.ColdBytes};
  }
  if (Heap) {
    ColdHeapSizes Sizes = coldHeapSizes();
    *Heap = {Sizes.Live, Sizes.Mapped, Sizes.Reserved};
  }
  return KindCount;
}

THERMOCLINE_EXPORT int thermocline_alloc_is_cold(const void *Pointer) {
  return countsAsCold(Pointer);
}
