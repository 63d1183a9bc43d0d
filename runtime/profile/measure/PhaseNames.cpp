//===- profile/measure/PhaseNames.cpp - The phases of a run ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseNames.h"
#include "platform/Text.h"

using namespace thermocline::runtime;

unsigned PhaseNames::find(const char *Name) {
  if (!Name || !*Name)
    return 0;
  const size_t Size = textLength(Name);
  for (unsigned I = 1; I != size(); ++I)
    if (textEquals(Name, Size, Names[I]))
      return I;
  if (Size > thermocline::format::MaxPhaseNameBytes || size() == MaxPhases)
    return MaxPhases;
  ++NumNamed;
  for (size_t I = 0; I != Size; ++I)
    Names[NumNamed][I] = Name[I];
  return NumNamed;
}
