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
  for (const std::string &Name : Names)
    putCounted(Payload, Name);
  appendPart(File, Part, Payload);
}

static std::optional<std::string> readName(WordReader &Words) {
  const std::optional<StringRef> Name = Words.countedText();
  if (!Name || Name->empty() || !all_of(*Name, isPrint))
    return std::nullopt;
  return Name->str();
}

Expected<Architectures> Architectures::readFrom(StringRef Contents) {
  Architectures Result;
  if (Error E = readSet<std::string>(Contents, Part, "architecture", "names",
                                     readName)
                    .moveInto(Result.Names))
    return std::move(E);
  return std::move(Result);
}
