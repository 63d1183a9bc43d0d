//===- profile/measure/Shadow.cpp - Access counters -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"
#include "platform/Memory.h"
#include "platform/System.h"
#include "process/ProgramSymbols.h"

uintptr_t __memprof_shadow_memory_dynamic_address;
// A second name, and not an alias: the compiler would take them for one, which
// they are not where the program has a copy.
__asm__(".globl thermocline_shadow_base\n"
        ".hidden thermocline_shadow_base\n"
        ".set thermocline_shadow_base, "
        "__memprof_shadow_memory_dynamic_address");
bool thermocline::runtime::shadow::SkipsUncounted = false;
bool thermocline::runtime::shadow::IsHistogram = false;

namespace thermocline::runtime {

void shadow::setBase(uintptr_t Base, bool Histogram) {
  // This is the base for whoever looks it up here, whatever the program has.
  thermocline_shadow_base = Base;
  __memprof_shadow_memory_dynamic_address = Base;
  IsHistogram = Histogram;
}

bool shadow::initialize() {
  size_t Size = (size_t(1) << arch::Plan.Bits) >> Scale;
  void *Range = sys::mapPages(Size);
  if (!Range)
    return false;
  sys::markSparse(Range, Size);
  // Each module of the program says whether it was compiled for histograms, and
  // the linker keeps one of them.
  const bool *Histogram = programSymbols().IsHistogram;
  setBase(reinterpret_cast<uintptr_t>(Range), Histogram && *Histogram);
  return true;
}

void shadow::recordRangeSlowly(uintptr_t Address, size_t Size) {
  uintptr_t End = Address + Size;
  if (IsHistogram) {
    for (; Address < End; Address += 8)
      recordInByte(Address);
    return;
  }
  while (Address < End) {
    // All steps of eight bytes that fall into this granule at once.
    uintptr_t Next = roundDown(Address, GranuleBytes) + GranuleBytes;
    if (Next > End)
      Next = End;
    uint64_t Steps = (Next - Address + 7) / 8;
    *counter(Address) += Steps;
    Address += Steps * 8;
  }
}

static void zero(uintptr_t Begin, uintptr_t End) {
  fillBytes(reinterpret_cast<void *>(Begin), 0, End - Begin);
}

void shadow::clearSlowly(uintptr_t Address, size_t Size, bool LikeLlvm) {
  if (LikeLlvm && Size < 8)
    return;
  // As much as LLVM's runtime clears, or to the last counter.
  size_t Cleared = LikeLlvm ? roundDown(Size, 8) : Size;
  uintptr_t Begin, End;
  if (IsHistogram) {
    Begin = reinterpret_cast<uintptr_t>(byteCounter(Address));
    End = reinterpret_cast<uintptr_t>(byteCounter(Address + Cleared - 1) + 1);
  } else {
    Begin = reinterpret_cast<uintptr_t>(counter(Address));
    End = reinterpret_cast<uintptr_t>(counter(Address + Cleared - 1)) +
          (LikeLlvm ? 1 : sizeof(uint64_t));
  }
  // Large ranges were often never touched: writing zeros would commit them.
  constexpr size_t Large = 64 * 1024;
  uintptr_t FirstPage = roundUp(Begin, pageBytes());
  uintptr_t LastPage = roundDown(End, pageBytes());
  if (End - Begin < Large || FirstPage >= LastPage) {
    if (End - Begin == sizeof(uint64_t))
      *reinterpret_cast<uint64_t *>(Begin) = 0;
    else
      zero(Begin, End);
    return;
  }
  zero(Begin, FirstPage);
  sys::discardPages(reinterpret_cast<void *>(FirstPage), LastPage - FirstPage);
  zero(LastPage, End);
}

void shadow::discard(uintptr_t Address, size_t Size, bool IsAlone) {
  if (!isInitialized())
    return;
  auto Begin = reinterpret_cast<uintptr_t>(counter(Address));
  auto End = reinterpret_cast<uintptr_t>(counter(Address + Size));
  Begin = roundUp(Begin, pageBytes());
  End = IsAlone ? roundUp(End, pageBytes()) : roundDown(End, pageBytes());
  if (Begin < End)
    sys::discardPages(reinterpret_cast<void *>(Begin), End - Begin);
}

uint64_t shadow::countSlowly(uintptr_t Address, size_t Size, bool LikeLlvm) {
  uintptr_t LastByte = LikeLlvm ? Address + Size : Address + Size - 1;
  uint64_t Sum = 0;
  if (IsHistogram) {
    const uint8_t *End = byteCounter(LastByte) + 1;
    for (const uint8_t *C = byteCounter(Address); C != End; ++C)
      Sum += *C;
    return Sum;
  }
  const uint64_t *Last = counter(LastByte);
  for (const uint64_t *C = counter(Address); C <= Last; ++C)
    Sum += *C;
  return Sum;
}

} // namespace thermocline::runtime
