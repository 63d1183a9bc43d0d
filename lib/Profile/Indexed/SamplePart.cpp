//===- Profile/Indexed/SamplePart.cpp - Errors of totals in a file --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SamplePart.h"
#include "../ProfileParts.h"
#include "thermocline/Format/TouchPart.h"
#include "thermocline/Support/Units.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr PartForm Part = {format::SamplesPart,
                                  format::SamplesPartVersion, "part of samples",
                                  Compress::Fast};

static constexpr uint64_t ContextSamples::*Numbers[] = {
    &ContextSamples::Estimated, &ContextSamples::CountVariance,
    &ContextSamples::SizeVariance};

void profile::appendSamples(std::string &File, uint64_t ProfileChecksum,
                            const SamplesById &Samples) {
  std::string Payload;
  putWord(Payload, ProfileChecksum);
  for (const auto &[Id, Each] : Samples) {
    putWord(Payload, Id);
    for (auto Number : Numbers)
      putWord(Payload, Each.*Number);
  }
  appendPart(File, Part, Payload);
}

Expected<SamplesById> profile::readSamples(StringRef Contents,
                                           uint64_t ProfileChecksum) {
  SamplesById Result;
  auto Read = readPart(Contents, Part);
  if (!Read)
    return Read.takeError();
  if (!*Read)
    return Result;
  WordReader Words((*Read)->bytes());
  if (Error E = checkProfile(Words.number(), ProfileChecksum, Part))
    return std::move(E);
  while (!Words.empty()) {
    const std::optional<uint64_t> Id = Words.number();
    ContextSamples Each;
    for (auto Number : Numbers) {
      const std::optional<uint64_t> Word = Words.number();
      if (!Word)
        return malformedPart(Part, "its contexts do not fill it");
      Each.*Number = *Word;
    }
    if (!Result.empty() && Result.rbegin()->first >= *Id)
      return malformedPart(Part,
                           "context " + hexText(*Id) + " is not in order");
    Result.emplace_hint(Result.end(), *Id, Each);
  }
  return Result;
}
