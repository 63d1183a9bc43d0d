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

/// Notes that name a profile.
struct ProfileKind {
  StringLiteral Name;
  std::map<uint64_t, uint64_t> EditNotes::*ColdBytes;
};

} // namespace

static constexpr Kind Kinds[] = {{"thermocline.salvaged", &EditNotes::Salvaged},
                                 {"thermocline.entered", &EditNotes::Entered}};
static constexpr StringLiteral ProfileName = "thermocline.profile";
static constexpr ProfileKind ProfileKinds[] = {
    {"thermocline.outdated", &EditNotes::Outdated},
    {ProfileName, &EditNotes::Unmatched}};
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
  for (const ProfileKind &K : ProfileKinds)
    for (auto [Checksum, ColdBytes] : this->*K.ColdBytes)
      addNote(M, K.Name,
              (K.Name + ".").str() + digits(Checksum) + digits(ColdBytes));
  if (IsOfOthers)
    addNote(M, ProfileName, (ProfileName + ".").str());
}

void EditNotes::addIn(StringRef Name) {
  for (const Kind &K : Kinds)
    for (uint64_t Id : numbersIn(Name, K.Name))
      (this->*K.Ids).insert(Id);
  for (const ProfileKind &K : ProfileKinds)
    if (auto Profile = numbersIn(Name, K.Name); Profile.size() == 2)
      (this->*K.ColdBytes).try_emplace(Profile[0], Profile[1]);
  IsOfOthers |= Name.consume_front(ProfileName) && Name == ".";
}

void EditNotes::addIn(const Module &M) {
  for (const Kind &K : Kinds)
    forEachNote(M, K.Name, [&](StringRef Name) { addIn(Name); });
  for (const ProfileKind &K : ProfileKinds)
    forEachNote(M, K.Name, [&](StringRef Name) { addIn(Name); });
}

void EditNotes::add(const EditNotes &Other) {
  for (const Kind &K : Kinds)
    (this->*K.Ids).insert((Other.*K.Ids).begin(), (Other.*K.Ids).end());
  for (const ProfileKind &K : ProfileKinds)
    (this->*K.ColdBytes)
        .insert((Other.*K.ColdBytes).begin(), (Other.*K.ColdBytes).end());
  IsOfOthers |= Other.IsOfOthers;
}
