//===- requests.cpp - Buffers for set-up and for work ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "buffers.h"

template struct Box<long>;

char *makeForSetUp(int *Inside, unsigned long Size) {
  Box<long> Lengths(Size / 8);
  char *Buffer = makeInline(Inside, Size);
  Buffer[0] = static_cast<char>(Lengths.Size);
  return Buffer;
}

char *makeForWork(int *Inside, unsigned long Size) {
  Box<long> Lengths(Size / 8);
  char *Buffer = makeInline(Inside, Size);
  Buffer[0] = static_cast<char>(Lengths.Size);
  delete[] Lengths.Items;
  return Buffer;
}
