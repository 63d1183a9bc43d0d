//===- bench/gain/drivers/sessions.cpp - A cache that is served -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: sessions SESSIONS TIMES
// Four threads serve requests for sessions, of which each replaces some, until
// all have been replaced so many times. A request looks at few fields.
//
//===----------------------------------------------------------------------===//

#include "phase.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

/// As std::minstd_rand, so that it is the same everywhere.
class Draw {
public:
  explicit Draw(unsigned Seed) : State(Seed * 2 + 1) {}
  unsigned below(unsigned Most) {
    State = static_cast<unsigned>(State * 48271ul % 2147483647);
    return State % Most;
  }

private:
  unsigned State;
};

struct Session {
  unsigned User;
  unsigned Requests = 0;
  std::string Token;
  std::string Agent;
  std::map<std::string, std::string> Settings;
  std::vector<std::string> History;
};

std::string text(Draw &From, const char *What) {
  std::string Result = What;
  for (unsigned I = 0, End = 4 + From.below(8); I != End; ++I)
    Result += " " + std::to_string(From.below(100000));
  return Result;
}

std::unique_ptr<Session> makeSession(unsigned User, Draw &From) {
  auto Result = std::make_unique<Session>();
  Result->User = User;
  Result->Token = text(From, "token");
  Result->Agent = text(From, "agent");
  for (unsigned I = 0; I != 3; ++I)
    Result->Settings[text(From, "setting")] = text(From, "value");
  for (unsigned I = 0; I != 3; ++I)
    Result->History.push_back(text(From, "page"));
  return Result;
}

/// Some of the sessions, with a lock.
struct Shard {
  std::mutex Lock;
  std::vector<std::unique_ptr<Session>> Sessions;
};

constexpr unsigned NumShards = 16, NumThreads = 4;
Shard Shards[NumShards];
std::atomic<unsigned long> Sum = 0;

unsigned long serve(Shard &Chosen, Draw &From) {
  std::lock_guard Guard(Chosen.Lock);
  Session &S = *Chosen.Sessions[From.below(unsigned(Chosen.Sessions.size()))];
  ++S.Requests;
  return S.User + static_cast<unsigned char>(S.Token.back());
}

void replace(Shard &Chosen, Draw &From) {
  const auto At = From.below(unsigned(Chosen.Sessions.size()));
  auto New = makeSession(From.below(1000000), From);
  std::lock_guard Guard(Chosen.Lock);
  Chosen.Sessions[At].swap(New);
}

/// Each thread has shards of its own to replace in, so that the sum does not
/// depend on who comes first.
void work(unsigned Thread, unsigned long Replacements) {
  Draw From(Thread);
  unsigned long Served = 0;
  for (unsigned long I = 0; I != Replacements; ++I) {
    Shard &Chosen =
        Shards[Thread + NumThreads * From.below(NumShards / NumThreads)];
    replace(Chosen, From);
    for (unsigned Request = 0; Request != 4000; ++Request)
      Served += serve(Chosen, From);
  }
  Sum += Served;
}

} // namespace

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    std::fprintf(stderr, "usage: sessions SESSIONS TIMES\n");
    return 1;
  }
  const unsigned Sessions = std::max(std::atoi(Arguments[1]), 1);
  Draw From(99);
  for (unsigned I = 0; I != Sessions; ++I)
    Shards[I % NumShards].Sessions.push_back(makeSession(I, From));
  const unsigned long Replacements = static_cast<unsigned long>(Sessions) *
                                     std::atoi(Arguments[2]) / NumThreads;
  phaseBegin();
  std::vector<std::thread> Threads;
  for (unsigned Thread = 0; Thread != NumThreads; ++Thread)
    Threads.emplace_back(work, Thread, Replacements);
  for (std::thread &T : Threads)
    T.join();
  phaseEnd(Sum);
  return 0;
}
