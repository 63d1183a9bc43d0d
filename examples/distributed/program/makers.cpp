//===- makers.cpp - Buffers behind virtual functions ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "buffers.h"

struct First : Maker {
  char *make(unsigned long Size) override {
    auto *Buffer = static_cast<char *>(takeFromPool(Size));
    Buffer[1] = 1;
    return Buffer;
  }
};

struct Second : Maker {
  char *make(unsigned long Size) override {
    auto *Buffer = static_cast<char *>(takeFromPool(Size));
    Buffer[2] = 2;
    ++Made;
    return Buffer;
  }
  long Made = 0;
};

std::unique_ptr<Maker> createMaker(bool IsSecond) {
  if (IsSecond)
    return std::make_unique<Second>();
  return std::make_unique<First>();
}
