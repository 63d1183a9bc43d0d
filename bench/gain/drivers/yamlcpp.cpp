//===- bench/gain/drivers/yamlcpp.cpp - A document that is searched  ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: yamlcpp FILE ROUNDS
// Reads a list of maps, then sums one field of each, again and again.
//
//===----------------------------------------------------------------------===//

#include "phase.h"

#include <yaml-cpp/yaml.h>

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    std::fprintf(stderr, "usage: yamlcpp FILE ROUNDS\n");
    return 1;
  }
  const YAML::Node Machines = YAML::LoadFile(Arguments[1]);
  unsigned long Sum = 0;
  phaseBegin();
  for (int Round = 0, Rounds = std::atoi(Arguments[2]); Round < Rounds; ++Round)
    for (const YAML::Node &Machine : Machines)
      Sum += std::strtoul(Machine["port"].Scalar().c_str(), nullptr, 10);
  phaseEnd(Sum);
  return 0;
}
