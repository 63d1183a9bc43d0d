//===- Report/Page/PageModel.cpp - What a page for a browser shows --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Page.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::report;

StringRef report::nameOf(PageValue V) {
  switch (V) {
  case PageValue::Bytes:
    return "bytes";
  case PageValue::Objects:
    return "objects";
  case PageValue::Accesses:
    return "accesses";
  case PageValue::Live:
    return "live";
  case PageValue::Pages:
    return "pages";
  case PageValue::Saved:
    return "saved";
  case PageValue::Lifetime:
    return "lifetime";
  case PageValue::CloneCost:
    return "clones";
  case PageValue::Before:
    return "before";
  case PageValue::After:
    return "after";
  case PageValue::Change:
    return "change";
  case PageValue::ColdBefore:
    return "coldBefore";
  case PageValue::ColdAfter:
    return "coldAfter";
  }
  llvm_unreachable("all values have a name");
}

StringRef report::headingOf(PageValue V) {
  switch (V) {
  case PageValue::Bytes:
    return "Allocated";
  case PageValue::Objects:
    return "Objects";
  case PageValue::Accesses:
    return "Accesses";
  case PageValue::Live:
    return "Live at peak";
  case PageValue::Pages:
    return "Touched pages";
  case PageValue::Saved:
    return "Saved by hints";
  case PageValue::Lifetime:
    return "Mean lifetime";
  case PageValue::CloneCost:
    return "Clone instructions";
  case PageValue::Before:
    return "Before";
  case PageValue::After:
    return "After";
  case PageValue::Change:
    return "Change";
  case PageValue::ColdBefore:
    return "Cold before";
  case PageValue::ColdAfter:
    return "Cold after";
  }
  llvm_unreachable("all values have a heading");
}

uint32_t PageModel::add(PageFrame F) {
  auto [Known, New] =
      FrameNumbers.try_emplace(F, static_cast<uint32_t>(Frames.size()));
  if (New)
    Frames.push_back(std::move(F));
  return Known->second;
}

uint32_t PageModel::add(PageOutcome O) {
  auto [Known, New] = OutcomeNumbers.try_emplace(
      {O.Name, O.Class}, static_cast<uint32_t>(Outcomes.size()));
  if (New)
    Outcomes.push_back(std::move(O));
  return Known->second;
}

uint32_t PageModel::add(const profile::DataType &T) {
  std::string Name = T.describe();
  auto [Known, New] =
      TypeNumbers.try_emplace(Name, static_cast<uint32_t>(Types.size()));
  if (New)
    Types.push_back({std::move(Name), T.Why == profile::TypeKnowledge::Known,
                     T.advice().str()});
  return Known->second;
}

/// The number after "NAME=" among the words of \p Line.
static std::optional<uint64_t> field(StringRef Line, StringRef Name) {
  SmallVector<StringRef, 8> Words;
  Line.split(Words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Word : Words) {
    uint64_t Value = 0;
    if (Word.consume_front(Name) && Word.consume_front("=") &&
        !Word.getAsInteger(10, Value))
      return Value;
  }
  return std::nullopt;
}

static Expected<MeasuredRun> readRun(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File =
      MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!File)
    return fileError(Path, File.getError().message());
  MeasuredRun Result;
  Result.File = Path.str();
  SmallVector<StringRef, 32> Lines;
  (*File)->getBuffer().split(Lines, '\n');
  bool Any = false;
  for (StringRef Line : Lines) {
    if (!Line.contains(" kind=total "))
      continue;
    const auto Calls = field(Line, "calls"), Hinted = field(Line, "bytes"),
               Cold = field(Line, "cold_bytes");
    if (!Calls || !Hinted || !Cold)
      return fileError(Path, "damaged line: " + Line);
    Any = true;
    Result.HintedCalls += *Calls;
    Result.Hinted += Bytes(*Hinted);
    Result.Cold += Bytes(*Cold);
  }
  if (!Any)
    return fileError(Path, "has no totals of hinted calls; it is not what "
                           "THERMOCLINE_ALLOC_STATS writes");
  return std::move(Result);
}

Expected<Measurements> report::readMeasurements(ArrayRef<std::string> Runs,
                                                StringRef Pages) {
  Measurements Result;
  for (const std::string &Path : Runs) {
    Expected<MeasuredRun> Run = readRun(Path);
    if (!Run)
      return Run.takeError();
    Result.Runs.push_back(std::move(*Run));
  }
  if (Pages.empty())
    return std::move(Result);
  const auto [First, Second] = Pages.split(',');
  const std::optional<Bytes> Unhinted = parseBytes(First),
                             Hinted = parseBytes(Second);
  if (!Unhinted || !Hinted)
    return fileError("--measured-pages", "'" + Pages +
                                             "' is not two sizes, as "
                                             "19.0MiB,8.3MiB");
  Result.Pages = {*Unhinted, *Hinted};
  return std::move(Result);
}
