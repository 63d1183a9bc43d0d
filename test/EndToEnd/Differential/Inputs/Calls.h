/*===- Differential/Inputs/Calls.h - What random programs call ----------------===
 *
 * Part of the Thermocline project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*/

#ifndef CALLS_H
#define CALLS_H

#include <stddef.h>

typedef void Call(unsigned);

#ifdef __cplusplus
#include <coroutine>
#include <csetjmp>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <utility>
extern "C" {
#endif

/* What comes next: 4 times the number of the cell, and Hot or Cold. */
enum { Hot = 1, Cold = 2, MaxTags = 4096 };
extern int Tag;

/* Remembers a block. Hot ones are read over and over by useAll(). */
void keep(void *Block, unsigned Size);
/* Prints a sum of all contents; then by tag bytes on the plain and the cold heap. */
void useAll(void);
/* Not an allocation, and not on the way to one. */
void note(unsigned Number);
/* Throws an int. */
void throwInt(void);

/* These call F(N). Of the program's own code: */
void inContext(Call *F, unsigned N);
void inThread(Call *F, unsigned N);
void inSort(Call *F, unsigned N);
void inSignal(Call *F, unsigned N);
void inOnce(Call *F, unsigned N);
void inPointer(Call *F, unsigned N);
/* Of code that no plugin has seen, in the program and in a library: */
void nativeCall(Call *F, unsigned N);
void nativeContext(Call *F, unsigned N);
void nativeJump(Call *F, unsigned N);
void libraryCall(Call *F, unsigned N);
void libraryContext(Call *F, unsigned N);
void libraryJump(Call *F, unsigned N);
/* What was stored last is called once. */
void nativeStore(Call *F);
void nativeFire(unsigned N);
void libraryStore(Call *F);
void libraryFire(unsigned N);
/* They allocate. */
void *nativeAllocate(size_t Size);
void *libraryAllocate(size_t Size);

#ifdef __cplusplus
}

/* What a coroutine returns: it begins when it is first resumed. */
struct Step {
  struct promise_type {
    std::coroutine_handle<> Next = std::noop_coroutine();
    Step get_return_object() {
      return Step(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Last {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<>
      await_suspend(std::coroutine_handle<promise_type> H) noexcept {
        return H.promise().Next;
      }
      void await_resume() noexcept {}
    };
    Last final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  explicit Step(std::coroutine_handle<promise_type> H) : Handle(H) {}
  Step() = default;
  Step(Step &&S) : Handle(std::exchange(S.Handle, nullptr)) {}
  Step &operator=(Step &&S) {
    std::swap(Handle, S.Handle);
    return *this;
  }
  /* What is destroyed with it may assign to it. */
  ~Step() {
    if (auto H = std::exchange(Handle, nullptr))
      H.destroy();
  }
  /* Resumes it once, if it has not come to its end. */
  void resume() {
    if (Handle && !Handle.done())
      Handle.resume();
  }
  void run() {
    while (!Handle.done())
      Handle.resume();
  }
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> From) {
    Handle.promise().Next = From;
    return Handle;
  }
  void await_resume() {}

  std::coroutine_handle<promise_type> Handle;
};
/* As its members do, in another file. */
void resumeElsewhere(Step &S);
void runElsewhere(Step &S);
Step started(Step S);

/* Calls something at the end of a scope. */
template <typename T> struct AtEnd {
  T Do;
  ~AtEnd() { Do(); }
};
template <typename T> AtEnd(T) -> AtEnd<T>;
#endif

#endif
