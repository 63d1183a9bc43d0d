// Threads with heaps of their own. Each thread's accesses are its own, so that
// the sums are as exact as in one thread.
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O2

#include <cstdio>
#include <cstdlib>
#include <list>
#include <thread>

// Sizes that do not end at a multiple of 64 in their block.
struct Record {
  long Values[5];
};

__attribute__((noinline)) static void work(long *Result) {
  std::list<Record> Records;
  for (long I = 0; I < 2000; ++I)
    Records.push_back({{I, I + 1, I + 2, I + 3, I + 4}});
  for (int Round = 0; Round < 5; ++Round)
    for (Record &R : Records)
      *Result += R.Values[Round]++;
}

int main() {
  long Results[4] = {};
  std::thread Threads[4];
  for (int I = 0; I < 4; ++I)
    Threads[I] = std::thread(work, &Results[I]);
  for (std::thread &T : Threads)
    T.join();
  printf("%ld\n", Results[0] + Results[1] + Results[2] + Results[3]);
}
