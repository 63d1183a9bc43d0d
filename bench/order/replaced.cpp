//===- bench/order/replaced.cpp - A cache that replaces its records -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// replaced BATCH READS TIMES [any] [hand]
//
// Fills a cache with records of six objects each, and an archive that nobody
// reads. Then all records are replaced TIMES times (a fraction will do), BATCH
// neighbours at a time; for each that is replaced READS records are read whole,
// a few of them very often. With any, objects are of any small size. With hand,
// another thread frees the records; else the one that made them does. Prints
// the seconds of processor time of this.
//
//===----------------------------------------------------------------------===//

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

extern "C" void __thermocline_phase(const char *Name) __attribute__((weak));

namespace {

constexpr size_t NumFields = 5;
constexpr size_t FieldBytes[NumFields] = {24, 72, 104, 144, 40};

struct Record {
  uint64_t Key;
  uint64_t *Fields[NumFields];
};

constexpr size_t NumRecords = 60000;
Record *Records[NumRecords];
void *Archive[NumRecords];
std::mt19937 Random(1);
uint64_t Sum;
bool AnySize;

/// All objects of the program come from here.
extern "C" __attribute__((noinline)) void *make(size_t Bytes) {
  void *Made = malloc(Bytes);
  memset(Made, 1, Bytes);
  return Made;
}

extern "C" __attribute__((noinline)) void *makeArchived(size_t Number) {
  return make(FieldBytes[Number % NumFields]);
}

extern "C" __attribute__((noinline)) Record *makeRecord(uint64_t Key) {
  auto *Made = static_cast<Record *>(make(sizeof(Record)));
  Made->Key = Key;
  for (size_t I = 0; I != NumFields; ++I)
    Made->Fields[I] = static_cast<uint64_t *>(
        make(AnySize ? 16 + Random() % 160 : FieldBytes[I]));
  return Made;
}

void release(const std::vector<Record *> &Batch) {
  for (Record *R : Batch) {
    for (uint64_t *Field : R->Fields)
      free(Field);
    free(R);
  }
}

/// Frees what it is given, in a thread of its own.
class Hand {
public:
  Hand() : Thread([this] { work(); }) {}
  ~Hand() {
    put({});
    Thread.join();
  }
  /// Waits where there is much to do. An empty batch is the last one.
  void put(std::vector<Record *> Batch) {
    std::unique_lock Held(Lock);
    Changed.wait(Held, [this] { return Batches.size() < 8; });
    Batches.push_back(std::move(Batch));
    Changed.notify_all();
  }

private:
  void work() {
    for (;;) {
      std::unique_lock Held(Lock);
      Changed.wait(Held, [this] { return !Batches.empty(); });
      const std::vector<Record *> Batch = std::move(Batches.front());
      Batches.pop_front();
      Changed.notify_all();
      Held.unlock();
      if (Batch.empty())
        return;
      release(Batch);
    }
  }

  std::mutex Lock;
  std::condition_variable Changed;
  std::deque<std::vector<Record *>> Batches;
  std::thread Thread;
};

void replace(size_t Count, Hand *Other) {
  const size_t First = Random() % (NumRecords - Count);
  std::vector<Record *> Old(Records + First, Records + First + Count);
  if (!Other)
    release(Old);
  for (size_t I = First; I != First + Count; ++I)
    Records[I] = makeRecord(I);
  if (Other)
    Other->put(std::move(Old));
}

void read() {
  const double Any = Random() * 0x1p-32;
  const auto Rank =
      static_cast<size_t>(NumRecords * Any * Any * Any * Any * Any * Any);
  const Record *Asked = Records[Rank * 7919 % NumRecords];
  for (const uint64_t *Field : Asked->Fields)
    Sum += *Field + Asked->Key;
}

double seconds() {
  timespec Now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  return static_cast<double>(Now.tv_sec) +
         static_cast<double>(Now.tv_nsec) / 1e9;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  const auto Batch = static_cast<size_t>(atol(argv[1]));
  const auto Reads = static_cast<size_t>(atol(argv[2]));
  const auto Batches = static_cast<size_t>(NumRecords * atof(argv[3])) / Batch;
  bool ByHand = false;
  for (int I = 4; I != argc; ++I)
    (strcmp(argv[I], "any") == 0 ? AnySize : ByHand) = true;
  for (size_t I = 0; I != NumRecords; ++I) {
    Records[I] = makeRecord(I);
    Archive[I] = makeArchived(I);
  }
  if (__thermocline_phase)
    __thermocline_phase("serve");
  const double Begin = seconds();
  {
    Hand *Other = ByHand ? new Hand : nullptr;
    for (size_t I = 0; I != Batches; ++I) {
      replace(Batch, Other);
      for (size_t J = 0; J != Batch * Reads; ++J)
        read();
    }
    delete Other;
  }
  printf("%.3f\n", seconds() - Begin);
  return Sum == 1;
}
