//===- names/library.h - A table of names ----------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIBRARY_H
#define LIBRARY_H

#include <vector>

struct Name {
  char *Text;
  unsigned Key;
};

/// Makes a name. Two of a kind: those that are asked for, and those that are
/// only kept.
Name *makeName(unsigned Key);

unsigned sumOf(const std::vector<Name *> &Names);

#endif
