// Threads that are cancelled while they allocate and that release in cleanup
// handlers and destructors, stacks of coroutines and of signal handlers, and
// exceptions: all work, and nothing is lost or counted twice.
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin %s -o %t -pthread
// RUN: rm -f %t.text.*
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=%t.text %t
// RUN: cat %t.text.* | python3 %S/../Inputs/count_sizes.py 4001 4002 4003 4004 4005 4006 | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin -static %s -o %t.static -pthread
// RUN: rm -f %t.text.*
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=%t.text %t.static
// RUN: cat %t.text.* | python3 %S/../Inputs/count_sizes.py 4001 4002 4003 4004 4005 4006 | %FileCheck %s
// CHECK: 4001: 80
// CHECK-NEXT: 4002: 80
// CHECK-NEXT: 4003: 100
// CHECK-NEXT: 4004: 30
// CHECK-NEXT: 4005: 10
// CHECK-NEXT: 4006: 1000

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <pthread.h>
#include <stdexcept>
#include <ucontext.h>
#include <sched.h>

static void *allocate(size_t Size) { return malloc(Size); }

static std::atomic<unsigned> Rounds;

// Cancelled at a cancellation point between the two allocations of a round.
static void cleanUp(void *P) {
  free(P);
  free(allocate(4002));
}
static void *untilCancelled(void *) {
  pthread_cleanup_push(cleanUp, allocate(4001));
  for (;;) {
    free(allocate(100));
    pthread_testcancel();
    ++Rounds;
  }
  pthread_cleanup_pop(1);
}

// Unwinds the thread's stack.
static void *exits(void *) {
  auto Release = [](void *P) { free(P); };
  std::unique_ptr<void, void (*)(void *)> P(allocate(4003), Release);
  pthread_exit(nullptr);
}

static ucontext_t Main, Coroutine;
static void runCoroutine() {
  for (int I = 0; I < 30; ++I) {
    free(allocate(4004));
    swapcontext(&Coroutine, &Main);
  }
}

struct Held {
  void *P = allocate(4006);
  ~Held() { free(P); }
};

int main() {
  for (int Round = 0; Round < 20; ++Round) {
    pthread_t Threads[4];
    for (pthread_t &T : Threads)
      pthread_create(&T, nullptr, untilCancelled, nullptr);
    for (unsigned Begin = Rounds; Rounds - Begin < 100;)
      sched_yield();
    for (pthread_t &T : Threads)
      pthread_cancel(T);
    for (pthread_t &T : Threads) {
      void *Result;
      pthread_join(T, &Result);
      if (Result != PTHREAD_CANCELED)
        return 1;
    }
  }
  for (int I = 0; I < 100; ++I) {
    pthread_t T;
    pthread_create(&T, nullptr, exits, nullptr);
    pthread_join(T, nullptr);
  }

  constexpr size_t StackBytes = 64 * 1024;
  getcontext(&Coroutine);
  Coroutine.uc_stack.ss_sp = allocate(StackBytes);
  Coroutine.uc_stack.ss_size = StackBytes;
  makecontext(&Coroutine, runCoroutine, 0);
  for (int I = 0; I < 30; ++I)
    swapcontext(&Main, &Coroutine);

  stack_t Stack = {};
  Stack.ss_sp = allocate(StackBytes);
  Stack.ss_size = StackBytes;
  sigaltstack(&Stack, nullptr);
  struct sigaction Action = {};
  Action.sa_handler = [](int) { free(allocate(4005)); };
  Action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &Action, nullptr);
  for (int I = 0; I < 10; ++I)
    raise(SIGUSR1);

  int Caught = 0;
  for (int I = 0; I < 1000; ++I)
    try {
      Held H;
      throw std::runtime_error("thrown");
    } catch (std::exception &) {
      ++Caught;
    }
  return Caught != 1000;
}
