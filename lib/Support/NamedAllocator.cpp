//===- Support/NamedAllocator.cpp - What users name -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/NamedAllocator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace thermocline;

std::string
thermocline::parseNamedAllocators(StringRef Text,
                                  std::vector<NamedAllocator> &Allocators) {
  for (StringRef One : split(Text, ',')) {
    auto [Name, Variant] = One.split(':');
    if (Name.empty() || Variant.empty() || Variant.contains(':') ||
        One.find_first_of(" \t") != StringRef::npos)
      return ("'" + One +
              "' does not name an allocation function and its cold variant: "
              "NAME:VARIANT, such as pool_alloc:pool_alloc_cold")
          .str();
    if (Name == Variant)
      return ("'" + One + "' names a function as its own cold variant").str();
    auto Known = find_if(
        Allocators, [Name = Name](const auto &Is) { return Is.Name == Name; });
    if (Known == Allocators.end())
      Allocators.push_back({Name.str(), Variant.str()});
    else if (Known->ColdName != Variant)
      return ("'" + One +
              "' names another cold variant than before: " + Known->ColdName)
          .str();
  }
  return "";
}
