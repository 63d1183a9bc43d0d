//===- Annotate/Metadata/EditNotes.cpp - What edits mean for a link -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/EditNotes.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Part.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

struct Kind {
  NoteForm Form;
  std::set<uint64_t> EditNotes::*Ids;
};

/// Notes that name a profile.
struct ProfileKind {
  NoteForm Form;
  std::map<uint64_t, uint64_t> EditNotes::*ColdBytes;
};

} // namespace

static constexpr Kind Kinds[] = {{{"salvaged", 1}, &EditNotes::Salvaged},
                                 {{"entered", 1}, &EditNotes::Entered}};
static constexpr NoteForm ProfileForm = {"profile", 1};
static constexpr ProfileKind ProfileKinds[] = {
    {{"outdated", 1}, &EditNotes::Outdated},
    {ProfileForm, &EditNotes::Unmatched}};

void EditNotes::writeTo(Module &M) const {
  for (const Kind &K : Kinds)
    noteNumbers(M, K.Form, this->*K.Ids);
  for (const ProfileKind &K : ProfileKinds)
    for (auto [Checksum, ColdBytes] : this->*K.ColdBytes) {
      std::string Payload;
      putWord(Payload, Checksum);
      putWord(Payload, ColdBytes);
      addNote(M, K.Form, Payload);
    }
  if (IsOfOthers)
    addNote(M, ProfileForm, "");
}

Error EditNotes::addIn(StringRef Name) {
  for (const Kind &K : Kinds)
    if (Error E = addNumbersIn(Name, K.Form, this->*K.Ids))
      return E;
  for (const ProfileKind &K : ProfileKinds) {
    auto Payload = noteIn(Name, K.Form);
    if (!Payload)
      return Payload.takeError();
    if (!*Payload)
      continue;
    WordReader Words(**Payload);
    if (Words.empty() && K.ColdBytes == &EditNotes::Unmatched) {
      IsOfOthers = true;
      continue;
    }
    const std::optional<uint64_t> Checksum = Words.number(),
                                  ColdBytes = Words.number();
    if (!ColdBytes || !Words.empty())
      return damagedNote(K.Form);
    (this->*K.ColdBytes).try_emplace(*Checksum, *ColdBytes);
  }
  return Error::success();
}

void EditNotes::add(const EditNotes &Other) {
  for (const Kind &K : Kinds)
    (this->*K.Ids).insert((Other.*K.Ids).begin(), (Other.*K.Ids).end());
  for (const ProfileKind &K : ProfileKinds)
    (this->*K.ColdBytes)
        .insert((Other.*K.ColdBytes).begin(), (Other.*K.ColdBytes).end());
  IsOfOthers |= Other.IsOfOthers;
}
