//===- Annotate/Metadata/EditNotes.cpp - What edits mean for a link -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/EditNotes.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

struct Kind {
  StringLiteral Name;
  std::set<uint64_t> EditNotes::*Ids;
};

} // namespace

static constexpr Kind Kinds[] = {{"thermocline.salvaged", &EditNotes::Salvaged},
                                 {"thermocline.entered", &EditNotes::Entered}};
static constexpr StringLiteral OutdatedName = "thermocline.outdated";
static constexpr size_t IdDigits = 16;

static std::string digits(uint64_t Id) {
  return utohexstr(Id, /*LowerCase=*/true, IdDigits);
}

/// The numbers behind the name of a \p Kind; none if \p Name is of another one.
static SmallVector<uint64_t, 0> numbersIn(StringRef Name, StringRef Kind) {
  SmallVector<uint64_t, 0> Result;
  if (!Name.consume_front(Kind) || !Name.consume_front("."))
    return Result;
  for (uint64_t Id; Name.size() >= IdDigits; Name = Name.drop_front(IdDigits))
    if (!Name.take_front(IdDigits).getAsInteger(16, Id))
      Result.push_back(Id);
  return Result;
}

void EditNotes::writeTo(Module &M) const {
  for (const Kind &K : Kinds) {
    const std::set<uint64_t> &Ids = this->*K.Ids;
    if (Ids.empty())
      continue;
    std::string Name = (K.Name + ".").str();
    for (uint64_t Id : Ids)
      Name += digits(Id);
    addNote(M, K.Name, Name);
  }
  for (auto [Checksum, ColdBytes] : Outdated)
    addNote(M, OutdatedName,
            (OutdatedName + ".").str() + digits(Checksum) + digits(ColdBytes));
}

void EditNotes::addIn(StringRef Name) {
  for (const Kind &K : Kinds)
    for (uint64_t Id : numbersIn(Name, K.Name))
      (this->*K.Ids).insert(Id);
  if (auto Profile = numbersIn(Name, OutdatedName); Profile.size() == 2)
    Outdated.try_emplace(Profile[0], Profile[1]);
}

void EditNotes::addIn(const Module &M) {
  for (const Kind &K : Kinds)
    forEachNote(M, K.Name, [&](StringRef Name) { addIn(Name); });
  forEachNote(M, OutdatedName, [&](StringRef Name) { addIn(Name); });
}

void EditNotes::add(const EditNotes &Other) {
  for (const Kind &K : Kinds)
    (this->*K.Ids).insert((Other.*K.Ids).begin(), (Other.*K.Ids).end());
  Outdated.insert(Other.Outdated.begin(), Other.Outdated.end());
}
