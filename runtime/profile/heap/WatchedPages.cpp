//===- profile/heap/WatchedPages.cpp - Objects on pages of their own ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WatchedPages.h"
#include "platform/Files.h"
#include "platform/Memory.h"
#include "platform/System.h"
#include "platform/Text.h"
#include "platform/Thread.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

/// What a header in front of the object takes.
static constexpr size_t InFront = 32;

//===-- Mappings ----------------------------------------------------------===//

WatchedPages::Mapping *WatchedPages::makeMapping() {
  void *Tables = sys::mapPages(sizeof(Mapping));
  void *Range = TheHeap->reserveRange(MappedBytes);
  void *ForChild = sys::reservePages(MappedBytes);
  void *Alias = Range && sys::sharePages(Range, MappedBytes)
                    ? sys::mapAgain(Range, MappedBytes)
                    : nullptr;
  if (Tables && ForChild && Alias) {
    auto *Result = static_cast<Mapping *>(Tables);
    Result->Base = reinterpret_cast<uintptr_t>(Range);
    Result->Alias = reinterpret_cast<uintptr_t>(Alias);
    Result->ForChild = ForChild;
    return Result;
  }
  if (Tables)
    sys::unmapPages(Tables, sizeof(Mapping));
  void *const Made[] = {Range, ForChild, Alias};
  for (void *Pages : Made)
    if (Pages)
      sys::unmapPages(Pages, MappedBytes);
  return nullptr;
}

void WatchedPages::addMapping() {
  if (IsAdding.exchange(true))
    return;
  const uint32_t Number = NumMappings.load();
  if (Present.load()) {
    // Another thread has.
  } else if (Number == MaxMappings) {
    turnOff("too many forks led to this process");
  } else if (Mapping *New = makeMapping()) {
    Mappings[Number].store(New->Base);
    NumMappings.store(Number + 1);
    Present.store(New);
  } else {
    turnOff("there is no more memory that can be shared");
  }
  IsAdding.store(false);
}

void WatchedPages::turnOff(const char *Why) {
  if (IsOn.exchange(false))
    Message() << "objects that are allocated from now on are not watched, as "
              << Why << "\n";
}

bool WatchedPages::contains(uintptr_t Address) const {
  for (uint32_t I = 0, End = NumMappings.load(); I != End; ++I)
    if (Address - Mappings[I].load() < MappedBytes)
      return true;
  return false;
}

//===-- Pages -------------------------------------------------------------===//

/// One of 2 to this power of the objects gets a page if \p NumUsed have one.
unsigned WatchedPages::shiftFor(unsigned NumUsed) {
  constexpr unsigned MaxShift = 15;
  const unsigned Most = mostPages(), ForAll = Most / 2;
  return NumUsed < ForAll
             ? 0
             : 1 + (NumUsed - ForAll) / ((Most - ForAll) / MaxShift + 1);
}

bool WatchedPages::takePage(Mapping &M, unsigned &Page) {
  const uint32_t First = M.Turn.fetchAdd(1);
  const unsigned Words = mostPages() / WordBits;
  for (unsigned I = 0; I != Words; ++I) {
    const unsigned Word = (First + I) % Words;
    uint64_t Used = M.InUse[Word].load();
    while (~Used) {
      const auto Bit = static_cast<unsigned>(__builtin_ctzll(~Used));
      if (!M.InUse[Word].compareExchange(Used, Used | uint64_t(1) << Bit))
        continue;
      Page = Word * WordBits + Bit;
      return true;
    }
  }
  return false;
}

uintptr_t WatchedPages::take(size_t Size, size_t Alignment) {
  if (!isOn() || Alignment > pageBytes() / 2 ||
      Size > pageBytes() - roundUp(InFront, Alignment))
    return 0;
  if (!Present.load())
    addMapping();
  Mapping *M = Present.load();
  if (!M)
    return 0;
  // The top bits depend on all of the number.
  const uint64_t Draw = Draws.fetchAdd(1) * 0x9E3779B97F4A7C15;
  const uint32_t NumUsed = M->NumUsed.load();
  if (NumUsed >= mostPages())
    return 0;
  const unsigned Shift = shiftFor(NumUsed);
  unsigned Page;
  if ((Draw >> 40 & ((1U << Shift) - 1)) || !takePage(*M, Page))
    return 0;
  M->NumUsed.fetchAdd(1);
  M->Touches[Page].store(0);
  M->Shift[Page] = static_cast<uint8_t>(Shift);
  const size_t First = roundUp(InFront, Alignment);
  const size_t Places = (pageBytes() - Size - First) / Alignment + 1;
  return M->Base + Page * Distance + First + (Draw >> 48) % Places * Alignment;
}

void WatchedPages::giveBack(uintptr_t Address) {
  Mapping *M = Present.load();
  if (!M || Address - M->Base >= MappedBytes)
    return;
  const unsigned Page = pageOf(*M, Address);
  const uint64_t Bit = uint64_t(1) << Page % WordBits;
  uint64_t Used = M->InUse[Page / WordBits].load();
  while (!M->InUse[Page / WordBits].compareExchange(Used, Used & ~Bit)) {
  }
  M->NumUsed.fetchAdd(-1U);
}

WatchedPages::Object WatchedPages::find(uintptr_t Address) const {
  const Mapping *M = Present.load();
  if (!M || Address - M->Base >= MappedBytes)
    return {};
  const unsigned Page = pageOf(*M, Address);
  return {M->Touches[Page].load(), uint32_t(1) << M->Shift[Page]};
}

void WatchedPages::showInCore() const {
  const Mapping *M = Present.load();
  for (unsigned Page = 0; M && Page != NumPages; ++Page)
    if (M->InUse[Page / WordBits].load() >> Page % WordBits & 1)
      sys::showInCore(reinterpret_cast<void *>(M->Base + Page * Distance),
                      pageBytes());
}

//===-- Looks -------------------------------------------------------------===//

static constexpr char CannotRead[] =
    "/proc/self/pagemap cannot be read any more";
static constexpr char CannotTakeOut[] =
    "the kernel does not take pages out of the page table any more";

/// That of this thread, as the first of the program may have ended.
static long openPageMap() {
  return sys::call(SYS_openat, AT_FDCWD,
                   sys::asLong("/proc/thread-self/pagemap"),
                   O_RDONLY | O_CLOEXEC);
}

/// Looks at the pages of \p Word of the set of those that are in use. \returns
/// null, or why that tells nothing.
const char *WatchedPages::lookAt(Mapping &M, unsigned Word, long PageMap) {
  const size_t Entries = Distance / pageBytes();
  constexpr uint64_t IsThere = uint64_t(1) << 63;
  uint64_t Entry[WordBits * (Distance / LeastPageBytes)];
  const auto Bytes = static_cast<long>(WordBits * Entries * sizeof(uint64_t));
  const uintptr_t Begin = M.Base + Word * WordBits * Distance;
  if (sys::call(SYS_pread64, PageMap, sys::asLong(Entry), Bytes,
                static_cast<long>(Begin / pageBytes() * sizeof(uint64_t))) !=
      Bytes)
    return CannotRead;
  bool IsAnyThere = false;
  for (unsigned I = 0; I != WordBits; ++I)
    if (Entry[I * Entries] & IsThere) {
      M.Touches[Word * WordBits + I].fetchAdd(1);
      IsAnyThere = true;
    }
  // What stays there would look touched for ever.
  if (IsAnyThere &&
      !sys::takeOutPages(reinterpret_cast<void *>(Begin), WordBits * Distance))
    return CannotTakeOut;
  return nullptr;
}

const char *WatchedPages::lookAtAll(Mapping &M) const {
  const char *Why = nullptr;
  for (unsigned Word = 0; !Why && Word != NumWords; ++Word)
    if (M.InUse[Word].load())
      Why = lookAt(M, Word, PageMap);
  return Why;
}

bool WatchedPages::prepareLooks() {
  if (!thisThread().HasOwnDescriptors) {
    PageMap = sys::separateDescriptors() ? openPageMap() : -1;
    Rights.open();
  }
  if (PageMap < 0)
    stopLooks(CannotRead);
  else if (!Rights.follow())
    stopLooks("the thread that looks at objects cannot give up the rights that "
              "the program gave up");
  return isOn();
}

bool WatchedPages::look() {
  if (!prepareLooks())
    return false;
  Mapping *M = Present.load();
  if (const char *Why = M ? lookAtAll(*M) : nullptr)
    stopLooks(Why);
  return isOn();
}

void WatchedPages::stopLooks(const char *Why) {
  IsOn.store(false);
  Message() << Why << ": the profile does not say when memory is touched\n";
}

/// Whether the kernel tells that the first page of \p M was touched, and leaves
/// what is in it.
bool WatchedPages::passesTest(Mapping &M) {
  const long PageMap = openPageMap();
  if (PageMap < 0)
    return false;
  auto *Byte = reinterpret_cast<volatile char *>(M.Base);
  auto TouchesSeen = [&] {
    return lookAt(M, 0, PageMap) ? ~0U : M.Touches[0].exchange(0);
  };
  *Byte = 1;
  bool IsGood = TouchesSeen() == 1 && TouchesSeen() == 0;
  IsGood = IsGood && *Byte == 1 && TouchesSeen() == 1 && TouchesSeen() == 0;
  sys::call(SYS_close, PageMap);
  return IsGood;
}

void WatchedPages::start(Heap *H) {
  TheHeap = H;
  IsOn.store(true);
  addMapping();
  Mapping *M = Present.load();
  if (M && !passesTest(*M)) {
    Present.store(nullptr);
    turnOff("the kernel does not say which pages are touched");
  }
}

//===-- Forks -------------------------------------------------------------===//

bool WatchedPages::prepareFork() {
  if (!Present.load())
    return false;
  // A handler that forks would wait for this thread.
  const uint64_t Before = sys::setBlockedSignals(~uint64_t(0));
  while (IsForking.exchange(true))
    sys::pauseShortly();
  OldSignals = Before;
  const Mapping &M = *Present.load();
  Copy = sys::useReserved(M.ForChild, MappedBytes) ? M.ForChild : nullptr;
  if (!Copy)
    turnOff("a fork left no memory for it");
  for (unsigned Page = 0; Copy && Page != NumPages; ++Page)
    if (M.InUse[Page / WordBits].load() >> Page % WordBits & 1)
      copyBytes(static_cast<char *>(Copy) + Page * Distance,
                reinterpret_cast<void *>(M.Alias + Page * Distance),
                pageBytes());
  return true;
}

void WatchedPages::continueInParent() {
  if (Copy)
    sys::returnReserved(Copy, MappedBytes);
  endFork();
}

void WatchedPages::continueInChild(bool HasCopy) {
  IsAdding.store(false);
  const Mapping *M = Present.exchange(nullptr);
  if (!HasCopy)
    return;
  if (Copy)
    sys::movePages(Copy, MappedBytes, reinterpret_cast<void *>(M->Base),
                   MappedBytes);
  endFork();
}

void WatchedPages::endFork() {
  Copy = nullptr;
  const uint64_t Before = OldSignals;
  IsForking.store(false);
  sys::setBlockedSignals(Before);
}
