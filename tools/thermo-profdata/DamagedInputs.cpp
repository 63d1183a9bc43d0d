//===- thermo-profdata/DamagedInputs.cpp - What is left out ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DamagedInputs.h"
#include "thermocline/Profile/Indexed/MergeInput.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;

Error DamagedInputs::keep(Error Failed) {
  return handleErrors(std::move(Failed), [&](const profile::DamagedInput &E) {
    Texts.push_back(E.message());
  });
}

Error DamagedInputs::noneLeft() const {
  if (Texts.empty() || Texts.size() != NumInputs)
    return Error::success();
  std::string Others;
  if (size_t Count = Texts.size() - 1; Count != 0)
    Others =
        "; so no input can be read: " + formatCount(Count) +
        (Count == 1 ? " other is damaged, too" : " others are damaged, too");
  return createStringError(Texts.front() + Others);
}

void DamagedInputs::warn() const {
  constexpr size_t MostNamed = 5;
  if (Texts.empty())
    return;
  for (const std::string &Text :
       ArrayRef(Texts).take_front(std::min(MostNamed, Texts.size())))
    WithColor::warning(errs(), "thermo-profdata") << Text << "; left out\n";
  WithColor::warning(errs(), "thermo-profdata")
      << formatCount(Texts.size()) << " of " << formatCount(NumInputs, "input")
      << (Texts.size() == 1 ? " is" : " are") << " damaged and left out\n";
}
