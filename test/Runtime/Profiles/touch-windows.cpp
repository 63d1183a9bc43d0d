// In which windows of the run memory is touched: a list that is walked all the
// time, one that is idle after the start, one of whose objects each eighth is
// read, one of which another sixteenth is read each millisecond, an array of which
// one page is written, and what lives shortly.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -O1 %s -o program -pthread
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=exact ./program
// RUN: %thermo-profdata export --binary=program -o exact.json exact.*
// RUN: python3 %S/Inputs/check_windows.py exact.json whole
//
// Stock tools read the profile and find what it has for them.
// RUN: %llvm-profdata show --memory --profiled-binary=program exact.[0-9]* | %FileCheck %s --check-prefix=STOCK
// STOCK: Version: 5
// STOCK: NumMibInfo: {{[1-9][0-9]*}}
//
// Written by another thread at any time, and from time to time.
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=continuous:continuous=1:sync_interval_ms=1 ./program threads
// RUN: %thermo-profdata export --binary=program -o continuous.json continuous.*
// RUN: python3 %S/Inputs/check_windows.py continuous.json threads
//
// Sampled, each recorded object stands for others.
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=sampled:sample=10 ./program
// RUN: %thermo-profdata export --binary=program -o sampled.json sampled.*
// RUN: python3 %S/Inputs/check_windows.py sampled.json sampled
//
// A reset begins new windows, and so does a child.
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=rounds ./program reset
// RUN: %thermo-profdata export --binary=program -o rounds.json rounds.*
// RUN: python3 %S/Inputs/check_windows.py rounds.json idle
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=forked.%%p ./program fork > child
// RUN: %thermo-profdata export --binary=program -o child.json forked.$(cat child)*
// RUN: python3 %S/Inputs/check_windows.py child.json idle
//
// Not where nobody wants it, or nothing counts.
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=without:touch_windows=0 ./program
// RUN: %thermo-profdata show without.* | %FileCheck %s --check-prefix=WITHOUT --implicit-check-not=Windows
// WITHOUT: Run:
// RUN: %clangxx --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 %s -o histogram -pthread
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=histogram.raw ./histogram
// RUN: %thermo-profdata show histogram.raw.* | %FileCheck %s --check-prefix=WITHOUT --implicit-check-not=Windows

#include "../Inputs/pass_time.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" int __memprof_profile_dump();
extern "C" void __memprof_profile_reset();

struct Node {
  Node *Next;
  long Value;
};
constexpr int Count = 800;
constexpr size_t LargeBytes = 64 * 4096;

__attribute__((noinline)) Node *hot() { return (Node *)malloc(sizeof(Node)); }
__attribute__((noinline)) Node *idle() { return (Node *)malloc(sizeof(Node)); }
__attribute__((noinline)) Node *eighth() {
  return (Node *)malloc(sizeof(Node));
}
__attribute__((noinline)) Node *inTurns() {
  return (Node *)malloc(sizeof(Node));
}
__attribute__((noinline)) char *large() { return (char *)malloc(LargeBytes); }
__attribute__((noinline)) Node *passing() {
  return (Node *)malloc(sizeof(Node));
}

static Node *Hot;
static std::vector<Node *> Idle, Eighth, InTurns;
static char *volatile Large;
static volatile long Sink;

static void begin() {
  for (int I = 0; I != Count; ++I) {
    Node *N = hot();
    *N = {Hot, I};
    Hot = N;
    Idle.push_back(idle());
    *Idle.back() = {nullptr, I};
    Eighth.push_back(eighth());
    *Eighth.back() = {nullptr, I};
    InTurns.push_back(inTurns());
    *InTurns.back() = {nullptr, I};
  }
  Large = large();
  memset(Large, 1, LargeBytes);
}

static std::atomic<int> Round;

/// Of all threads together, a round each millisecond.
static void work(int Rounds) {
  for (int Now; (Now = Round++) < Rounds;) {
    long Sum = 0;
    for (int I = Now % 16; I < Count; I += 16)
      Sum += InTurns[static_cast<size_t>(I)]->Value;
    for (Node *N = Hot; N; N = N->Next)
      Sum += N->Value;
    for (int I = 0; I < Count; I += 8)
      Sum += Eighth[static_cast<size_t>(I)]->Value;
    Large[5 * 4096 + 100] = 2;
    Node *P = passing();
    P->Value = Sum;
    Sink = P->Value;
    free(P);
    passMilliseconds(1);
  }
}

int main(int ArgCount, char **Arguments) {
  const char *How = ArgCount > 1 ? Arguments[1] : "";
  begin();
  if (!strcmp(How, "threads")) {
    std::thread Other([] { work(500); });
    work(500);
    Other.join();
  } else if (!strcmp(How, "reset")) {
    work(20);
    __memprof_profile_reset();
    // What reads the counters first is not to count.
    passMilliseconds(50);
    work(400);
  } else if (!strcmp(How, "fork")) {
    pid_t Child = fork();
    if (!Child) {
      passMilliseconds(50);
      work(400);
      return 0;
    }
    printf("%d\n", Child);
    waitpid(Child, nullptr, 0);
  } else {
    work(500);
  }
  return Idle[7]->Value == 7 ? 0 : 1;
}
