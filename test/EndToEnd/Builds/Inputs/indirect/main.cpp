// What is kept is cold, what is passed on at once is not. All of it comes
// through the same virtual functions and the same function pointer. Each
// function that calls indirectly also calls directly.
#include "make.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

MakeFunction volatile Pointer = makePlain;
static std::vector<char *> Kept;

__attribute__((noinline)) void keep(Maker &Virtual) {
  Kept.push_back(Virtual.make(1000));
  Kept.push_back(Pointer(1001));
  Kept.push_back(makePlain(1002));
}

__attribute__((noinline)) int pass(Maker &Virtual, bool Array) {
  char *A = Virtual.make(2000), *B = Pointer(2001), *C = makePlain(2002);
  int Sum = 0;
  for (int I = 0; I != 2000; ++I)
    Sum += A[I] ^ B[I] ^ C[I];
  Array ? delete[] A : free(A);
  free(B);
  free(C);
  return Sum;
}

int main() {
  Bytes TheBytes;
  Letters TheLetters;
  Maker *Makers[] = {&TheBytes, &TheLetters};
  for (int I = 0; I != 400; ++I)
    keep(*Makers[I % 2]);
  int Sum = 0;
  // Long enough for milliseconds to tell lifetimes apart.
  auto End = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  do
    for (int I = 0; I != 100; ++I)
      Sum += pass(*Makers[I % 2], I % 2);
  while (std::chrono::steady_clock::now() < End);
  printf("kept %zu, %s\n", Kept.size(), Sum ? "passed" : "nothing");
}
