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

bool WatchedPages::takePageOf(Mapping &M, unsigned Word, unsigned &Page) {
  uint64_t Used = M.InUse[Word].load();
  while (~Used) {
    const auto Bit = static_cast<unsigned>(__builtin_ctzll(~Used));
    if (!M.InUse[Word].compareExchange(Used, Used | uint64_t(1) << Bit))
      continue;
    Page = Word * WordBits + Bit;
    return true;
  }
  return false;
}

/// Takes a page of a word of \p Class, or of one that had none; else of any.
bool WatchedPages::takePage(Mapping &M, unsigned Class, unsigned &Page) {
  const auto Own = static_cast<uint8_t>(Class + 1);
  const unsigned Words = mostPages() / WordBits;
  for (unsigned Word = 0; Word != Words; ++Word) {
    uint8_t Known = M.Classes[Word].load();
    if ((Known == Own ||
         (!Known && M.Classes[Word].compareExchange(Known, Own))) &&
        takePageOf(M, Word, Page))
      return true;
  }
  const uint32_t First = M.Turn.fetchAdd(1);
  for (unsigned I = 0; I != Words; ++I)
    if (takePageOf(M, (First + I) % Words, Page))
      return true;
  return false;
}

uintptr_t WatchedPages::take(size_t Size, size_t Alignment, uint32_t Weight) {
  if (!isOn() || Alignment > pageBytes() / 2 ||
      Size > pageBytes() - roundUp(InFront, Alignment))
    return 0;
  if (!Present.load())
    addMapping();
  Mapping *M = Present.load();
  if (!M)
    return 0;
  uint64_t Draw = (uint64_t(Draws.fetchAdd(1)) + 1) * 0x9E3779B97F4A7C15;
  Draw = (Draw ^ Draw >> 32) * 0xD6E8FEB86659FD93;
  const uint32_t NumUsed = M->NumUsed.load();
  // The top bits depend on all of the number.
  WatchedSample::Candidate C = {Weight, WatchedSample::worthOf(Size),
                                static_cast<uint32_t>(Draw >> 32)};
  unsigned Page;
  if (NumUsed >= mostPages() || !M->Sample.choose(C, NumUsed, mostPages()) ||
      !takePage(*M, C.leftOutClass(), Page))
    return 0;
  M->NumUsed.fetchAdd(1);
  M->Touches[Page].store(0);
  M->Sample.add(Page, C);
  const size_t First = roundUp(InFront, Alignment);
  const size_t Places = (pageBytes() - Size - First) / Alignment + 1;
  return M->Base + Page * Distance + First + (Draw >> 16) % Places * Alignment;
}

void WatchedPages::giveBack(uintptr_t Address) {
  Mapping *M = Present.load();
  if (!M || Address - M->Base >= MappedBytes)
    return;
  const unsigned Page = pageOf(*M, Address);
  M->Sample.remove(Page);
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
  return {M->Touches[Page].load(), M->Sample.weight(Page)};
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

/// Opens the page map of this thread, as the first thread of the program may
/// have ended.
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
      ++NumTouched;
      IsAnyThere = true;
    }
  // What stays there would look touched for ever.
  if (IsAnyThere &&
      !sys::takeOutPages(reinterpret_cast<void *>(Begin), WordBits * Distance))
    return CannotTakeOut;
  return nullptr;
}

bool WatchedPages::isAnyWatched(const Mapping &M, unsigned Word) {
  uint64_t Used = M.InUse[Word].load();
  for (; Used; Used &= Used - 1)
    if (M.Sample.weight(Word * WordBits +
                        static_cast<unsigned>(__builtin_ctzll(Used))))
      return true;
  return false;
}

const char *WatchedPages::lookAtAll(Mapping &M) {
  NumTouched = 0;
  const char *Why = nullptr;
  for (unsigned Word = 0; !Why && Word != NumWords; ++Word)
    if (isAnyWatched(M, Word))
      Why = lookAt(M, Word, PageMap);
  return Why;
}

void WatchedPages::watchFewer() {
  if (Mapping *M = Present.load())
    M->Sample.watchFewer();
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
/// what is in it. Finds out how long a fault takes.
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
  // Whoever has to wait for a processor here does not wait for each fault.
  constexpr uint64_t LongestFaultNs = 30000;
  FaultNs = LongestFaultNs;
  for (unsigned I = 0; IsGood && I != 2; ++I) {
    const uint64_t Begin = sys::nanoseconds();
    IsGood = *Byte == 1;
    if (const uint64_t Took = sys::nanoseconds() - Begin; Took < FaultNs)
      FaultNs = Took;
    IsGood = IsGood && TouchesSeen() == 1 && TouchesSeen() == 0;
  }
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
