//===- alloc/hints/Strings.c - strdup_cold and kin, fallback ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The twins of the string functions that allocate.
//
//===----------------------------------------------------------------------===//

#include "thermocline/hints.h"
#include <string.h>

char *strdup_cold(const char *string) { return strdup(string); }

char *strndup_cold(const char *string, size_t size) {
  return strndup(string, size);
}
