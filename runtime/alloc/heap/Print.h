//===- alloc/heap/Print.h - Text without memory -----------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_PRINT_H
#define THERMOCLINE_ALLOC_PRINT_H

#include <cstddef>

namespace thermocline::alloc {

/// Writes all of Text, unless the file fails.
void writeAll(int File, const char *Text, size_t Size);

/// Writes a line to stderr without allocating memory.
void printLine(const char *Format, ...) __attribute__((format(printf, 1, 2)));

} // namespace thermocline::alloc

#endif
