//===- names/library.cpp - A table of names -------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "library.h"

#include <cstring>

Name *makeName(unsigned Key) {
  auto *N = new Name{new char[48], Key};
  std::memset(N->Text, static_cast<int>(Key), 48);
  return N;
}

unsigned sumOf(const std::vector<Name *> &Names) {
  unsigned Sum = 0;
  for (const Name *N : Names)
    Sum += N->Key + static_cast<unsigned char>(N->Text[N->Key % 48]);
  return Sum;
}
