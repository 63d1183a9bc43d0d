//===- bench/gain/drivers/pugixml.cpp - A DOM that is searched  -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: pugixml FILE ROUNDS
// Parses a file, then looks in each item for the element of one name, again and
// again.
//
//===----------------------------------------------------------------------===//

#include "phase.h"

#include "pugixml.hpp"

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    std::fprintf(stderr, "usage: pugixml FILE ROUNDS\n");
    return 1;
  }
  pugi::xml_document Document;
  if (!Document.load_file(Arguments[1]))
    return 1;
  unsigned long Sum = 0;
  phaseBegin();
  for (int Round = 0, Rounds = std::atoi(Arguments[2]); Round < Rounds; ++Round)
    for (pugi::xml_node Item : Document.child("catalogue"))
      Sum = Sum * 31 +
            std::strtoul(Item.child("price").child_value(), nullptr, 10);
  phaseEnd(Sum);
  return 0;
}
