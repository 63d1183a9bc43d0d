// Objects that threads hand to one another, by a mutex, by an atomic, by the
// end of a thread, and that the receiver frees. Counts that wait in registers
// or for later accesses must be added before that: the sums are exactly those
// of clang's -fmemory-profile.
// DEFINE: %{debug} = -gmlt -fdebug-info-for-profiling -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls -funique-internal-linkage-names
// RUN: %clangxx -fmemory-profile %{debug} -std=c++20 -O2 -c %s -o %t.stock.o
// RUN: %clangxx --config=%generate-cfg -fuse-ld=lld %t.stock.o -o %t.stock -pthread
// RUN: %clangxx --config=%generate-cfg -fuse-ld=lld -std=c++20 -O2 %s -o %t.ours -pthread
// RUN: rm -f %t.*.raw.*
// RUN: env MEMPROF_OPTIONS=log_path=%t.stock.raw %t.stock > %t.stock.out
// RUN: env MEMPROF_OPTIONS=log_path=%t.ours.raw %t.ours > %t.ours.out
// RUN: cmp %t.stock.out %t.ours.out
// RUN: python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t.stock %t.stock.raw.* %t.ours %t.ours.raw.* --only make

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

struct Item {
  Item *Next;
  long Values[8];
};

template <int Site> __attribute__((noinline)) static Item *make(long Seed) {
  Item *I = static_cast<Item *>(malloc(sizeof(Item)));
  I->Next = nullptr;
  for (long &V : I->Values)
    V = Seed++;
  return I;
}

/// Loops whose counts leave them, and accesses on one side of a branch.
static long work(Item *I, long Rounds) {
  long Sum = 0;
  for (long Round = 0; Round < Rounds; ++Round) {
    for (long &V : I->Values)
      Sum += V++;
    if (I->Values[Round & 7] & 1)
      I->Values[0] ^= Sum & 15;
  }
  return Sum;
}

/// A stack under a mutex: each item is pushed and popped while its accesses are
/// not yet counted, if counts waited for too long.
class Stack {
public:
  void push(Item *I) {
    {
      std::lock_guard<std::mutex> Guard(Lock);
      I->Next = Top;
      Top = I;
    }
    Pushed.notify_one();
  }
  Item *pop() {
    std::unique_lock<std::mutex> Guard(Lock);
    Pushed.wait(Guard, [&] { return Top != nullptr; });
    Item *I = Top;
    Top = I->Next;
    return I;
  }

private:
  std::mutex Lock;
  std::condition_variable Pushed;
  Item *Top = nullptr;
};

static constexpr long Items = 2000;
static long Results[8];

static void produce(Stack *To) {
  for (long N = 0; N < Items; ++N) {
    Item *I = make<1>(N);
    Results[0] += work(I, N % 5);
    To->push(I);
  }
}
static void pass(Stack *From, Stack *To) {
  for (long N = 0; N < Items; ++N) {
    Item *I = From->pop();
    Results[1] += work(I, 3);
    To->push(I);
  }
}
static void consume(Stack *Source) {
  for (long N = 0; N < Items; ++N) {
    Item *I = Source->pop();
    Results[2] += work(I, 2);
    free(I);
  }
}

/// A slot that holds one item at a time.
static std::atomic<Item *> Slot;
static void put() {
  for (long N = 0; N < Items; ++N) {
    Item *I = make<2>(N);
    Results[3] += work(I, N % 3);
    while (Slot.load(std::memory_order_acquire))
      std::this_thread::yield();
    Slot.store(I, std::memory_order_release);
  }
}
static void take() {
  for (long N = 0; N < Items; ++N) {
    Item *I;
    while (!(I = Slot.exchange(nullptr, std::memory_order_acq_rel)))
      std::this_thread::yield();
    long Sum = 0;
    for (int V = 0; V < 8 && I->Values[V] != N + 5; ++V)
      Sum += I->Values[V];
    Results[4] += Sum;
    free(I);
  }
}

/// Left behind by a thread that has ended.
static void leave(Item **Left) {
  for (long N = 0; N < 100; ++N) {
    Left[N] = make<3>(N);
    Results[5] += work(Left[N], N);
  }
}

int main() {
  Stack First, Second;
  std::thread Threads[] = {
      std::thread(produce, &First), std::thread(pass, &First, &Second),
      std::thread(consume, &Second), std::thread(put), std::thread(take)};
  for (std::thread &T : Threads)
    T.join();
  for (int Round = 0; Round < 20; ++Round) {
    Item *Left[100];
    std::thread(leave, Left).join();
    for (Item *I : Left) {
      Results[6] += work(I, 2);
      free(I);
    }
  }
  // The order in which items are passed on may differ, their sums do not.
  printf("%ld %ld %ld\n", Results[3], Results[5], Results[6]);
}
