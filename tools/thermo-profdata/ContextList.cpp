//===- thermo-profdata/ContextList.cpp - A profile in memory --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextList.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"
#include <set>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

/// Returns an error with advice if \p Path is a raw profile.
Expected<ContextList> ContextList::load(StringRef Path,
                                        const ColdThresholds &Thresholds) {
  Expected<std::unique_ptr<IndexedProfile>> Opened = IndexedProfile::open(Path);
  if (!Opened)
    return Opened.takeError();
  return of(std::move(*Opened), Thresholds);
}

Expected<ContextList> ContextList::of(std::unique_ptr<IndexedProfile> Profile,
                                      const ColdThresholds &Thresholds) {
  const StringRef Path = Profile->path();
  ContextList Result;
  Result.Profile = std::move(Profile);
  Result.Rule = Result.Profile->rule(Thresholds);
  AccessKind Known = AccessKind::Unknown;
  if (!Result.Profile->hasMemProf())
    return fileError(Path, "has no memory profile");
  Expected<TouchesById> Windows = Result.Profile->touches();
  if (!Windows)
    return Windows.takeError();
  Expected<SamplesById> Samples = Result.Profile->samples();
  if (!Samples)
    return Samples.takeError();
  Expected<DataTypes> Types = Result.Profile->types();
  if (!Types)
    return Types.takeError();
  if (Error E = Result.Profile->forEachContext([&](const IndexedContext &C) {
        Known = std::min(Known, accessKind(C.Info));
        Result.Contexts.push_back(
            {C.FullStackId, C.Frames.vec(), toMemInfoBlock(C.Info),
             Result.Profile->classify(C.FullStackId, C.Info, Thresholds)
                 .isCold(),
             Types->of(C.Frames)});
        auto Known = lower_bound(Windows->Ids, C.FullStackId);
        if (Known != Windows->Ids.end() && *Known == C.FullStackId)
          Result.Contexts.back().Touches =
              Windows->Touches.Contexts[Known - Windows->Ids.begin()];
        if (auto Sampled = Samples->find(C.FullStackId);
            Sampled != Samples->end())
          Result.Contexts.back().Samples = Sampled->second;
        if (auto Decided = Result.Profile->decision(C.FullStackId))
          Result.Contexts.back().TooFew =
              Result.Rule == ColdRule::Pages && Decided->TooFew;
      }))
    return std::move(E);
  if (Error E = Result.Profile->dataAccesses().moveInto(Result.StaticData))
    return std::move(E);
  if (Error E = Result.Profile->binaries().moveInto(Result.Binaries))
    return std::move(E);
  warnOfCounts(Result.Contexts);
  // Of single contexts, sampling may have told too little.
  if (!Result.Contexts.empty())
    Result.Accesses = Known;
  for (const ListedContext &C : Result.Contexts)
    if (C.Info.AllocCount == 0)
      return fileError(Path, "its measures do not count allocations");
  llvm::sort(Result.Contexts, [](const auto &A, const auto &B) {
    return std::make_pair(B.size(), A.Id) < std::make_pair(A.size(), B.Id);
  });
  return Result;
}

void profdata::warnOfDebugFiles(ArrayRef<std::string> Problems) {
  for (const std::string &Problem : Problems)
    WithColor::warning(errs(), "thermo-profdata") << Problem << '\n';
}

Expected<TouchesById> ContextList::touchesWithMeasures() const {
  Expected<TouchesById> Result = Profile->touches();
  if (Result)
    for (const ListedContext &C : Contexts)
      Result->addMeasures(C.Id, {C.Info.MinSize, C.Info.MaxSize},
                          touchesAreUnknown(C.Info));
  return Result;
}

namespace {

/// A file or directory that was given, with the names of its functions.
struct NamedSource {
  std::string Path;
  FunctionNames Names;
};

} // namespace

static Expected<std::vector<NamedSource>>
loadSources(const BinaryOptions &Binaries, NameDetail Wanted) {
  std::vector<std::string> Directories = Binaries.DebugDirectories, Problems;
  copy_if(Binaries.Binaries, std::back_inserter(Directories),
          [](const std::string &Path) { return sys::fs::is_directory(Path); });
  std::vector<NamedSource> Result;
  ProgramReader Reader;
  for (const std::string &Path : Binaries.Binaries) {
    NamedSource &Source = Result.emplace_back(Path, FunctionNames());
    const bool IsDirectory = sys::fs::is_directory(Path);
    const std::vector<std::string> Files = BinaryFiles::expand(Path);
    if (Files.empty())
      return fileError(Path, "has no program and no library");
    for (const std::string &File : Files)
      if (Error E = Reader.addNames(File, Directories, Wanted, Source.Names,
                                    Problems)) {
        if (!IsDirectory)
          return std::move(E);
        Problems.push_back(toString(std::move(E)));
      }
  }
  warnOfDebugFiles(Problems);
  return std::move(Result);
}

Expected<FunctionNames> profdata::loadNames(const BinaryOptions &Binaries) {
  FunctionNames Result;
  auto Sources = loadSources(Binaries, NameDetail::AllWithPlaces);
  if (!Sources)
    return Sources.takeError();
  for (const NamedSource &Source : *Sources)
    Result.add(Source.Names);
  return std::move(Result);
}

/// Loads names from the binaries that \p List is of: an indexed profile keeps
/// no build ids, so its functions tell whether that is so.
static Expected<FunctionNames> loadNamesFor(const ContextList &List,
                                            const BinaryOptions &Binaries,
                                            NameDetail Wanted) {
  auto Sources = loadSources(Binaries, Wanted);
  if (!Sources)
    return Sources.takeError();
  std::set<uint64_t> Functions;
  for (const ListedContext &C : List.Contexts)
    for (const Frame &F : C.Frames)
      Functions.insert(F.Function);
  auto CountIn = [&](const FunctionNames &Names) -> size_t {
    return count_if(Functions, [&](uint64_t Function) {
      return !Names.lookup(Function).empty();
    });
  };
  FunctionNames All;
  for (const NamedSource &Source : *Sources) {
    All.add(Source.Names);
    if (Functions.empty())
      continue;
    if (!Source.Names.size())
      return fileError(Source.Path,
                       "has no names of functions: it was stripped");
    // Every program has main.
    const auto Main = getGUID("main");
    const size_t Known = CountIn(Source.Names);
    const size_t Mains =
        Functions.count(Main) && !Source.Names.lookup(Main).empty();
    if (Known == 0 || (Known == Mains && Functions.size() > 1))
      return fileError(Source.Path,
                       "wrong binary: none of the " +
                           formatCount(Functions.size() - Mains) +
                           " functions of " + List.Profile->path() +
                           (Mains ? " but main" : "") + " is in it");
  }
  if (const size_t Known = CountIn(All);
      !Sources->empty() && 2 * Known < Functions.size())
    WithColor::warning(errs(), "thermo-profdata")
        << join(Binaries.Binaries, ", ") << ": only " << formatCount(Known)
        << " of " << formatCount(Functions.size()) << " functions of "
        << List.Profile->path()
        << " are in it; is it the program that was profiled"
        << (Sources->size() == 1 ? "" : ", with its libraries") << "?\n";
  return std::move(All);
}

Error profdata::writeContexts(
    const ProfileSettings &Settings,
    function_ref<Error(ContextList &, const FunctionNames &, raw_ostream &)>
        Write,
    NameDetail Wanted, std::unique_ptr<IndexedProfile> Profile) {
  if (!Settings.Libraries.empty())
    return createStringError(
        "--library is for raw memory profiles: an indexed profile holds frames "
        "of the binaries only that it was merged with; name these by --binary");
  Expected<ContextList> List =
      Profile ? ContextList::of(std::move(Profile), Settings.Thresholds)
              : ContextList::load(Settings.Input, Settings.Thresholds);
  if (!List)
    return List.takeError();
  Expected<FunctionNames> Names =
      loadNamesFor(*List, Settings.Binaries, Wanted);
  if (!Names)
    return Names.takeError();
  return writeFileAtomically(Settings.Output, [&](raw_ostream &OS) {
    return Write(*List, *Names, OS);
  });
}

StringRef profdata::className(bool Cold) { return Cold ? "cold" : "not cold"; }

std::string profdata::formatNumber(double Value) {
  std::string Result;
  raw_string_ostream(Result) << format(Value < 10 ? "%.2f" : "%.1f", Value);
  return Result;
}

void profdata::printMeasures(const ContextList &List, const ListedContext &C,
                             raw_ostream &OS) {
  OS << className(C.Cold) << (C.TooFew ? " (too few samples), " : ", ")
     << formatBytes(C.size());
  if (C.Samples.SizeVariance)
    OS << placement::formatInterval(C.Samples.sizeError());
  OS << " in " << formatCount(C.Info.AllocCount);
  if (C.Samples.CountVariance)
    OS << " ± "
       << formatCount(truncated(StandardErrors95 * C.Samples.countError()));
  OS << (C.Info.AllocCount == 1 ? " allocation" : " allocations")
     << ", lifetime " << formatCount(truncated(C.meanLifetimeMs())) << " ms";
  if (List.Profile->hasFullSchema() && C.Info.TotalSize &&
      !accessesAreUnknown(C.Info))
    OS << ", "
       << formatNumber(static_cast<double>(C.Info.TotalAccessCount) /
                       static_cast<double>(C.Info.TotalSize))
       << " accesses per byte";
  OS << ", id " << hexText(C.Id) << '\n';
}

std::string profdata::shortenName(StringRef Name) {
  constexpr size_t LongName = 100;
  if (Name.size() <= LongName)
    return Name.str();
  std::string Result;
  unsigned Depth = 0;
  for (size_t I = 0; I != Name.size(); ++I) {
    // These are no brackets: operator<, operator<<=, operator->, ...
    constexpr StringLiteral Operator = "operator";
    if (Name.substr(I).starts_with(Operator)) {
      size_t End = I + Operator.size();
      while (End != Name.size() && StringRef("<>=-").contains(Name[End]))
        ++End;
      // The last may open the arguments: operator< <int>, operator-><int>.
      if (Depth == 0)
        Result += Name.slice(I, End);
      I = End - 1;
      continue;
    }
    if (Name[I] == '>' && Depth != 0 && Name[I - 1] != '-' && --Depth == 0)
      Result += "...";
    if (Depth == 0)
      Result += Name[I];
    Depth += Name[I] == '<';
  }
  return Depth == 0 ? Result : Name.str();
}

std::vector<std::string> profdata::frameTexts(ArrayRef<Frame> Frames,
                                              const FunctionNames &Names) {
  std::vector<std::string> Result;
  for (const Frame &F : Frames)
    Result.push_back(Names.display(F.Function) + " " +
                     describePlace(F.LineOffset, F.Column));
  return Result;
}

void profdata::printType(const ListedContext &C, bool FullNames,
                         raw_ostream &OS) {
  if (C.Type.Why == TypeKnowledge::Known)
    OS << "    type: " << (FullNames ? C.Type.Name : shortenName(C.Type.Name))
       << '\n';
}

std::string profdata::describeSource(const Frame &F,
                                     const FunctionNames &Names) {
  if (const FunctionPlace *Place = Names.place(F.Function))
    if (const uint32_t Line = lineOf(Place->Line, F.LineOffset, F.Column))
      return ", " + Place->File + ":" + std::to_string(Line);
  return "";
}

void profdata::printFrames(const ListedContext &C, const FunctionNames &Names,
                           bool FullNames, raw_ostream &OS) {
  for (const Frame &F : C.Frames) {
    const std::string Name = Names.display(F.Function);
    OS << "    " << (FullNames ? Name : shortenName(Name)) << ' '
       << describePlace(F.LineOffset, F.Column)
       << (F.IsInlineFrame ? " (inlined)" : "") << describeSource(F, Names)
       << '\n';
  }
}
