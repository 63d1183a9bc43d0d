//===- Differential/Inputs/Calls.cpp - What random programs call ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))

extern "C" {
int thermocline_alloc_is_cold(const void *) __attribute__((weak));
bool __thermocline_pass_time(unsigned long) __attribute__((weak));
}

int Tag;

static struct {
  const volatile unsigned char *Bytes;
  unsigned Size;
  int Tag;
} Blocks[1 << 20];
static unsigned Used;
static volatile unsigned Noted;

void keep(void *Block, unsigned Size) {
  if (!Block || Used == sizeof Blocks / sizeof *Blocks) {
    std::fprintf(stderr, "no memory, or too many blocks\n");
    std::abort();
  }
  std::memset(Block, Tag, Size);
  Blocks[Used].Bytes = static_cast<unsigned char *>(Block);
  Blocks[Used].Size = Size;
  Blocks[Used++].Tag = Tag;
}

void note(unsigned Number) { Noted = Noted + Number; }
NOINLINE void throwInt() { throw 1; }

void useAll() {
  unsigned long Sum = 0;
  for (unsigned I = 0; I != Used; ++I)
    Sum = Sum * 31 + Blocks[I].Bytes[0] + Blocks[I].Size;
  std::printf("blocks %u, contents %lx\n", Used, Sum);
  for (unsigned Pass = 0; Pass != 100; ++Pass) {
    for (unsigned I = 0; I != Used; ++I)
      if ((Blocks[I].Tag & 3) == Hot)
        for (unsigned At = 0; At < Blocks[I].Size; At += 4)
          Noted = Noted + Blocks[I].Bytes[At];
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
  if (!thermocline_alloc_is_cold)
    return;
  static unsigned long Bytes[MaxTags][2];
  for (unsigned I = 0; I != Used; ++I)
    Bytes[Blocks[I].Tag][thermocline_alloc_is_cold(
        const_cast<unsigned char *>(Blocks[I].Bytes))] += Blocks[I].Size;
  for (int I = 1; I != MaxTags; ++I)
    if (Bytes[I][0] || Bytes[I][1])
      std::printf("%d %lu %lu\n", I, Bytes[I][0], Bytes[I][1]);
}

NOINLINE void inPointer(Call *F, unsigned N) { F(N); }

// What is called where nothing but these can be passed on. Calls may be nested.
static Call *Passed;
static unsigned PassedN;

static ucontext_t Here;
static void begin() {
  const ucontext_t Back = Here;
  Passed(PassedN);
  setcontext(&Back);
}
NOINLINE void inContext(Call *F, unsigned N) {
  enum { Size = 1 << 17 };
  static char Stacks[16][Size];
  static unsigned Depth;
  const ucontext_t Outer = Here;
  ucontext_t There;
  getcontext(&There);
  There.uc_stack.ss_sp = Stacks[Depth++ % 16];
  There.uc_stack.ss_size = Size;
  There.uc_link = nullptr;
  Passed = F, PassedN = N;
  makecontext(&There, begin, 0);
  swapcontext(&Here, &There);
  --Depth;
  Here = Outer;
}

static void *start(void *) {
  Passed(PassedN);
  return nullptr;
}
NOINLINE void inThread(Call *F, unsigned N) {
  Passed = F, PassedN = N;
  pthread_t Thread;
  if (pthread_create(&Thread, nullptr, start, nullptr))
    std::abort();
  pthread_join(Thread, nullptr);
}

static int compare(const void *, const void *) {
  if (Call *F = std::exchange(Passed, nullptr))
    F(PassedN);
  return 0;
}
NOINLINE void inSort(Call *F, unsigned N) {
  Passed = F, PassedN = N;
  int Numbers[2] = {2, 1};
  std::qsort(Numbers, 2, sizeof *Numbers, compare);
}

static void handle(int) { Passed(PassedN); }
NOINLINE void inSignal(Call *F, unsigned N) {
  Passed = F, PassedN = N;
  struct sigaction Action = {};
  Action.sa_handler = handle;
  Action.sa_flags = SA_NODEFER;
  sigaction(SIGUSR1, &Action, nullptr);
  std::raise(SIGUSR1);
}

static void callPassed() { Passed(PassedN); }
NOINLINE void inOnce(Call *F, unsigned N) {
  Passed = F, PassedN = N;
  pthread_once_t Once = PTHREAD_ONCE_INIT;
  pthread_once(&Once, callPassed);
}

NOINLINE void resumeElsewhere(Step &S) { S.resume(); }
NOINLINE void runElsewhere(Step &S) { S.run(); }
NOINLINE Step started(Step S) {
  S.resume();
  return S;
}
