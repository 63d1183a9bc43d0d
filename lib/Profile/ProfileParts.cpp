//===- Profile/ProfileParts.cpp - Our parts of indexed profiles -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileParts.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

using Head = format::PartHeader;
using Foot = format::PartFooter;

static bool endsWithPart(StringRef Contents) {
  return Contents.size() >= sizeof(Head) + sizeof(Foot) &&
         wordAt(Contents, Contents.size() - WordSize) == format::PartEnd;
}

/// The number of parts that \p File ends with.
static uint64_t numParts(StringRef File) {
  if (!endsWithPart(File))
    return 0;
  const uint64_t NumBytes = wordAt(File, File.size() - sizeof(Foot));
  return 1 + wordAt(File, File.size() - NumBytes + offsetof(Head, NumLeft));
}

uint64_t profile::nextPart(StringRef File) {
  return alignTo(File.size(), WordSize);
}

void profile::appendPart(std::string &File, const PartForm &Part,
                         StringRef Payload) {
  const uint64_t NumInFront = numParts(File);
  padToWord(File);
  const size_t Begin = File.size();
  writePart(File, Part, Payload, NumInFront);
  putWord(File, File.size() - Begin + sizeof(Foot));
  putWord(File, format::PartEnd);
}

static bool isKnown(uint64_t Kind) {
  return is_contained(
      {format::ArchitecturesPart, format::BinariesPart, format::CallsPart,
       format::OrderPart, format::RecordedPart, format::SamplesPart,
       format::TouchesPart, format::TypesPart, format::WindowsPart},
      Kind);
}

/// The part from its head up to its foot.
static Expected<std::optional<StringRef>> find(StringRef Contents,
                                               const PartForm &Part) {
  std::optional<uint64_t> Behind;
  while (endsWithPart(Contents)) {
    const uint64_t NumBytes = wordAt(Contents, Contents.size() - sizeof(Foot));
    if (NumBytes > Contents.size() || NumBytes < sizeof(Head) + sizeof(Foot))
      return malformedPart(Part,
                           "it cannot have " + Twine(NumBytes) + " bytes");
    const StringRef Found = Contents.take_back(NumBytes);
    const uint64_t Kind = wordAt(Found, offsetof(Head, Kind));
    if (!isKnown(Kind))
      return malformedPart(Part, "it does not begin where its end says");
    if (Kind == Part.Kind)
      return Found.drop_back(sizeof(Foot));
    const uint64_t NumLeft = wordAt(Found, offsetof(Head, NumLeft));
    if (Behind && NumLeft + 1 != *Behind)
      return malformedPart(Part, "a part behind it is not in its place");
    Behind = NumLeft;
    Contents = Contents.drop_back(NumBytes);
  }
  if (Behind.value_or(0) != 0)
    return malformedPart(Part, "a part behind it says that there are more");
  return std::nullopt;
}

Expected<std::optional<PartPayload>> profile::readPart(StringRef Contents,
                                                       const PartForm &Part) {
  auto Found = find(Contents, Part);
  if (!Found)
    return Found.takeError();
  if (!*Found)
    return std::nullopt;
  return parsePart(**Found, Part);
}

Error profile::readItems(WordReader &Words, const PartForm &Part, StringRef One,
                         StringRef All, function_ref<bool()> Read) {
  for (uint64_t I = 0, E = Words.number().value_or(0); I != E; ++I)
    if (!Read())
      return malformedPart(Part, One + " " + Twine(I + 1) + " is damaged");
  if (!Words.empty())
    return malformedPart(Part, "its " + All + " do not fill it");
  return Error::success();
}

Error profile::checkProfile(std::optional<uint64_t> Found, uint64_t Is,
                            const PartForm &Part) {
  if (Found == Is)
    return Error::success();
  return malformedPart(Part, "the memory profile is not the one that it was "
                             "written for; is it damaged?");
}

bool profile::isPartCutOff(StringRef Contents, const PartForm &Part) {
  std::string Kind;
  putWord(Kind, Part.Kind);
  return Contents.contains(Kind);
}
