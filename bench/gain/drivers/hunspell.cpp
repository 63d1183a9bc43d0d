//===- bench/gain/drivers/hunspell.cpp - Words looked up in a dictionary  -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: hunspell NAME ROUNDS
// Loads NAME.aff and NAME.dic, then checks the words of NAME.txt, again and
// again.
//
//===----------------------------------------------------------------------===//

#include "phase.h"

#include "hunspell.hxx"

#include <fstream>
#include <string>
#include <vector>

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    std::fprintf(stderr, "usage: hunspell NAME ROUNDS\n");
    return 1;
  }
  std::string Name = Arguments[1];
  Hunspell Dictionary((Name + ".aff").c_str(), (Name + ".dic").c_str());
  std::ifstream Text(Name + ".txt");
  std::vector<std::string> Words;
  for (std::string Word; std::getline(Text, Word);)
    Words.push_back(Word);
  unsigned long Known = 0;
  phaseBegin();
  for (int Round = 0, Rounds = std::atoi(Arguments[2]); Round < Rounds; ++Round)
    for (const std::string &Word : Words)
      Known += Dictionary.spell(Word);
  phaseEnd(Known);
  return 0;
}
