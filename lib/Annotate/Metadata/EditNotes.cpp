//===- Annotate/Metadata/EditNotes.cpp - What edits mean for a link -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/EditNotes.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

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

/// Notes of a profile that say one thing of a module.
struct FlagKind {
  StringLiteral Payload;
  bool EditNotes::*Is;
};

} // namespace

static constexpr Kind Kinds[] = {{{"salvaged", 1}, &EditNotes::Salvaged},
                                 {{"entered", 1}, &EditNotes::Entered}};
static constexpr NoteForm ProfileForm = {"profile", 1};
static constexpr ProfileKind ProfileKinds[] = {
    {{"outdated", 1}, &EditNotes::Outdated},
    {ProfileForm, &EditNotes::Unmatched}};
static constexpr FlagKind FlagKinds[] = {{"", &EditNotes::IsOfOthers},
                                         {"g0", &EditNotes::IsWithoutDebugInfo},
                                         {"O0", &EditNotes::IsNotOptimized}};

/// What a note of \p Form says of its module by \p Payload; null if it says
/// something of a profile.
static const FlagKind *flagOf(const NoteForm &Form, StringRef Payload) {
  if (Form.Kind != ProfileForm.Kind)
    return nullptr;
  const FlagKind *Found = llvm::find_if(
      FlagKinds, [&](const FlagKind &K) { return K.Payload == Payload; });
  return Found == std::end(FlagKinds) ? nullptr : Found;
}

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
  for (const FlagKind &K : FlagKinds)
    if (this->*K.Is)
      addNote(M, ProfileForm, K.Payload);
}

Error EditNotes::addIn(StringRef Name) {
  for (const Kind &K : Kinds)
    if (Error E = addNumbersIn(Name, K.Form, this->*K.Ids))
      return E;
  for (const ProfileKind &K : ProfileKinds)
    if (Error E = readNote(Name, K.Form, [&](StringRef Payload) {
          if (const FlagKind *Flag = flagOf(K.Form, Payload)) {
            this->*Flag->Is = true;
            return true;
          }
          WordReader Words(Payload);
          const std::optional<uint64_t> Checksum = Words.number(),
                                        ColdBytes = Words.number();
          if (!ColdBytes || !Words.empty())
            return false;
          (this->*K.ColdBytes).try_emplace(*Checksum, *ColdBytes);
          return true;
        }))
      return E;
  return Error::success();
}

void EditNotes::add(const EditNotes &Other) {
  for (const Kind &K : Kinds)
    (this->*K.Ids).insert((Other.*K.Ids).begin(), (Other.*K.Ids).end());
  for (const ProfileKind &K : ProfileKinds)
    (this->*K.ColdBytes)
        .insert((Other.*K.ColdBytes).begin(), (Other.*K.ColdBytes).end());
  for (const FlagKind &K : FlagKinds)
    this->*K.Is |= Other.*K.Is;
}
