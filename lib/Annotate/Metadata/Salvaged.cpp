//===- Annotate/Metadata/Salvaged.cpp - What was found in edited source ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/Salvaged.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace thermocline;

static constexpr StringLiteral Prefix = "thermocline.salvaged.";
static constexpr StringLiteral NodeName = "thermocline.salvaged";
static constexpr size_t IdDigits = 16;

void annotate::noteSalvaged(Module &M, const std::set<uint64_t> &Ids) {
  if (Ids.empty())
    return;
  std::string Name = Prefix.str();
  for (uint64_t Id : Ids)
    Name += utohexstr(Id, /*LowerCase=*/true, IdDigits);
  addNote(M, NodeName, Name);
}

void annotate::addSalvagedIn(StringRef Name, std::set<uint64_t> &Ids) {
  if (!Name.consume_front(Prefix))
    return;
  for (uint64_t Id; Name.size() >= IdDigits; Name = Name.drop_front(IdDigits))
    if (!Name.take_front(IdDigits).getAsInteger(16, Id))
      Ids.insert(Id);
}

void annotate::addSalvagedIn(const Module &M, std::set<uint64_t> &Ids) {
  forEachNote(M, NodeName, [&](StringRef Name) { addSalvagedIn(Name, Ids); });
}
