//===- bench/profiler/kernels.cpp - What profiling costs ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kernels NAME runs one kernel and prints its time in milliseconds.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

struct Node {
  Node *Next;
  long Values[3];
};

static long chase() {
  std::vector<Node *> Nodes;
  for (long I = 0; I < 20000; ++I)
    Nodes.push_back(new Node{nullptr, {I}});
  for (long I = 0; I < 20000; ++I)
    Nodes[I]->Next = Nodes[I * 7919 % 20000];
  long Sum = 0;
  const Node *N = Nodes[1];
  for (long I = 0; I < 20000000; ++I) {
    Sum += N->Values[0];
    N = N->Next;
  }
  return Sum;
}

static long churn() {
  void *Blocks[64] = {};
  long Sum = 0;
  for (long I = 0; I < 2000000; ++I) {
    free(Blocks[I % 64]);
    Blocks[I % 64] = malloc(static_cast<size_t>(I % 300));
    Sum += reinterpret_cast<long>(Blocks[I % 64]) & 1;
  }
  return Sum;
}

static long hash() {
  std::unordered_map<int, int> Map;
  for (int I = 0; I < 6000000; ++I)
    Map[I * 31 % 100003]++;
  return static_cast<long>(Map.size());
}

static long sort() {
  std::vector<unsigned> Numbers(1000000);
  unsigned Random = 1;
  for (unsigned &N : Numbers)
    N = Random = Random * 1664525 + 1013904223;
  std::sort(Numbers.begin(), Numbers.end());
  return Numbers[5];
}

static long strings() {
  std::map<std::string, int> Map;
  for (int I = 0; I < 300000; ++I)
    Map["key-number-" + std::to_string(I * 7 % 20011)]++;
  return static_cast<long>(Map.size());
}

int main(int argc, char **argv) {
  const struct {
    const char *Name;
    long (*Run)();
  } Kernels[] = {{"chase", chase},
                 {"churn", churn},
                 {"hash", hash},
                 {"sort", sort},
                 {"strings", strings}};
  for (auto [Name, Run] : Kernels) {
    if (argc != 2 || strcmp(argv[1], Name) != 0)
      continue;
    auto Start = std::chrono::steady_clock::now();
    volatile long Result = Run();
    static_cast<void>(Result);
    std::chrono::duration<double, std::milli> Time =
        std::chrono::steady_clock::now() - Start;
    printf("%.1f\n", Time.count());
    return 0;
  }
  fprintf(stderr, "usage: kernels chase|churn|hash|sort|strings\n");
  return 1;
}
