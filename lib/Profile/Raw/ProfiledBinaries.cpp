//===- Profile/Raw/ProfiledBinaries.cpp - All binaries of a process -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/ProfiledBinaries.h"
#include "BinaryReader.h"
#include "thermocline/Profile/Program/NeededLibraries.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static std::string text(ArrayRef<uint8_t> Id) {
  return Id.empty() ? "none" : toHex(Id, /*LowerCase=*/true);
}

ProfiledBinaries::ProfiledBinaries()
    : Process(std::make_shared<ReaderProcess>(answerAboutBinaries())),
      Reader(Process) {}

Error ProfiledBinaries::openOne(const BuildId &Id, const ChosenBinary &File) {
  auto [Known, New] = ById.try_emplace(Id, nullptr);
  if (!New)
    return Error::success();
  Expected<std::unique_ptr<ProfiledBinary>> Binary =
      ProfiledBinary::open(File, Id, Options.DebugDirectories,
                           static_cast<uint32_t>(Opened.size()), Process);
  if (!Binary) {
    // The others serve.
    if (isOneFile())
      return Binary.takeError();
    Unopened.push_back(toString(Binary.takeError()));
    return Error::success();
  }
  Known->second = Opened.emplace_back(std::move(*Binary)).get();
  return Error::success();
}

Expected<std::unique_ptr<ProfiledBinaries>>
ProfiledBinaries::open(const BinaryOptions &Options) {
  std::unique_ptr<ProfiledBinaries> Result(new ProfiledBinaries);
  Result->Options = Options;
  Expected<BinaryFiles> Files =
      BinaryFiles::list(Options.Binaries, Result->Reader);
  if (!Files)
    return Files.takeError();
  Result->Files = std::move(*Files);
  append_range(Result->Options.DebugDirectories, Result->Files.directories());
  if (!Options.MayBeUnused)
    if (Error E = Result->openGiven())
      return std::move(E);
  return std::move(Result);
}

Error ProfiledBinaries::openGiven() {
  for (const BinaryFiles::Source &Each : Files.sources())
    if (!Each.IsDirectory)
      if (Error E = openOne(Each.Ids.front(), *Files.find(Each.Ids.front())))
        return E;
  return Error::success();
}

/// Two objects may have had the same addresses, one after the other: the
/// runtime says so, but cannot always prevent it.
void ProfiledBinaries::findShared(const RawProfile &Raw) {
  std::vector<const RawSegment *> Segments;
  for (const RawSegment &Segment : Raw.segments())
    Segments.push_back(&Segment);
  llvm::sort(Segments, [](const RawSegment *A, const RawSegment *B) {
    return std::pair(A->Start, A) < std::pair(B->Start, B);
  });
  // What was passed so far, and that of it which ends last.
  const RawSegment *Last = nullptr;
  for (const RawSegment *Segment : Segments) {
    if (Last && Segment->Start < Last->End &&
        (Segment->BuildId != Last->BuildId || Segment->Base != Last->Base))
      Shared.push_back(
          {Segment->Start, std::min(Segment->End, Last->End), nullptr});
    if (!Last || Segment->End > Last->End)
      Last = Segment;
  }
}

Error ProfiledBinaries::locate(const RawProfile &Raw) {
  Places.clear();
  Shared.clear();
  const std::string Program =
      Raw.segments().empty() ? "none" : text(Raw.segments().front().BuildId);
  if (FirstProfile.empty()) {
    FirstProfile = Raw.file().str();
    FirstProgram = Program;
  }
  for (const RawSegment &Segment : Raw.segments())
    if (const ChosenBinary *File = Files.find(Segment.BuildId))
      if (Error E = openOne(Segment.BuildId, *File))
        return E;
  for (const RawSegment &Segment : Raw.segments())
    if (!ById.count(Segment.BuildId))
      Others.insert(Segment.BuildId);
  for (const auto &[Id, Binary] : ById) {
    if (!Binary)
      continue;
    Expected<bool> IsThere = Binary->locate(Raw);
    if (!IsThere)
      return IsThere.takeError();
    if (*IsThere)
      Ran.insert(Id);
    for (const ProfiledBinary::Range &R : Binary->ranges())
      Places.push_back({R.Begin, R.End, Binary});
  }
  if (Places.empty() && !Options.MayBeUnused) {
    std::string Given;
    for (const BinaryFiles::Source &Each : Files.sources())
      Given += (Given.empty() ? ", but " : ", and ") + Each.Path + " has " +
               (Each.IsDirectory ? formatCount(Each.Ids.size()) + " others"
                                 : text(Each.Ids.front()));
    return fileError(Raw.file(), "wrong binary: the profile is of the program "
                                 "with build id " +
                                     Program + Given);
  }
  llvm::sort(Places,
             [](const Place &A, const Place &B) { return A.Begin < B.Begin; });
  findShared(Raw);
  return Error::success();
}

Error ProfiledBinaries::checkAllRan() const {
  if (FirstProfile.empty())
    return Error::success();
  for (const BinaryFiles::Source &Each : Files.sources())
    if (none_of(Each.Ids, [&](const BuildId &Id) { return Ran.count(Id); }))
      return fileError(
          Each.Path,
          (Each.IsDirectory
               ? "wrong directory: none of the " +
                     formatCount(Each.Ids.size(), "file") +
                     " with a build id in it was in a profiled process"
               : "wrong binary: it was in no profiled process; its "
                 "build id is " +
                     text(Each.Ids.front())) +
              ", and " + FirstProfile + " is of the program with build id " +
              FirstProgram);
  return Error::success();
}

/// The member of \p Places, by address, that has \p Address. As a range of a
/// binary, it begins behind its first address.
template <class PlaceT>
static const PlaceT *find(ArrayRef<PlaceT> Places, uint64_t Address) {
  auto After = partition_point(
      Places, [&](const PlaceT &P) { return P.Begin < Address; });
  if (After == Places.begin() || Address > std::prev(After)->End)
    return nullptr;
  return &*std::prev(After);
}

ProfiledBinary *ProfiledBinaries::at(uint64_t Address) const {
  if (find(ArrayRef(Shared), Address))
    return nullptr;
  const Place *Found = find(ArrayRef(Places), Address);
  return Found ? Found->Binary : nullptr;
}

const SymbolizedAddress &ProfiledBinaries::symbolize(uint64_t Address) {
  static const SymbolizedAddress Other;
  static const SymbolizedAddress Several = [] {
    SymbolizedAddress Result;
    Result.Kind = AddressKind::SeveralObjects;
    return Result;
  }();
  if (find(ArrayRef(Shared), Address))
    return Several;
  ProfiledBinary *Binary = at(Address);
  return Binary ? Binary->symbolize(Address) : Other;
}

void ProfiledBinaries::forEachIn(
    ArrayRef<uint64_t> Addresses,
    void (ProfiledBinary::*Prepare)(ArrayRef<uint64_t>)) {
  MapVector<ProfiledBinary *, std::vector<uint64_t>> ByBinary;
  for (uint64_t Address : Addresses)
    if (ProfiledBinary *Binary = at(Address))
      ByBinary[Binary].push_back(Address);
  for (auto &[Binary, Mine] : ByBinary)
    (Binary->*Prepare)(Mine);
}

std::vector<ProfiledBinary *> ProfiledBinaries::all() const {
  std::vector<ProfiledBinary *> Result;
  for (const auto &Binary : Opened)
    Result.push_back(Binary.get());
  return Result;
}

std::vector<std::string> ProfiledBinaries::notGiven() {
  std::vector<std::string> Given, Result;
  for (const auto &Binary : Opened)
    Given.push_back(Binary->path().str());
  const std::map<std::string, std::string> Needed =
      neededLibraries(Given, Reader);
  for (const BuildId &Id : Others) {
    auto Known = Needed.find(toHex(Id, /*LowerCase=*/true));
    // The runtime is in every process, and not in its contexts.
    if (Known == Needed.end() ||
        sys::path::filename(Known->second).starts_with("libthermocline_"))
      continue;
    Expected<ProgramFacts> Facts = Reader.facts(Known->second);
    if (!Facts)
      consumeError(Facts.takeError());
    else if (Facts->HasDebugInfo)
      Result.push_back(Known->second);
  }
  llvm::sort(Result);
  return Result;
}

bool ProfiledBinaries::anyDamaged() const {
  return !Files.problems().empty() || !Unopened.empty() ||
         any_of(Opened, [](const auto &Binary) { return Binary->isDamaged(); });
}

FunctionNames ProfiledBinaries::names() const {
  FunctionNames Result;
  for (const auto &Binary : Opened)
    Result.add(Binary->names());
  return Result;
}

std::vector<std::string> ProfiledBinaries::problems() const {
  std::vector<std::string> Result = Files.problems().vec();
  append_range(Result, Unopened);
  for (const auto &Binary : Opened)
    append_range(Result, Binary->debugFileProblems());
  return Result;
}

std::string ProfiledBinaries::describe() const {
  if (Opened.empty())
    return "no binary";
  std::string Result = Opened.front()->path().str();
  if (Opened.size() > 1)
    Result += " and " + formatCount(Opened.size() - 1) + " more";
  return Result;
}
