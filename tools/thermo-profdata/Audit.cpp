//===- thermo-profdata/Audit.cpp - The audit command ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each allocation of a run is counted by what the profile says of its context,
// and by whether it was hinted. A context of the run may be missing in the
// profile. That is no error: the input may be another, or stacks were cut off.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ContextList.h"
#include "thermocline/Profile/Raw/RunHints.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

namespace {

struct Row {
  uint64_t Contexts = 0;
  AllocationCount Sum;

  void add(const AllocationCount &Count) {
    if (!Count.Allocations)
      return;
    ++Contexts;
    Sum.add(Count.Allocations, Count.Size);
  }
};

enum Profiled : unsigned { Cold, NotCold, Unknown, NumProfiled };

struct Mistake {
  uint64_t Id;
  const RunContext *Ran;
  const AllocationCount *Count;
};

struct RunAudit {
  Row Hinted[NumProfiled], Plain[NumProfiled];
  /// Contexts profiled not cold and hinted, and those profiled cold and not
  /// hinted. Bytes descending.
  std::vector<Mistake> FalseCold, Missed;
};

} // namespace

static RunAudit compare(const RunHints &Ran, const ContextList &List) {
  std::map<uint64_t, bool> IsCold;
  for (const ListedContext &C : List.Contexts)
    IsCold[computeFullStackId(C.Frames)] = C.Cold;
  RunAudit Result;
  for (const auto &[Id, C] : Ran.contexts()) {
    auto Known = IsCold.find(Id);
    Profiled Is = Known == IsCold.end() ? Unknown
                  : Known->second       ? Cold
                                        : NotCold;
    Result.Hinted[Is].add(C.Hinted);
    Result.Plain[Is].add(C.Plain);
    if (Is == NotCold && C.Hinted.Allocations)
      Result.FalseCold.push_back({Id, &C, &C.Hinted});
    if (Is == Cold && C.Plain.Allocations)
      Result.Missed.push_back({Id, &C, &C.Plain});
  }
  for (auto *Mistakes : {&Result.FalseCold, &Result.Missed})
    llvm::sort(*Mistakes, [](const Mistake &A, const Mistake &B) {
      return std::pair(B.Count->Size, A.Id) < std::pair(A.Count->Size, B.Id);
    });
  return Result;
}

static Table countsOf(const RunAudit &Found, const AllocationCount &Outside) {
  Table Result = {
      .Key = "counts",
      .Columns = {
          {"profiled -> at run time", "", ColumnKind::Text, Audience::People},
          {"", "profiled", ColumnKind::Text, Audience::Programs},
          {"", "hinted", ColumnKind::Text, Audience::Programs},
          {"contexts", "contexts", ColumnKind::Count},
          {"allocations", "allocations", ColumnKind::Count},
          {"bytes", "bytes", ColumnKind::Bytes}}};
  static constexpr StringLiteral Names[NumProfiled] = {"cold", "not cold",
                                                       "not profiled"};
  for (unsigned Is = 0; Is != NumProfiled; ++Is)
    for (const bool IsHinted : {true, false}) {
      const Row &R = IsHinted ? Found.Hinted[Is] : Found.Plain[Is];
      Result.add({(Names[Is] + " -> " + className(IsHinted)).str(), Names[Is],
                  IsHinted, R.Contexts, R.Sum.Allocations, R.Sum.Size});
    }
  Result.add({"outside the program", "outside the program", std::nullopt,
              std::nullopt, Outside.Allocations, Outside.Size});
  return Result;
}

static void printJudgement(const RunAudit &Found, raw_ostream &OS) {
  const uint64_t Hinted = Found.Hinted[Cold].Sum.Size.count();
  const uint64_t All = Hinted + Found.Plain[Cold].Sum.Size.count();
  // Another input explains some contexts that are not profiled, but not most.
  const uint64_t Strange = Found.Hinted[Unknown].Sum.Size.count() +
                           Found.Plain[Unknown].Sum.Size.count();
  const uint64_t Known = All + Found.Hinted[NotCold].Sum.Size.count() +
                         Found.Plain[NotCold].Sum.Size.count();
  const uint64_t InProgram = Known + Strange;
  OS << "Recall at run time: " << formatPercent(Hinted, All)
     << " of cold bytes";
  if (Strange)
    OS << " that could be judged";
  OS << "\nJudged: " << formatPercent(Known, InProgram) << " of the "
     << formatBytes(Bytes(InProgram)) << " that the program allocated; "
     << formatBytes(Bytes(Strange)) << " not, in "
     << formatCount(Found.Hinted[Unknown].Contexts +
                        Found.Plain[Unknown].Contexts,
                    "context")
     << " that the profile does not have\n";
  if (Strange > Known)
    OS << "Most of what ran is not in the profile: are stacks cut off? Compile "
          "with -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer "
          "-fno-optimize-sibling-calls.\n";
}

static constexpr StringLiteral FalseCold = "profiled not cold, hinted cold",
                               Missed = "profiled cold, not hinted";

/// For programs.
static Table mistakesOf(const RunAudit &Found, std::optional<unsigned> Most,
                        const FunctionNames &Names) {
  Table Result = {.Key = "mistakes",
                  .Columns = {{"", "mistake"},
                              {"", "id", ColumnKind::Id},
                              {"", "allocations", ColumnKind::Count},
                              {"", "bytes", ColumnKind::Bytes},
                              {"", "frames"}}};
  for (const auto &[Title, Mistakes] :
       {std::pair(FalseCold, &Found.FalseCold), {Missed, &Found.Missed}})
    for (const Mistake &M : *Mistakes)
      Result.add({Title, M.Id, M.Count->Allocations, M.Count->Size,
                  frameTexts(M.Ran->Frames, Names)});
  Result.keepFirst(Most, "");
  return Result;
}

static void printMistakes(StringRef Title, ArrayRef<Mistake> Mistakes,
                          std::optional<unsigned> Most,
                          const FunctionNames &Names, raw_ostream &OS) {
  uint64_t Listed = 0;
  for (const Mistake &M : Mistakes) {
    if (Listed == Most)
      break;
    OS << "\n#" << ++Listed << ' ' << Title << ": "
       << formatBytes(M.Count->Size) << " in "
       << formatCount(M.Count->Allocations, "allocation") << '\n';
    for (const std::string &Frame : frameTexts(M.Ran->Frames, Names))
      OS << "    " << Frame << '\n';
  }
  if (Listed < Mistakes.size())
    OS << "\n... and " << formatCount(Mistakes.size() - Listed)
       << " more (--all lists them)\n";
}

Error profdata::runAudit(const AuditCommand &Command, bool &IsSafe) {
  Expected<ContextList> List =
      ContextList::load(Command.Profile, Command.Thresholds);
  if (!List)
    return List.takeError();
  Expected<std::unique_ptr<ProfiledBinaries>> Binaries =
      ProfiledBinaries::open(Command.Binaries);
  if (!Binaries)
    return Binaries.takeError();
  RunHints Ran(Command.Allocators);
  for (const std::string &Path : Command.Runs) {
    Expected<RawProfile> Raw = RawProfile::read(Path);
    if (!Raw)
      return Raw.takeError();
    if (Error E = Ran.add(*Raw, **Binaries))
      return E;
  }
  if (Error E = (*Binaries)->checkAllRan())
    return E;
  warnOfDebugFiles((*Binaries)->problems());
  const RunAudit Found = compare(Ran, *List);
  IsSafe = Found.FalseCold.empty();
  const FunctionNames Names = (*Binaries)->names();
  return writeFileAtomically(Command.Output, [&](raw_ostream &OS) -> Error {
    const Table Counts = countsOf(Found, Ran.outside());
    if (Command.Format != TableFormat::Text) {
      writeFor(Command.Format,
               {facts({{"version", 1}, {"profile", Command.Profile}}), Counts,
                mistakesOf(Found, Command.Top, Names)},
               OS);
      return Error::success();
    }
    Counts.writeText(OS);
    printJudgement(Found, OS);
    printMistakes(FalseCold, Found.FalseCold, Command.Top, Names, OS);
    printMistakes(Missed, Found.Missed, Command.Top, Names, OS);
    return Error::success();
  });
}
