//===- Profile/Indexed/BinaryPart.cpp - Binaries in a file ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BinaryPart.h"
#include "ProfileParts.h"
#include "thermocline/Format/BinaryPart.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <optional>
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr PartForm Part = {format::BinariesPart,
                                  format::BinaryPartVersion, "part of binaries",
                                  Compress::No};

void profile::appendBinaries(std::string &File, uint64_t ProfileChecksum,
                             const BinaryMap &Binaries) {
  std::string Payload;
  putWord(Payload, ProfileChecksum);
  putWord(Payload, Binaries.binaries().size());
  for (const auto &[Id, Has] : Binaries.binaries()) {
    for (uint64_t Size : {Id.size(), Has.Name.size(), Has.Functions.size(),
                          Has.Contexts.size()})
      putWord(Payload, Size);
    Payload += toStringRef(Id);
    Payload += Has.Name;
    padToWord(Payload);
    for (const std::set<uint64_t> *Ids : {&Has.Functions, &Has.Contexts})
      for (uint64_t Number : *Ids)
        putWord(Payload, Number);
  }
  appendPart(File, Part, Payload);
}

static bool readBinary(WordReader &Words, BinaryMap &Map) {
  std::optional<uint64_t> Sizes[4];
  for (std::optional<uint64_t> &Size : Sizes)
    if (!(Size = Words.number()))
      return false;
  const auto [IdBytes, NameBytes, NumFunctions, NumContexts] = Sizes;
  const std::optional<StringRef> Id = Words.take(*IdBytes),
                                 Name = Words.text(*NameBytes);
  if (!Id || Id->empty() || !Name)
    return false;
  const BinaryMap::BuildId Key(Id->bytes_begin(), Id->bytes_end());
  if (!Map.binaries().empty() && !(Map.binaries().rbegin()->first < Key))
    return false;
  BinaryContents &Added = Map.add(Key, *Name);
  return Words.numbers(*NumFunctions, Added.Functions) &&
         Words.numbers(*NumContexts, Added.Contexts);
}

Expected<BinaryMap> profile::readBinaries(StringRef Contents,
                                          uint64_t ProfileChecksum) {
  BinaryMap Result;
  auto Read = readPart(Contents, Part);
  if (!Read)
    return Read.takeError();
  if (!*Read) {
    if (isPartCutOff(Contents, Part))
      return malformedPart(Part, "truncated");
    return std::move(Result);
  }
  WordReader Words((*Read)->bytes());
  if (Error E = checkProfile(Words.number(), ProfileChecksum, Part))
    return std::move(E);
  if (Error E = readItems(Words, Part, "binary", "parts",
                          [&] { return readBinary(Words, Result); }))
    return std::move(E);
  return std::move(Result);
}
