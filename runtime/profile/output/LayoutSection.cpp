//===- output/LayoutSection.cpp - How small objects lay -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutSection.h"
#include "DumpPages.h"

using namespace thermocline::runtime;

LayoutSection::~LayoutSection() {
  if (Pages)
    dumppages::give(Pages, Size);
}

bool LayoutSection::makeRoom(size_t Bytes) {
  Size = roundUp(Bytes, 8);
  Pages = static_cast<char *>(dumppages::take(Size));
  if (!Pages)
    Size = 0;
  return Pages != nullptr;
}

void LayoutSection::append(const void *Data, size_t Count) {
  for (size_t I = 0; I != Count; ++I)
    Pages[Used++] = static_cast<const char *>(Data)[I];
}
