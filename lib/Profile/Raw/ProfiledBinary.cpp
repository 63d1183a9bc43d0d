//===- Profile/Raw/ProfiledBinary.cpp - From addresses to frames ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/ProfiledBinary.h"
#include "BinaryReader.h"
#include "thermocline/Format/CallTable.h"
#include "thermocline/Format/DataTypes.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include <memory>
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

/// Segments are mapped by pages.
static constexpr uint64_t PageMask = 0xfff;

//===-- Asking ------------------------------------------------------------===//

ProfiledBinary::ProfiledBinary(const ChosenBinary &File, ArrayRef<uint8_t> Id,
                               ArrayRef<std::string> DebugDirectories,
                               uint32_t Number,
                               std::shared_ptr<ReaderProcess> Process)
    : File(File), DebugDirectories(DebugDirectories), Id(Id), Number(Number),
      Process(std::move(Process)) {
  SmallString<256> Real;
  if (sys::fs::real_path(File.Path, Real))
    Real = File.Path;
  Name = sys::path::filename(Real).str();
}

MessageWriter ProfiledBinary::requestFor(BinaryRequest Kind) const {
  MessageWriter Result;
  Result.number(static_cast<uint8_t>(Kind));
  Result.number(Number);
  return Result;
}

/// Prints the warnings that begin each answer.
static void printWarnings(MessageReader &Reader) {
  std::vector<std::string> Warnings;
  Reader.texts(Warnings);
  for (const std::string &Each : Warnings)
    WithColor::warning() << Each << '\n';
}

Expected<std::string> ProfiledBinary::openedBy(BinaryDetail Wanted) {
  MessageWriter Request = requestFor(BinaryRequest::Open);
  Request.number(static_cast<uint8_t>(Wanted));
  Request.text(File.Path);
  Request.texts(File.DebugFiles);
  Request.texts(DebugDirectories);
  return Process->ask(Request.take());
}

void ProfiledBinary::doWithout(Error Damage) {
  const std::string What = toString(std::move(Damage));
  Process->stop();
  HasDebugInfo = false;
  if (!IsDamaged)
    WithColor::warning() << debugInfoWarning(
                                File.Path,
                                "damaged, and counts as missing: " + What)
                         << '\n';
  else
    WithColor::warning() << File.Path << ": damaged, and left out: " << What
                         << '\n';
  IsUnreadable = IsDamaged;
  IsDamaged = true;
}

Error ProfiledBinary::openReader() {
  GUIDs.clear();
  // Once with debug information, once without.
  while (!IsUnreadable) {
    Expected<std::string> Answer =
        openedBy(IsDamaged ? BinaryDetail::Symbols : BinaryDetail::DebugInfo);
    if (!Answer) {
      doWithout(Answer.takeError());
      continue;
    }
    MessageReader Reader(*Answer);
    printWarnings(Reader);
    if (StringRef Failed = Reader.text(); !Failed.empty())
      return createStringError(Failed);
    ExecutableSegments.clear();
    Reader.list(
        [&] { ExecutableSegments.push_back(Reader.number<uint64_t>()); });
    Architecture = Reader.text().str();
    HasDebugInfo = Reader.flag();
    DebugFileProblems.clear();
    Reader.texts(DebugFileProblems);
    if (Reader.isComplete()) {
      OpenedBy = Process->child();
      return Error::success();
    }
    doWithout(createStringError("the process that read it gave no sensible "
                                "answer"));
  }
  return Error::success();
}

bool ProfiledBinary::ask(const std::string &Request,
                         function_ref<bool(MessageReader &)> Take) {
  while (!IsUnreadable) {
    // Another binary may have ended the process that had it open.
    if (OpenedBy == 0 || OpenedBy != Process->child())
      if (Error Failed = openReader()) {
        doWithout(std::move(Failed));
        continue;
      }
    if (IsUnreadable)
      break;
    Expected<std::string> Answer = Process->ask(Request);
    Error Damage = Answer.takeError();
    if (!Damage) {
      MessageReader Reader(*Answer);
      printWarnings(Reader);
      if (Take(Reader) && Reader.isComplete())
        return true;
      Damage = createStringError("the process that read it gave no sensible "
                                 "answer");
    }
    doWithout(std::move(Damage));
  }
  return false;
}

Expected<std::unique_ptr<ProfiledBinary>>
ProfiledBinary::open(const ChosenBinary &File, ArrayRef<uint8_t> Id,
                     ArrayRef<std::string> DebugDirectories, uint32_t Number,
                     std::shared_ptr<ReaderProcess> Process) {
  std::unique_ptr<ProfiledBinary> Result(new ProfiledBinary(
      File, Id, DebugDirectories, Number, std::move(Process)));
  if (Error E = Result->openReader())
    return std::move(E);
  return Result;
}

std::vector<std::string> ProfiledBinary::missingDwoFiles() {
  std::vector<std::string> Missing;
  if (HasDebugInfo)
    ask(requestFor(BinaryRequest::MissingDwoFiles).take(),
        [&](MessageReader &Reader) {
          Missing.clear();
          Reader.texts(Missing);
          return true;
        });
  return Missing;
}

//===-- Where it was loaded -----------------------------------------------===//

/// Which of the file's \p Segments was loaded as \p Loaded: the one at the same
/// distance from where the object was loaded, or, in a program that is not
/// position independent, at the same address. A runtime that reports mappings
/// rather than segments is off by less than a page.
static std::optional<uint64_t> segmentAt(ArrayRef<uint64_t> Segments,
                                         const RawSegment &Loaded) {
  const uint64_t Distance = Loaded.Start - Loaded.Base;
  for (uint64_t Mask : {uint64_t(0), PageMask})
    for (uint64_t Address : Segments)
      if ((Address & ~Mask) == (Distance & ~Mask) ||
          (Address & ~Mask) == (Loaded.Start & ~Mask))
        return Address;
  if (Segments.size() == 1)
    return Segments.front();
  return std::nullopt;
}

Expected<bool> ProfiledBinary::locate(const RawProfile &Raw) {
  Ranges.clear();
  for (const RawSegment &Segment : Raw.segments()) {
    if (Segment.BuildId != Id)
      continue;
    // For a file that cannot be read, any address will do.
    if (IsUnreadable)
      ExecutableSegments = {0};
    std::optional<uint64_t> Match = segmentAt(ExecutableSegments, Segment);
    if (!Match)
      return fileError(Raw.file(), "the segment at 0x" +
                                       utohexstr(Segment.Start) +
                                       " is none of " + File.Path);
    // A mapping starts at the page of its segment.
    uint64_t FileAddress = *Match;
    if ((Segment.Start & PageMask) == 0)
      FileAddress &= ~PageMask;
    Ranges.push_back({Segment.Start, Segment.End, FileAddress - Segment.Start});
  }
  return !Ranges.empty();
}

const ProfiledBinary::Range *ProfiledBinary::rangeOf(uint64_t Address) const {
  auto Found = find_if(Ranges, [&](const Range &R) {
    return Address > R.Begin && Address <= R.End;
  });
  return Found == Ranges.end() ? nullptr : &*Found;
}

//===-- Frames ------------------------------------------------------------===//

GlobalValue::GUID ProfiledBinary::functionGUID(StringRef Name) {
  Names.add(Name);
  return sourceGUID(Name);
}

bool ProfiledBinary::readSymbolized(MessageReader &Reader,
                                    ArrayRef<uint64_t> InFile) {
  Reader.list([&] { GUIDs.push_back(functionGUID(Reader.text())); });
  MessageReader Answers(Reader.text());
  bool IsSound = true;
  for (uint64_t Address : InFile) {
    auto Result = std::make_unique<SymbolizedAddress>();
    Result->Kind = static_cast<AddressKind>(Answers.number<uint8_t>());
    IsSound &= Result->Kind <= AddressKind::SeveralObjects;
    Result->CallsOtherObject = Answers.flag();
    Result->CallsByName = Answers.flag();
    Result->CallsNative = Answers.flag();
    Result->IsMerged = Answers.flag();
    Result->Symbol = Answers.text().str();
    Answers.list([&] {
      const auto Function = Answers.number<uint32_t>();
      const auto LineOffset = Answers.number<uint32_t>();
      const auto Column = Answers.number<uint32_t>();
      IsSound &= Function < GUIDs.size();
      if (IsSound)
        Result->Frames.emplace_back(GUIDs[Function], LineOffset, Column,
                                    /*Inline=*/true);
    });
    if (!IsSound)
      return false;
    if (!Result->Frames.empty())
      Result->Frames.back().IsInlineFrame = false;
    Cache[{Address, 0}] = std::move(Result);
  }
  return Answers.isComplete();
}

void ProfiledBinary::lookUp(ArrayRef<uint64_t> InFile) {
  if (InFile.empty())
    return;
  MessageWriter Request = requestFor(BinaryRequest::Symbolize);
  Request.list(InFile, [&](uint64_t Address) { Request.number(Address); });
  if (ask(Request.take(), [&](MessageReader &Reader) {
        return readSymbolized(Reader, InFile);
      }))
    return;
  for (uint64_t Address : InFile) {
    auto &Result = Cache[{Address, 0}];
    Result = std::make_unique<SymbolizedAddress>();
    Result->Kind = AddressKind::NoDebugInfo;
  }
}

void ProfiledBinary::prepare(ArrayRef<uint64_t> Addresses) {
  std::vector<uint64_t> Unknown;
  for (uint64_t Address : Addresses)
    if (const Range *R = rangeOf(Address))
      if (Cache.try_emplace({Address + R->ToFile, 0}).second)
        Unknown.push_back(Address + R->ToFile);
  lookUp(Unknown);
}

const SymbolizedAddress &ProfiledBinary::symbolize(uint64_t Address) {
  static const SymbolizedAddress Other;
  const Range *R = rangeOf(Address);
  if (!R)
    return Other;
  const uint64_t InFile = Address + R->ToFile;
  if (Cache.try_emplace({InFile, 0}).second)
    lookUp(InFile);
  return *Cache[{InFile, 0}];
}

void ProfiledBinary::lookUpLines(ArrayRef<uint64_t> InFile) {
  if (InFile.empty())
    return;
  MessageWriter Request = requestFor(BinaryRequest::Lines);
  Request.list(InFile, [&](uint64_t Address) { Request.number(Address); });
  ask(Request.take(), [&](MessageReader &Reader) {
    for (uint64_t Address : InFile) {
      SmallVector<SourceLine, 2> &Result = Lines[{Address, 0}];
      Result.clear();
      Reader.list([&] {
        SourceLine &Line = Result.emplace_back();
        Line.Function = Reader.text().str();
        Line.File = Reader.text().str();
        Line.Line = Reader.number<uint32_t>();
        Line.Column = Reader.number<uint32_t>();
        Line.StartLine = Reader.number<uint32_t>();
      });
    }
    return true;
  });
}

void ProfiledBinary::prepareLines(ArrayRef<uint64_t> Addresses) {
  std::vector<uint64_t> Unknown;
  for (uint64_t Address : Addresses)
    if (const Range *R = rangeOf(Address))
      if (Lines.try_emplace({Address + R->ToFile, 0}).second)
        Unknown.push_back(Address + R->ToFile);
  lookUpLines(Unknown);
}

ArrayRef<SourceLine> ProfiledBinary::linesAt(uint64_t Address) {
  const uint64_t InFile = Address + rangeOf(Address)->ToFile;
  if (Lines.try_emplace({InFile, 0}).second)
    lookUpLines(InFile);
  return Lines[{InFile, 0}];
}

//===-- Sections ----------------------------------------------------------===//

Error ProfiledBinary::forEachSection(StringRef Wanted,
                                     function_ref<Error(StringRef)> Add) {
  MessageWriter Request = requestFor(BinaryRequest::Sections);
  Request.text(Wanted);
  std::string Failed;
  std::vector<std::string> Contents;
  ask(Request.take(), [&](MessageReader &Reader) {
    Failed = Reader.text().str();
    Contents.clear();
    if (Failed.empty())
      Reader.texts(Contents);
    return true;
  });
  if (!Failed.empty())
    return fileError(File.Path, Failed);
  for (const std::string &Each : Contents)
    if (Error E = Add(Each))
      return inFile(File.Path, std::move(E));
  return Error::success();
}

Error ProfiledBinary::addCalls(CallTable &Calls) {
  CallTable Mine;
  if (Error E =
          forEachSection(format::CallTableSection, [&](StringRef Contents) {
            return Mine.addSection(Contents);
          }))
    return E;
  Calls.add(Mine);
  return Error::success();
}

Error ProfiledBinary::addTypes(DataTypes &Types) {
  DataTypes Mine;
  if (Error E =
          forEachSection(format::TypeTableSection, [&](StringRef Contents) {
            return Mine.addSection(Contents);
          }))
    return E;
  Types.add(Mine);
  return Error::success();
}
