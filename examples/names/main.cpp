//===- names/main.cpp - A program that asks for few of its names ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "library.h"

#include <cstdio>

static std::vector<Name *> Asked, Kept;

[[gnu::noinline]] static void ask(unsigned Key) {
  Asked.push_back(makeName(Key));
}
[[gnu::noinline]] static void keep(unsigned Key) {
  Kept.push_back(makeName(Key));
}

int main() {
  for (unsigned I = 0; I < 100000; ++I)
    I % 10 ? keep(I) : ask(I);
  unsigned Sum = 0;
  for (unsigned Round = 0; Round < 2000; ++Round)
    Sum = Sum * 31 + sumOf(Asked);
  std::printf("%u of %zu names, %zu kept\n", Sum, Asked.size(), Kept.size());
}
