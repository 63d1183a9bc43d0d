//===- bench/gain/drivers/json.cpp - A document that is asked by key ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: json FILE ROUNDS
// Reads a list of issues, then follows which blocks which, through issues that
// are open, from each of some.
//
//===----------------------------------------------------------------------===//

#include "phase.h"

#include <fstream>
#include <nlohmann/json.hpp>

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    std::fprintf(stderr, "usage: json FILE ROUNDS\n");
    return 1;
  }
  std::ifstream File(Arguments[1]);
  const nlohmann::json Issues = nlohmann::json::parse(File);
  unsigned long Sum = 0;
  phaseBegin();
  for (int Round = 0, Rounds = std::atoi(Arguments[2]); Round < Rounds; ++Round)
    for (size_t First = static_cast<size_t>(Round); First < Issues.size();
         First += 50) {
      size_t At = First;
      for (int Steps = 0; Steps < 20; ++Steps) {
        const nlohmann::json &Issue = Issues[At];
        if (Issue["open"].get<bool>())
          Sum += Issue["comments"].get<unsigned long>();
        At = Issue["blocks"].get<size_t>();
      }
    }
  phaseEnd(Sum);
  return 0;
}
