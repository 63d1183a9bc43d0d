//===- touch.cpp - Writes buffers -----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "buffers.h"
#include <cstring>

void *touch(void *Buffer, unsigned long Size) {
  return memset(Buffer, 1, Size);
}
