//===- alloc/heap/Policy.cpp - Where the kernel keeps the heaps -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Policy.h"
#include "Print.h"
#include "Settings.h"
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace thermocline::alloc;

// The headers of some C libraries are older than this.
#ifndef MADV_COLD
#define MADV_COLD 20
#define MADV_PAGEOUT 21
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

namespace {

// These are as in linux/mempolicy.h.
enum { DefaultPolicy = 0, BindPolicy = 2, MovePages = 1 << 1 };

/// Machines have at most 1024 nodes.
constexpr unsigned MaxNodes = 1024, WordBits = 8 * sizeof(unsigned long);
struct NodeSet {
  unsigned long Words[MaxNodes / WordBits];
  bool IsEmpty = true;
};

/// Whether ordinary memory may be on huge pages: never; what the heap takes
/// after its first part; all.
enum class HugePages : uint8_t { None, AfterFirst, All };

/// What the second level of a TLB reaches with small pages. Programs with less
/// gain nothing of huge ones, and would take more memory.
constexpr size_t FirstBytes = 8 << 20;

struct Wishes {
  std::atomic<HugePages> Huge = HugePages::AfterFirst;
  /// What the ordinary heap has taken from the kernel so far.
  std::atomic<size_t> OrdinaryBytes;
  /// The advice in madvise's numbers; 0 stands for none.
  std::atomic<int> Advice;
  std::atomic<bool> IsBound;
  NodeSet Nodes;
};
constinit Wishes Wanted = {};

/// Says once that What was refused.
void report(std::atomic<bool> &WasReported, const char *What, int Error) {
  if (!WasReported.exchange(true))
    printLine("thermocline-alloc: error: %s: %s", What, strerror(Error));
}

int advise(void *Start, size_t SizeBytes, int Advice) {
  int Before = errno;
  int Error = madvise(Start, SizeBytes, Advice) == 0 ? 0 : errno;
  errno = Before;
  return Error;
}

int bind(void *Start, size_t SizeBytes, const NodeSet &Nodes) {
  int Before = errno;
  long Result = syscall(SYS_mbind, Start, SizeBytes,
                        Nodes.IsEmpty ? DefaultPolicy : BindPolicy,
                        Nodes.IsEmpty ? nullptr : Nodes.Words,
                        Nodes.IsEmpty ? 0 : MaxNodes + 1, MovePages);
  int Error = Result == 0 ? 0 : errno;
  errno = Before;
  return Error;
}

/// Reads a list like 0,2-3. \returns false if Text is not such a list.
bool readNodes(const char *Text, NodeSet &Nodes) {
  Nodes = {};
  if (*Text == '\0')
    return true;
  for (;;) {
    char *End;
    unsigned long First = strtoul(Text, &End, 10), Last = First;
    if (End == Text || *Text < '0' || *Text > '9')
      return false;
    if (*End == '-') {
      Text = End + 1;
      if (*Text < '0' || *Text > '9')
        return false;
      Last = strtoul(Text, &End, 10);
    }
    if (Last >= MaxNodes || First > Last)
      return false;
    for (unsigned long Node = First; Node <= Last; ++Node)
      Nodes.Words[Node / WordBits] |= 1ul << Node % WordBits;
    Nodes.IsEmpty = false;
    if (*End == '\0')
      return true;
    if (*End != ',')
      return false;
    Text = End + 1;
  }
}

/// Whether the kernel has huge pages for who asks for them.
int errorOfHugePages() {
  int Before = errno;
  char Text[64] = {};
  int File =
      open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
  // A file that cannot be read tells nothing.
  bool IsThere = File >= 0 || errno != ENOENT;
  if (File >= 0 && read(File, Text, sizeof(Text) - 1) < 0)
    Text[0] = '\0';
  if (File >= 0)
    close(File);
  errno = Before;
  return IsThere && strstr(Text, "[never]") == nullptr ? 0 : ENOTSUP;
}

} // namespace

void thermocline::alloc::readPolicy() {
  reportUnknownSettings();
  Setting Huge(SettingName::HugePages);
  if (const char *Text = Huge.value(); Text && strcmp(Text, "auto") != 0) {
    bool IsOn = strcmp(Text, "1") == 0;
    bool IsOff = strcmp(Text, "0") == 0;
    if (!IsOn && !IsOff)
      Huge.refuse("is none of 0, 1 and auto");
    else if (int Error = IsOn ? errorOfHugePages() : 0) {
      char Complaint[200];
      snprintf(Complaint, sizeof(Complaint),
               "cannot be: the kernel has no huge pages for programs that ask "
               "for them: %s",
               strerror(Error));
      Huge.refuse(Complaint);
    } else {
      Wanted.Huge.store(IsOn ? HugePages::All : HugePages::None,
                        std::memory_order_relaxed);
    }
  }
  Setting Advice(SettingName::ColdAdvice);
  if (const char *Text = Advice.value()) {
    if (strcmp(Text, "deactivate") == 0)
      Wanted.Advice.store(MADV_COLD, std::memory_order_relaxed);
    else if (strcmp(Text, "pageout") == 0)
      Wanted.Advice.store(MADV_PAGEOUT, std::memory_order_relaxed);
    else
      Advice.refuse("is neither deactivate nor pageout");
  }
  Setting Nodes(SettingName::ColdNodes);
  if (const char *Text = Nodes.value()) {
    if (readNodes(Text, Wanted.Nodes))
      Wanted.IsBound.store(true, std::memory_order_relaxed);
    else
      Nodes.refuse("is not a list of nodes like 0,2-3");
  }
}

void thermocline::alloc::nameFirstColdPart(void *Start, size_t SizeBytes) {
  int Before = errno;
  // Kernels before 5.17, and those without the option, name nothing.
  prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, Start, SizeBytes, "thermocline-cold");
  errno = Before;
}

void thermocline::alloc::prepareColdPart(void *Start, size_t SizeBytes) {
  if (Wanted.Huge.load(std::memory_order_relaxed) != HugePages::None)
    advise(Start, SizeBytes, MADV_NOHUGEPAGE);
  if (!Wanted.IsBound.load(std::memory_order_acquire))
    return;
  static constinit std::atomic<bool> WasReported = false;
  if (int Error = bind(Start, SizeBytes, Wanted.Nodes))
    report(WasReported, "cannot bind the cold heap to nodes", Error);
}

void thermocline::alloc::adviseOldCold(void *Start, size_t SizeBytes) {
  int Advice = Wanted.Advice.load(std::memory_order_relaxed);
  if (Advice == 0 || SizeBytes == 0)
    return;
  static constinit std::atomic<bool> WasReported = false;
  if (int Error = advise(Start, SizeBytes, Advice))
    report(WasReported, "cannot advise on the cold heap", Error);
}

void thermocline_alloc_prepare_ordinary(void *Start, size_t SizeBytes) {
  static constinit std::atomic<bool> WasReported = false;
  const HugePages Huge = Wanted.Huge.load(std::memory_order_relaxed);
  const size_t Before =
      Wanted.OrdinaryBytes.fetch_add(SizeBytes, std::memory_order_relaxed);
  if (Huge == HugePages::None ||
      (Huge == HugePages::AfterFirst && Before < FirstBytes))
    return;
  // Nobody asked for the default, so nobody is told that it cannot be.
  if (int Error = advise(Start, SizeBytes, MADV_HUGEPAGE);
      Error && Huge == HugePages::All)
    report(WasReported, "cannot have huge pages", Error);
}

int thermocline::alloc::useHugePages(bool Enable, void *Cold,
                                     size_t ColdBytes) {
  if (int Error = Enable ? errorOfHugePages() : 0)
    return Error;
  Wanted.Huge.store(Enable ? HugePages::All : HugePages::None,
                    std::memory_order_relaxed);
  return Enable ? advise(Cold, ColdBytes, MADV_NOHUGEPAGE) : 0;
}

int thermocline::alloc::adviseCold(thermocline_alloc_advice Advice, void *Cold,
                                   size_t ColdBytes) {
  switch (Advice) {
  case THERMOCLINE_ALLOC_DEACTIVATE:
    return advise(Cold, ColdBytes, MADV_COLD);
  case THERMOCLINE_ALLOC_PAGE_OUT:
    return advise(Cold, ColdBytes, MADV_PAGEOUT);
  }
  return EINVAL;
}

int thermocline::alloc::bindCold(const char *Nodes, void *Cold,
                                 size_t ColdBytes) {
  NodeSet Set;
  if (!readNodes(Nodes, Set))
    return EINVAL;
  if (int Error = bind(Cold, ColdBytes, Set))
    return Error;
  Wanted.IsBound.store(false, std::memory_order_relaxed);
  Wanted.Nodes = Set;
  Wanted.IsBound.store(!Set.IsEmpty, std::memory_order_release);
  return 0;
}
