//===- main.cpp - What is kept, and what is used --------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is set up is kept to the end and never looked at again; what is made for
// work is read many times and given back.
//
//===----------------------------------------------------------------------===//

#include "buffers.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

template struct Box<long>;

static std::vector<char *> Kept;
static int Inside;

__attribute__((noinline)) static void setUp(Maker &M) {
  Kept.push_back(M.make(1000));
  Kept.push_back(makeInline(&Inside, 1001));
  Kept.push_back(makeForSetUp(&Inside, 1002));
  Kept.push_back(static_cast<char *>(takeFromPool(1003)));
  Kept.push_back(reinterpret_cast<char *>(Box<long>(125).Items));
}

__attribute__((noinline)) static unsigned work(Maker &M) {
  char *Made = M.make(2000);
  char *Inline = makeInline(&Inside, 2001);
  char *Other = makeForWork(&Inside, 2002);
  auto *Pooled = static_cast<char *>(takeFromPool(2003));
  long *Boxed = Box<long>(250).Items;
  unsigned Sum = 0;
  for (int Round = 0; Round != 20; ++Round)
    for (int I = 0; I != 2000; ++I)
      Sum += Made[I] + Inline[I] + Other[I] + Pooled[I] +
             static_cast<unsigned>(Boxed[I / 8]);
  free(Made);
  delete[] Inline;
  delete[] Other;
  free(Pooled);
  delete[] Boxed;
  return Sum;
}

int main() {
  std::unique_ptr<Maker> Makers[] = {createMaker(false), createMaker(true)};
  for (int I = 0; I != 100; ++I)
    setUp(*Makers[I % 2]);
  unsigned Sum = 0;
  for (int I = 0; I != 3000; ++I)
    Sum += work(*Makers[I % 2]);
  printf("kept %zu buffers, sum %u\n", Kept.size(), Sum);
}
