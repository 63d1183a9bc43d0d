// Threads that end while others allocate, by returning and by pthread_exit,
// that allocate in destructors of thread_local objects and of pthread keys, and
// that free what others allocated: nothing is lost or counted twice, whoever
// had it last, and neither is what threads have that still run at the end.
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin %s -o %t -pthread
// RUN: rm -f %t.text.*
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=%t.text %t
// RUN: cat %t.text.* | python3 %S/../Inputs/count_sizes.py 4001 4002 4003 4004 4005 4006 | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin -static %s -o %t.static -pthread
// RUN: rm -f %t.text.*
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=%t.text %t.static
// RUN: cat %t.text.* | python3 %S/../Inputs/count_sizes.py 4001 4002 4003 4004 4005 4006 | %FileCheck %s
// CHECK: 4001: 30000
// CHECK-NEXT: 4002: 300
// CHECK-NEXT: 4003: 1200
// CHECK-NEXT: 4004: 50000
// CHECK-NEXT: 4005: 2000
// CHECK-NEXT: 4006: 300

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

static void *allocate(size_t Size) {
  void *P = malloc(Size);
  memset(P, 1, Size);
  return P;
}

// Its destructor runs before libc's thread-specific data is destroyed.
struct LateObject {
  void *Kept = nullptr;
  ~LateObject() {
    free(allocate(4002));
    free(Kept);
  }
};
static thread_local LateObject Late;

// Sets its value again, so that libc comes back in every round that it makes.
static pthread_key_t Key;
static void destroyKey(void *Value) {
  free(Value);
  pthread_setspecific(Key, allocate(4003));
}

static void *endingThread(void *Argument) {
  pthread_setspecific(Key, malloc(1));
  Late.Kept = allocate(4006);
  for (int I = 0; I < 100; ++I)
    free(allocate(4001));
  if (Argument)
    pthread_exit(nullptr);
  return nullptr;
}

// One allocates, another frees.
static std::atomic<void *> Mailbox[16];
static void *producer(void *) {
  for (int I = 0; I < 50000; ++I) {
    void *P = allocate(4004), *Empty = nullptr;
    while (!Mailbox[I % 16].compare_exchange_weak(Empty, P)) {
      Empty = nullptr;
      sched_yield();
    }
  }
  return nullptr;
}
static void *consumer(void *) {
  for (int I = 0; I < 50000; ++I) {
    void *P;
    while (!(P = Mailbox[I % 16].exchange(nullptr)))
      sched_yield();
    free(P);
  }
  return nullptr;
}

// Still there when the program ends, with measures of its own.
static std::atomic<bool> Parked;
static void *parkedThread(void *) {
  for (int I = 0; I < 2000; ++I)
    free(allocate(4005));
  Parked = true;
  for (;;)
    pause();
}

int main() {
  pthread_key_create(&Key, destroyKey);
  pthread_t Pair[2], Ending[4], ParkedId;
  pthread_create(&ParkedId, nullptr, parkedThread, nullptr);
  pthread_create(&Pair[0], nullptr, producer, nullptr);
  pthread_create(&Pair[1], nullptr, consumer, nullptr);
  for (int Round = 0; Round < 75; ++Round) {
    for (pthread_t &T : Ending)
      pthread_create(&T, nullptr, endingThread, Round % 2 ? &T : nullptr);
    for (pthread_t &T : Ending)
      pthread_join(T, nullptr);
  }
  for (pthread_t &T : Pair)
    pthread_join(T, nullptr);
  while (!Parked)
    sched_yield();
}
