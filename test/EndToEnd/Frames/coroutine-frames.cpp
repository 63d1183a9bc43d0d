// Coroutines, generators and tasks: LLVM splits them into functions of their
// own, in ThinLTO only after the link. Each frame in a part (f.resume,
// f.destroy) is one of the whole, and so are those of what co_await calls.

// RUN: %check-frames %t/O1 "-O1" "" %s
// RUN: %check-frames %t/O2 "-O2" "" %s
// RUN: %check-frames %t/thin "-O3" "-flto=thin" %s
// RUN: %check-frames %t/full "-Os -flto=full" "" %s

#include "Inputs/checked-calls.h"
#include <coroutine>
#include <exception>
#include <utility>

struct Guard {
  int N;
  ~Guard() { keep(malloc(N + 3)); }
};

struct Generator {
  struct promise_type {
    int Value;
    promise_type() { keep(malloc(5)); }
    ~promise_type() { keep(malloc(6)); }
    Generator get_return_object() {
      keep(malloc(7));
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int V) {
      Value = V;
      make(V);
      return {};
    }
    void return_void() {}
    void unhandled_exception() { make(9); }
  };
  std::coroutine_handle<promise_type> Handle;
  Generator(std::coroutine_handle<promise_type> H) : Handle(H) {}
  Generator(Generator &&O) : Handle(std::exchange(O.Handle, nullptr)) {}
  ~Generator() {
    if (Handle)
      Handle.destroy();
  }
  bool next() {
    Handle.resume();
    return !Handle.done();
  }
};

struct Task {
  struct promise_type {
    std::coroutine_handle<> Waiting;
    int Value;
    static void *operator new(size_t N) { return ::operator new(N); }
    static void operator delete(void *P) { ::operator delete(P); }
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Last {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<>
      await_suspend(std::coroutine_handle<promise_type> H) noexcept {
        keep(malloc(11));
        return H.promise().Waiting ? H.promise().Waiting
                                   : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    Last final_suspend() noexcept { return {}; }
    void return_value(int V) { Value = V; }
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> Handle;
  Task(std::coroutine_handle<promise_type> H) : Handle(H) {}
  Task(Task &&O) : Handle(std::exchange(O.Handle, nullptr)) {}
  ~Task() {
    if (Handle)
      Handle.destroy();
  }
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> Caller) {
    Handle.promise().Waiting = Caller;
    make(12);
    return Handle;
  }
  int await_resume() {
    make(13);
    return Handle.promise().Value;
  }
};

static NOINLINE Generator count(int N) {
  Guard G{N};
  for (int I = 0; I != N; ++I) {
    if (roll(2))
      co_yield (make(I), I);
    else
      co_yield (make(I), I);
  }
  if (roll(2))
    throw 1;
  make(N);
}
NOINLINE Generator twice(int N) {
  Guard G{N};
  Generator Inner = count(N);
  while (Inner.next()) {
    co_yield Inner.Handle.promise().Value;
    keep(malloc(14));
  }
}
inline NOINLINE Task leaf(int N) {
  char *P = make(N);
  co_return P != nullptr;
}
static NOINLINE Task branch(int N) {
  Guard G{N};
  int A = co_await leaf(N);
  int B = roll(2) ? co_await leaf(N + 1) : co_await leaf(N + 1);
  keep(malloc(15));
  co_return A + B;
}
// Called where it is made, so that no frame is put on the stack.
auto lambda = [](int N) __attribute__((noinline)) -> Task {
  make(N);
  int R = co_await branch(N);
  co_return R;
};
NOINLINE void run(int N) {
  Generator G = twice(N);
  while (G.next())
    make(1);
  Generator Left = count(N + 2);
  Left.next();
  Left.next();
  Task T = branch(N);
  T.Handle.resume();
  Task U = lambda(N);
  U.Handle.resume();
}
int main() {
  for (int I = 0; I != 20; ++I)
    run(I);
}
