//===- thermo-profdata/ContextList.cpp - A profile in memory --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextList.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
  ContextList Result;
  Result.Profile = std::move(*Opened);
  Result.Rule = Result.Profile->rule(Thresholds);
  bool AnyKnown = false;
  if (!Result.Profile->hasMemProf())
    return fileError(Path, "has no memory profile");
  Expected<TouchesById> Windows = Result.Profile->touches();
  if (!Windows)
    return Windows.takeError();
  if (Error E = Result.Profile->forEachContext([&](const IndexedContext &C) {
        AnyKnown |= !accessesAreUnknown(C.Info);
        Result.Contexts.push_back(
            {C.FullStackId, C.Frames.vec(), toMemInfoBlock(C.Info),
             Result.Profile->classify(C.FullStackId, C.Info, Thresholds)
                 .isCold()});
        auto Known = lower_bound(Windows->Ids, C.FullStackId);
        if (Known != Windows->Ids.end() && *Known == C.FullStackId)
          Result.Contexts.back().Touches =
              Windows->Touches.Contexts[Known - Windows->Ids.begin()];
      }))
    return std::move(E);
  // Of single contexts, sampling may have told too little.
  Result.AccessesUnknown = !AnyKnown && !Result.Contexts.empty();
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

Expected<FunctionNames>
profdata::loadNames(StringRef Binary, ArrayRef<std::string> DebugDirectories) {
  FunctionNames Result;
  std::vector<std::string> Problems;
  if (!Binary.empty())
    if (Error E = Result.addBinary(Binary, DebugDirectories, &Problems))
      return std::move(E);
  warnOfDebugFiles(Problems);
  return Result;
}

/// An indexed profile keeps no build id. So its functions tell whether \p
/// Binary is the program.
static Error checkNames(const ContextList &List, const FunctionNames &Names,
                        StringRef Binary) {
  const auto Main = getGUID("main");
  std::set<uint64_t> Functions;
  for (const ListedContext &C : List.Contexts)
    for (const Frame &F : C.Frames)
      Functions.insert(F.Function);
  const size_t Known = count_if(Functions, [&](uint64_t Function) {
    return !Names.lookup(Function).empty();
  });
  if (Functions.empty())
    return Error::success();
  if (!Names.size())
    return fileError(Binary, "has no names of functions: it was stripped");
  // Every program has main.
  const size_t Mains = Functions.count(Main) && !Names.lookup(Main).empty();
  if (Known == 0 || (Known == Mains && Functions.size() > 1))
    return fileError(Binary, "wrong binary: none of the " +
                                 formatCount(Functions.size() - Mains) +
                                 " functions of " + List.Profile->path() +
                                 (Mains ? " but main" : "") + " is in it");
  if (2 * Known < Functions.size())
    WithColor::warning(errs(), "thermo-profdata")
        << Binary << ": only " << formatCount(Known) << " of "
        << formatCount(Functions.size()) << " functions of "
        << List.Profile->path()
        << " are in it; is it the program that was profiled?\n";
  return Error::success();
}

Error profdata::writeContexts(
    const ProfileSettings &Settings,
    function_ref<void(const ContextList &, const FunctionNames &,
                      raw_ostream &)>
        Write) {
  if (!Settings.Libraries.empty())
    return createStringError(
        inconvertibleErrorCode(),
        "--library is for raw memory profiles: an indexed profile holds frames "
        "of the program only");
  Expected<ContextList> List =
      ContextList::load(Settings.Input, Settings.Thresholds);
  if (!List)
    return List.takeError();
  Expected<FunctionNames> Names =
      loadNames(Settings.Binary, Settings.DebugDirectories);
  if (!Names)
    return Names.takeError();
  if (!Settings.Binary.empty())
    if (Error E = checkNames(*List, *Names, Settings.Binary))
      return E;
  return writeFileAtomically(Settings.Output, [&](raw_ostream &OS) {
    Write(*List, *Names, OS);
    return Error::success();
  });
}

StringRef profdata::className(bool Cold) { return Cold ? "cold" : "not cold"; }

std::string profdata::formatNumber(double Value) {
  std::string Result;
  raw_string_ostream(Result) << format(Value < 10 ? "%.2f" : "%.1f", Value);
  return Result;
}

void profdata::printMeasures(const ContextList &In, const ListedContext &C,
                             raw_ostream &OS) {
  OS << className(C.Cold) << ", " << formatBytes(C.size()) << " in "
     << formatCount(C.Info.AllocCount)
     << (C.Info.AllocCount == 1 ? " allocation" : " allocations")
     << ", lifetime " << formatCount(truncated(C.meanLifetimeMs())) << " ms";
  if (In.Profile->hasFullSchema() && C.Info.TotalSize &&
      !accessesAreUnknown(C.Info))
    OS << ", "
       << formatNumber(static_cast<double>(C.Info.TotalAccessCount) /
                       static_cast<double>(C.Info.TotalSize))
       << " accesses per byte";
  OS << ", id 0x" << utohexstr(C.Id, /*LowerCase=*/true) << '\n';
}

void profdata::printFrames(const ListedContext &C, const FunctionNames &Names,
                           raw_ostream &OS) {
  for (const Frame &F : C.Frames)
    OS << "    " << Names.display(F.Function) << ' '
       << describePlace(F.LineOffset, F.Column)
       << (F.IsInlineFrame ? " (inlined)" : "") << '\n';
}
