//===- A cache whose sessions are replaced while it serves ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// session-cache TIMES [random] fills a cache with sessions, and then serves
// requests, each of which reads one of them. Meanwhile all sessions are
// replaced TIMES times, the oldest first or random ones. Strings of sessions
// are written when they are made, and never read. It prints how many bytes of
// pages were touched within 5 ms, as the mean of the first and of the last
// quarter of the time, and of all.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

extern "C" void __thermocline_phase(const char *Name) __attribute__((weak));
extern "C" bool __thermocline_pass_time(unsigned long Microseconds)
    __attribute__((weak));

namespace {

constexpr size_t ObjectBytes = 64;
constexpr int NumStrings = 3;

struct Session {
  uint64_t Uses;
  char *Strings[NumStrings];
};

constexpr size_t NumSessions = 20000;
Session *Sessions[NumSessions];
std::mt19937 Random(1);
uint64_t Sum;

/// The pages that were touched since takePages().
constexpr size_t NumSlots = 1 << 14;
uintptr_t Pages[NumSlots];
size_t NumPages;

void touch(const void *Address) {
  const uintptr_t Page = reinterpret_cast<uintptr_t>(Address) / 4096;
  size_t Slot = Page * 0x9E3779B97F4A7C15 >> 50;
  while (Pages[Slot] && Pages[Slot] != Page)
    Slot = (Slot + 1) % NumSlots;
  NumPages += Pages[Slot] == 0;
  Pages[Slot] = Page;
}

size_t takePages() {
  const size_t Result = NumPages;
  NumPages = 0;
  memset(Pages, 0, sizeof(Pages));
  return Result;
}

/// All objects of the program come from here.
extern "C" __attribute__((noinline)) void *make(size_t Bytes) {
  void *Made = malloc(Bytes);
  memset(Made, 1, Bytes);
  touch(Made);
  return Made;
}

extern "C" __attribute__((noinline)) Session *makeSession() {
  auto *Made = static_cast<Session *>(make(ObjectBytes));
  Made->Uses = 0;
  return Made;
}

extern "C" __attribute__((noinline)) void makeStrings(Session *Of) {
  for (char *&String : Of->Strings)
    String = static_cast<char *>(make(ObjectBytes));
}

/// Fills the cache.
extern "C" __attribute__((noinline)) void fill(size_t Number) {
  Sessions[Number] = makeSession();
  makeStrings(Sessions[Number]);
}

extern "C" __attribute__((noinline)) void replace(size_t Number) {
  for (char *String : Sessions[Number]->Strings)
    free(String);
  free(Sessions[Number]);
  Sessions[Number] = makeSession();
  makeStrings(Sessions[Number]);
}

void serve(int Requests) {
  for (; Requests; --Requests) {
    Session *Asked = Sessions[Random() % NumSessions];
    Sum += ++Asked->Uses;
    touch(Asked);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  const size_t Replaced = NumSessions * atoi(argv[1]);
  const bool AtRandom = argc == 3 && std::string(argv[2]) == "random";
  for (size_t I = 0; I != NumSessions; ++I)
    fill(I);
  if (__thermocline_phase)
    __thermocline_phase("serve");
  constexpr size_t BurstMs = 5, NumBursts = 100, NumMs = BurstMs * NumBursts;
  size_t NumReplaced = 0, First = 0, Last = 0, All = 0;
  takePages();
  for (size_t Ms = 0; Ms != NumMs; ++Ms) {
    serve(4000);
    for (; NumReplaced < Replaced * (Ms + 1) / NumMs; ++NumReplaced)
      replace(AtRandom ? Random() % NumSessions : NumReplaced % NumSessions);
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
    if (Ms % BurstMs != BurstMs - 1)
      continue;
    const size_t Touched = takePages();
    const size_t Burst = Ms / BurstMs;
    All += Touched;
    First += Burst < NumBursts / 4 ? Touched : 0;
    Last += Burst >= NumBursts * 3 / 4 ? Touched : 0;
  }
  if (Sum == 1)
    puts("no");
  printf("%zu %zu %zu\n", First * 4096 / (NumBursts / 4),
         Last * 4096 / (NumBursts / 4), All * 4096 / NumBursts);
  return 0;
}
