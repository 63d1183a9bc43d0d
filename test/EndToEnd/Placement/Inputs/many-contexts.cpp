//===- Sixteen functions that allocate, and sixteen callers of another one ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <ctime>

static char *volatile Sink;

__attribute__((noinline)) char *make(int Size) {
  char *Made = new char[Size];
  asm volatile("" : "+r"(Made) : : "memory");
  return Made;
}

template <int N> __attribute__((noinline)) void own() {
  char *Made = new char[100 + N];
  Made[0] = 1;
  asm volatile("" : "+r"(Made) : : "memory");
  Sink = Made;
}

template <int N> __attribute__((noinline)) void shared() {
  Sink = make(200 + N);
  *const_cast<volatile char *>(Sink) = 1;
  asm volatile("" : : : "memory");
}

template <int N> void each() {
  own<N>();
  shared<N>();
  if constexpr (N + 1 < 16)
    each<N + 1>();
}

int main() {
  for (int I = 0; I != 10; ++I)
    each<0>();
  for (clock_t End = clock() + CLOCKS_PER_SEC / 50; clock() < End;)
    *const_cast<volatile char *>(Sink) = 1;
}
