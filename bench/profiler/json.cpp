//===- bench/profiler/json.cpp - JSON by a real library -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a document, and reads and changes it again and again.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

using nlohmann::json;

static std::string makeText() {
  json People = json::array();
  for (int I = 0; I < 5000; ++I)
    People.push_back(
        {{"id", I},
         {"name", "person number " + std::to_string(I)},
         {"address", {{"street", "a long enough street"}, {"house", I % 100}}},
         {"scores", {I * 0.5, I * 0.25, 17, nullptr, true}},
         {"tags", {"red", "green", "blue"}}});
  return People.dump();
}

int main() {
  std::string Text = makeText();
  double Sum = 0;
  for (int Round = 0; Round < 15; ++Round) {
    json People = json::parse(Text);
    for (json &Person : People) {
      Sum += Person["scores"][1].get<double>();
      Person["address"]["house"] = Round;
      Person.erase("tags");
    }
    Sum += static_cast<double>(People.dump().size());
  }
  printf("%.1f\n", Sum);
}
