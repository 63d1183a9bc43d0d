// A program of lists, vectors, maps, strings, atomics and C allocations: its
// profile says the same of each context as that of clang's -fmemory-profile.
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O2
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O0

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Node {
  long Values[9];
  Node *Next;
};

__attribute__((noinline)) static Node *makeNode(Node *Next) {
  Node *Result = new Node;
  memset(Result, 0, sizeof *Result);
  Result->Next = Next;
  return Result;
}

__attribute__((noinline)) static long walkList(int Rounds) {
  Node *Head = nullptr;
  for (int I = 0; I < 1000; ++I)
    Head = makeNode(Head);
  long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round)
    for (Node *N = Head; N; N = N->Next)
      Sum += N->Values[Round % 9]++;
  while (Head) {
    Node *Next = Head->Next;
    delete Head;
    Head = Next;
  }
  return Sum;
}

__attribute__((noinline)) static long fillContainers() {
  std::vector<int> Numbers;
  for (int I = 0; I < 10000; ++I)
    Numbers.push_back(I);
  std::map<int, std::string> Names;
  for (int I = 0; I < 500; ++I)
    Names[I * 7 % 501] = std::string(I % 60, 'x');
  long Sum = 0;
  for (auto &[Key, Name] : Names)
    Sum += static_cast<long>(Name.size()) + Numbers[Key];
  return Sum;
}

__attribute__((noinline)) static long useC() {
  char *Block = static_cast<char *>(malloc(5000));
  memset(Block, 1, 1234);
  memmove(Block + 10, Block, 2000);
  char *Copy = strdup("hello world");
  Copy[0] = 'j';
  Block = static_cast<char *>(realloc(Block, 10000));
  Block[9999] = Copy[1];
  long Result = Block[9999];
  free(Block);
  free(Copy);
  return Result;
}

__attribute__((noinline)) static long useAtomics() {
  auto Counters = std::make_unique<std::atomic<long>[]>(100);
  for (int I = 0; I < 1000; ++I)
    Counters[I % 100].fetch_add(I);
  return Counters[99];
}

int main() {
  long Sum = walkList(20) + fillContainers() + useC() + useAtomics();
  printf("%ld\n", Sum);
}
