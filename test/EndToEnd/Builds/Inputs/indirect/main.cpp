// What is kept is cold, what is passed on at once is not. All of it comes
// through the same virtual functions and the same function pointer. Each
// function that calls indirectly also calls directly.
#include "make.h"
#include <cstdio>
#include <cstdlib>
#include <vector>
extern "C" __attribute__((weak)) bool __thermocline_pass_time(unsigned long);

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
  for (int Millisecond = 0; Millisecond != 200; ++Millisecond) {
    for (int I = 0; I != 100; ++I)
      Sum += pass(*Makers[I % 2], I % 2);
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
  printf("kept %zu, %s\n", Kept.size(), Sum ? "passed" : "nothing");
}
