//===- Profile/Architectures.cpp - Where programs ran ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Architectures.h"
#include "ProfileParts.h"
#include "thermocline/Format/BinaryPart.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr PartForm Part = {format::ArchitecturesPart,
                                  format::ArchitecturePartVersion,
                                  "part of architectures", Compress::No};

std::string Architectures::text() const { return join(Names, " and "); }

void Architectures::appendTo(std::string &File) const {
  if (empty())
    return;
  std::string Payload;
  putWord(Payload, Names.size());
  for (const std::string &Name : Names) {
    putWord(Payload, Name.size());
    Payload += Name;
    padToWord(Payload);
  }
  appendPart(File, Part, Payload);
}

static std::optional<StringRef> readName(WordReader &Words) {
  const std::optional<uint64_t> Bytes = Words.number();
  const std::optional<StringRef> Name =
      Bytes ? Words.take(*Bytes) : std::nullopt;
  if (!Name || Name->empty() || !all_of(*Name, isPrint) ||
      !Words.take(-*Bytes % WordSize))
    return std::nullopt;
  return Name;
}

Expected<Architectures> Architectures::readFrom(StringRef Contents) {
  Architectures Result;
  auto Read = readPart(Contents, Part);
  if (!Read)
    return Read.takeError();
  if (!*Read)
    return std::move(Result);
  WordReader Words((*Read)->bytes());
  if (Error E = readItems(Words, Part, "architecture", "names", [&] {
        const std::optional<StringRef> Name = readName(Words);
        const bool IsSound =
            Name && (Result.empty() || *Result.Names.rbegin() < *Name);
        if (IsSound)
          Result.add(*Name);
        return IsSound;
      }))
    return std::move(E);
  return std::move(Result);
}
