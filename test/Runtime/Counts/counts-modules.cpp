// A program of two modules, which are instrumented apart, and inlined into each
// other and optimized together when they are linked: what its own module takes
// for loops over objects that may overlap becomes copies, and what it cannot
// know the value of, fills. Exactly the counts of clang's -fmemory-profile.
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s,%S/Inputs/counts_modules.cpp -O2
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s,%S/Inputs/counts_modules.cpp -O2 -flto=thin
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s,%S/Inputs/counts_modules.cpp -O3 -mavx2 -flto=thin
// RUN: %S/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s,%S/Inputs/counts_modules.cpp -O2 -flto=full

#include "Inputs/counts_modules.h"
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

template <typename T, int Site>
__attribute__((noinline)) static T *make(size_t N) {
  return static_cast<T *>(malloc(N * sizeof(T)));
}

int main(int Count, char **) {
  // What only the program that runs knows.
  const long N = 999 + Count;
  int *Filled = make<int, 0>(N), *Copied = make<int, 1>(N);
  fill(Filled, N, 0);
  fill(Copied, N, 7);
  copy(Copied, Filled, N);
  shift(Copied, N);
  printf("%d %ld\n", Copied[N / 2], sum(Copied, N));

  Record *First = make<Record, 2>(1), *Second = make<Record, 3>(1);
  reset(*First, 0);
  reset(*Second, -1);
  bool Same = equal(*First, *Second);
  *Second = *First;
  printf("%d %d\n", Same, equal(*First, *Second));

  Node *List = nullptr;
  for (long I = 0; I < 50; ++I)
    List = push(make<Node, 4>(1), List, I);
  long Found = 0;
  for (long I = 0; I < 60; ++I)
    Found += find(List, I) != nullptr;
  printf("%ld %ld\n", Found, length(List));
  while (List)
    List = pop(List);

  // The other one of two, an exception, and what is inlined in both modules.
  Shape *Shapes[] = {makeShape(0), makeShape(1)};
  long Area = 0;
  for (long I = 0; I < 100; ++I)
    Area += Shapes[I % 3 == 0]->area() + Shapes[0]->side();
  try {
    for (long I = 0; I < N; ++I)
      Area += checked(Filled, I, N / 2);
  } catch (const std::out_of_range &) {
    ++Area;
  }
  printf("%ld\n", Area);
  for (Shape *S : Shapes)
    delete S;
  free(First);
  free(Second);
  free(Filled);
  free(Copied);
}
