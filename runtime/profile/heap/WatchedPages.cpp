//===- profile/heap/WatchedPages.cpp - Objects on pages of their own ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WatchedPages.h"
#include "platform/Files.h"
#include "platform/HiddenThread.h"
#include "platform/Memory.h"
#include "platform/System.h"
#include "platform/Text.h"
#include "platform/Thread.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

/// What a header in front of the object takes.
static constexpr size_t InFront = 32;

//===-- Mappings ----------------------------------------------------------===//

WatchedPages::Mapping *WatchedPages::makeMapping() {
  void *Tables = sys::mapPages(sizeof(Mapping));
  void *Range = TheHeap->reserveRange(MappedBytes);
  void *ForChild = sys::reservePages(MappedBytes);
  const long File = sys::makeMemoryFile(MappedBytes);
  void *Alias = Range && sys::sharePages(Range, MappedBytes, File)
                    ? sys::mapAgain(Range, MappedBytes)
                    : nullptr;
  Mapping *Result = nullptr;
  if (Tables && ForChild && Alias) {
    Result = static_cast<Mapping *>(Tables);
    Result->Base = reinterpret_cast<uintptr_t>(Range);
    Result->Alias = reinterpret_cast<uintptr_t>(Alias);
    Result->ForChild = ForChild;
    if (File >= 0)
      mapPrivately(*Result, File);
  }
  if (File >= 0)
    sys::call(SYS_close, File);
  if (Result)
    return Result;
  if (Tables)
    sys::unmapPages(Tables, sizeof(Mapping));
  void *const Made[] = {Range, ForChild, Alias};
  for (void *Pages : Made)
    if (Pages)
      sys::unmapPages(Pages, MappedBytes);
  return nullptr;
}

/// Both have addresses of the runtime's heap, where the kernel puts nothing
/// else while nothing is there.
void WatchedPages::mapPrivately(Mapping &M, long File) {
  void *Private = TheHeap->reserveRange(MappedBytes);
  void *Aside = TheHeap->reserveRange(MappedBytes);
  if (Private && Aside && sys::mapPrivately(Private, MappedBytes, File)) {
    M.Private = Private;
    M.Aside = Aside;
  } else if (Private) {
    sys::unmapPages(Private, MappedBytes);
  }
  if (Aside)
    sys::unmapPages(Aside, MappedBytes);
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
    Mappings[Number].store(New);
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
    if (Address - Mappings[I].load()->Base < MappedBytes)
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
  Mapping *M = Present.load();
  if (!M) {
    IsWanted.store(true);
    return 0;
  }
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

/// Calls \p Visit with how far from the beginning each page lies that is in
/// use.
template <typename Visitor>
void WatchedPages::visitUsed(const Mapping &M, Visitor Visit) {
  for (unsigned Page = 0; Page != NumPages; ++Page)
    if (M.InUse[Page / WordBits].load() >> Page % WordBits & 1)
      Visit(Page * Distance);
}

void WatchedPages::showInCore() const {
  for (uint32_t I = 0, End = NumMappings.load(); I != End; ++I) {
    const Mapping &M = *Mappings[I].load();
    visitUsed(M, [&](size_t Offset) {
      sys::showInCore(reinterpret_cast<void *>(M.Base + Offset), pageBytes());
    });
  }
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
  // What a fork has put there would be lost.
  Guard G(Looking);
  if (Present.load() != &M)
    return nullptr;
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
  else if (!Present.load() && isOn() && IsWanted.exchange(false))
    addMapping();
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

/// Whether this thread is the only one of the program's. Those of which libc
/// does not know count.
static bool isAlone() {
  // Who joined a thread may still see it for a moment.
  constexpr unsigned MostTries = 10;
  unsigned Threads = sys::countThreads();
  if (!Threads)
    return __libc_single_threaded;
  const unsigned Own = 1 + HiddenThread::count();
  for (unsigned Try = 0; Threads > Own && Try != MostTries; ++Try) {
    sys::pauseShortly();
    Threads = sys::countThreads();
  }
  return Threads <= Own;
}

/// Puts private memory at the addresses of objects, in a program of one thread,
/// and what is there aside. \returns false, and does nothing, if that cannot
/// be.
bool WatchedPages::setAside(Mapping &M) {
  auto *Base = reinterpret_cast<char *>(M.Base);
  if (!sys::isUnmapped(M.Aside) ||
      !sys::movePages(Base, MappedBytes, M.Aside, MappedBytes))
    return false;
  if (!sys::movePages(M.Private, MappedBytes, Base, MappedBytes)) {
    sys::movePages(M.Aside, MappedBytes, Base, MappedBytes);
    return false;
  }
  // To write to it copies the page. Objects begin behind this byte.
  visitUsed(M, [&](size_t Offset) {
    volatile char *Byte = Base + Offset;
    *Byte = *Byte;
  });
  return true;
}

/// Whether two pages hold the same.
static bool areEqual(const void *A, const void *B) {
  auto *Left = static_cast<const uint64_t *>(A);
  auto *Right = static_cast<const uint64_t *>(B);
  for (size_t I = 0; I != pageBytes() / sizeof(uint64_t); ++I)
    if (Left[I] != Right[I])
      return false;
  return true;
}

void WatchedPages::takeBack(Mapping &M) {
  auto *Base = reinterpret_cast<char *>(M.Base);
  visitUsed(M, [&](size_t Offset) {
    auto *File = reinterpret_cast<char *>(M.Alias) + Offset;
    if (!areEqual(File, Base + Offset))
      copyBytes(File, Base + Offset, pageBytes());
  });
  // If anything is there by now, the next child gets a copy.
  if (sys::isUnmapped(M.Private) &&
      sys::movePages(Base, MappedBytes, M.Private, MappedBytes))
    sys::idlePrivate(M.Private, MappedBytes);
  else
    M.Private = nullptr;
  sys::movePages(M.Aside, MappedBytes, Base, MappedBytes);
}

void WatchedPages::copyForChild(const Mapping &M) {
  Copy = sys::useReserved(M.ForChild, MappedBytes) ? M.ForChild : nullptr;
  if (!Copy)
    return turnOff("a fork left no memory for it");
  visitUsed(M, [&](size_t Offset) {
    copyBytes(static_cast<char *>(Copy) + Offset,
              reinterpret_cast<void *>(M.Alias + Offset), pageBytes());
  });
}

THERMOCLINE_UNCHECKED bool WatchedPages::prepareFork(bool IsInterrupted) {
  if (!Present.load())
    return false;
  // A handler that forks would wait for this thread.
  const uint64_t Before = sys::setBlockedSignals(~uint64_t(0));
  while (IsForking.exchange(true))
    sys::pauseShortly();
  OldSignals = Before;
  HoldsLooking = IsInterrupted;
  if (HoldsLooking)
    Looking.lock();
  Forked = Present.load();
  // Another thread has let go of it.
  if (!Forked) {
    endFork();
    return false;
  }
  Mapping &M = *Forked;
  TheWay = Way::Copied;
  if (M.Private && sys::usePrivate(M.Private, MappedBytes)) {
    if (isAlone()) {
      if (setAside(M))
        TheWay = Way::SetAside;
    } else if (sys::movePages(M.Private, MappedBytes,
                              reinterpret_cast<void *>(M.Base), MappedBytes)) {
      TheWay = Way::LetGo;
      Present.store(nullptr);
      HasLetGo.store(true);
      IsWanted.store(true);
    }
    if (TheWay == Way::Copied)
      sys::idlePrivate(M.Private, MappedBytes);
  }
  if (TheWay == Way::Copied)
    copyForChild(M);
  return true;
}

bool WatchedPages::continueInParent() {
  switch (TheWay) {
  case Way::Copied:
    if (Copy)
      sys::returnReserved(Copy, MappedBytes);
    break;
  case Way::SetAside:
    takeBack(*Forked);
    break;
  case Way::LetGo:
    sys::unmapPages(reinterpret_cast<void *>(Forked->Alias), MappedBytes);
    sys::unmapPages(Forked->ForChild, MappedBytes);
    break;
  }
  endFork();
  return HasLetGo.load();
}

void WatchedPages::continueInChild(bool IsPrepared) {
  IsAdding.store(false);
  HasLetGo.store(false);
  Present.store(nullptr);
  if (!IsPrepared)
    return;
  if (Copy)
    sys::movePages(Copy, MappedBytes, reinterpret_cast<void *>(Forked->Base),
                   MappedBytes);
  else
    sys::unmapPages(Forked->ForChild, MappedBytes);
  endFork();
}

THERMOCLINE_UNCHECKED void WatchedPages::endFork() {
  Copy = nullptr;
  Forked = nullptr;
  if (HoldsLooking)
    Looking.unlock();
  const uint64_t Before = OldSignals;
  IsForking.store(false);
  sys::setBlockedSignals(Before);
}
