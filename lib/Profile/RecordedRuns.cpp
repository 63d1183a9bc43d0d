//===- Profile/RecordedRuns.cpp - The commands that were recorded ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/RecordedRuns.h"
#include "ProfileParts.h"
#include "thermocline/Format/RecordedPart.h"
#include "thermocline/Support/Part.h"
#include "thermocline/Support/Units.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr PartForm Part = {format::RecordedPart,
                                  format::RecordedPartVersion,
                                  "part of recorded commands", Compress::No};

/// The end of the year 9999: what is later is no time of a run.
static constexpr uint64_t LastTime = 253402300799;

std::string RecordedRun::text() const {
  return formatv("{0:%Y-%m-%d %H:%M} UTC, Thermocline {1}: {2}",
                 sys::toUtcTime(static_cast<std::time_t>(Time)), Version,
                 Command)
      .str();
}

/// The first bytes of \p Text, at most \p Most of them, without half a letter.
static StringRef firstBytes(StringRef Text, size_t Most) {
  if (Text.size() <= Most)
    return Text;
  while (Most && (static_cast<unsigned char>(Text[Most]) & 0xC0) == 0x80)
    --Most;
  return Text.take_front(Most);
}

std::string RecordedRuns::keptOf(StringRef Command) {
  constexpr size_t MostBytes = 1000;
  std::string Text = json::fixUTF8(Command);
  for (char &C : Text)
    if (static_cast<unsigned char>(C) < ' ' || C == 0x7F)
      C = ' ';
  const StringRef Kept = firstBytes(Text, MostBytes);
  return (Kept + (Kept == Text ? "" : "…")).str();
}

void RecordedRuns::add(uint64_t Time, StringRef Command) {
  All.insert({std::min(Time, LastTime), version().str(), keptOf(Command)});
}

std::vector<std::string> RecordedRuns::lines() const {
  constexpr size_t Most = 3;
  std::vector<std::string> Result;
  for (const RecordedRun &Each : reverse(All)) {
    if (Result.size() == Most) {
      Result.push_back("and " + formatCount(All.size() - Most) + " before");
      break;
    }
    Result.push_back(Each.text());
  }
  return Result;
}

void RecordedRuns::appendTo(std::string &File) const {
  if (empty())
    return;
  std::string Payload;
  putWord(Payload, All.size());
  for (const RecordedRun &Each : All) {
    for (uint64_t Number :
         {Each.Time, Each.Version.size(), Each.Command.size()})
      putWord(Payload, Number);
    Payload += Each.Version;
    Payload += Each.Command;
    padToWord(Payload);
  }
  appendPart(File, Part, Payload);
}

static std::optional<RecordedRun> readRun(WordReader &Words) {
  std::optional<uint64_t> Numbers[3];
  for (std::optional<uint64_t> &Number : Numbers)
    if (!(Number = Words.number()))
      return std::nullopt;
  const auto [Time, VersionBytes, CommandBytes] = Numbers;
  if (*Time > LastTime)
    return std::nullopt;
  const std::optional<StringRef> Version = Words.take(*VersionBytes),
                                 Command = Words.text(*CommandBytes);
  if (!Version || !Command)
    return std::nullopt;
  return RecordedRun{*Time, Version->str(), Command->str()};
}

Expected<RecordedRuns> RecordedRuns::readFrom(StringRef Contents) {
  RecordedRuns Result;
  if (Error E =
          readSet<RecordedRun>(Contents, Part, "command", "commands", readRun)
              .moveInto(Result.All))
    return std::move(E);
  return std::move(Result);
}
