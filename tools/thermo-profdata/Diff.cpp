//===- thermo-profdata/Diff.cpp - The diff command ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares two profiles of the same program, or of two versions of it. Contexts
// are the same if all their frames are (function, line in it, column). Each
// difference is listed once, by what matters most: first whether the context
// appeared or disappeared, then a changed class, then changed bytes.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ContextList.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

namespace {
enum class ChangeKind : uint8_t {
  Disappeared,
  Appeared,
  BecameCold,
  BecameNotCold,
  Grew,
  Shrank,
};
constexpr unsigned NumChangeKinds =
    static_cast<unsigned>(ChangeKind::Shrank) + 1;

struct Change {
  ChangeKind Kind;
  /// Null if the context is in the other profile only.
  const ListedContext *Before;
  const ListedContext *After;

  /// The number of bytes by which the profiles differ; for a changed class, the
  /// bytes that changed it.
  uint64_t weight() const {
    switch (Kind) {
    case ChangeKind::Disappeared:
      return Before->size().count();
    case ChangeKind::Appeared:
    case ChangeKind::BecameCold:
    case ChangeKind::BecameNotCold:
      return After->size().count();
    case ChangeKind::Grew:
      return After->size().count() - Before->size().count();
    case ChangeKind::Shrank:
      return Before->size().count() - After->size().count();
    }
    llvm_unreachable("all kinds have a weight");
  }
};

struct Comparison {
  std::vector<Change> Changes;
  ContextCount Unchanged;
};
} // namespace

static StringRef name(ChangeKind Kind) {
  static constexpr StringLiteral Names[NumChangeKinds] = {
      "disappeared",     "appeared", "became cold",
      "became not cold", "grew",     "shrank"};
  return Names[static_cast<unsigned>(Kind)];
}

static Comparison compare(const ContextList &Before, const ContextList &After) {
  Comparison Result;
  std::map<uint64_t, const ListedContext *> Old;
  for (const ListedContext &C : Before.Contexts)
    Old.try_emplace(C.Id, &C);
  for (const ListedContext &C : After.Contexts) {
    auto Match = Old.find(C.Id);
    if (Match == Old.end()) {
      Result.Changes.push_back({ChangeKind::Appeared, nullptr, &C});
      continue;
    }
    const ListedContext *Was = Match->second;
    Old.erase(Match);
    auto Add = [&](ChangeKind Kind) {
      Result.Changes.push_back({Kind, Was, &C});
    };
    if (Was->Cold != C.Cold)
      Add(C.Cold ? ChangeKind::BecameCold : ChangeKind::BecameNotCold);
    else if (Was->size() < C.size())
      Add(ChangeKind::Grew);
    else if (C.size() < Was->size())
      Add(ChangeKind::Shrank);
    else
      Result.Unchanged.add(C.size());
  }
  for (const auto &[Id, C] : Old)
    Result.Changes.push_back({ChangeKind::Disappeared, C, nullptr});
  llvm::sort(Result.Changes, [](const Change &A, const Change &B) {
    auto Key = [](const Change &C) {
      return std::make_tuple(static_cast<unsigned>(C.Kind), ~C.weight(),
                             (C.Before ? C.Before : C.After)->Id);
    };
    return Key(A) < Key(B);
  });
  return Result;
}

static void printCounts(const Comparison &Found, raw_ostream &OS) {
  ContextCount Counts[NumChangeKinds];
  for (const Change &C : Found.Changes)
    Counts[static_cast<unsigned>(C.Kind)].add(Bytes(C.weight()));
  auto Line = [&](StringRef Name, const ContextCount &Count) {
    OS << left_justify(Name, 16)
       << right_justify(formatCount(Count.Contexts), 10) << "  "
       << formatBytes(Count.Size) << '\n';
  };
  OS << left_justify("", 16) << right_justify("contexts", 10) << "  bytes\n";
  for (unsigned I = 0; I != NumChangeKinds; ++I)
    Line(name(static_cast<ChangeKind>(I)), Counts[I]);
  Line("unchanged", Found.Unchanged);
}

/// What \p After predicts if just its contexts that \p Before calls cold are
/// hinted; nothing unless both say when memory was touched.
static Expected<std::optional<placement::Prediction>>
predictByOther(const ContextList &Before, const ContextList &After) {
  if (!Before.Profile->predicted() || !After.Profile->predicted())
    return std::nullopt;
  Expected<TouchesById> Touches = After.touchesWithMeasures();
  if (!Touches)
    return Touches.takeError();
  BitVector Hinted(Touches->Ids.size());
  for (const ListedContext &C : Before.Contexts) {
    const auto Same = lower_bound(Touches->Ids, C.Id);
    if (C.Cold && Same != Touches->Ids.end() && *Same == C.Id)
      Hinted.set(static_cast<unsigned>(Same - Touches->Ids.begin()));
  }
  Expected<placement::Prediction> Result =
      placement::predict(Touches->Touches, Hinted, After.Profile->decidedFor());
  if (!Result)
    return Result.takeError();
  return *Result;
}

/// Says how much the decisions of the profile before are worth for the one
/// after.
static void printWorth(const placement::WorkingSet &Own,
                       const placement::WorkingSet &Other, raw_ostream &OS) {
  OS << "\nPredicted working set after:       " << placement::describe(Own)
     << "\nby the decisions of before:        " << placement::describe(Other);
  if (const double Gain = Own.Before - Own.After; Gain >= 1)
    OS << ", "
       << formatPercent(
              static_cast<uint64_t>(std::max(Other.Before - Other.After, 0.0)),
              static_cast<uint64_t>(Gain))
       << " of what can be gained";
  OS << '\n';
}

Error profdata::runDiff(const DiffCommand &Command) {
  Expected<ContextList> Before =
      ContextList::load(Command.Before, Command.Thresholds);
  if (!Before)
    return Before.takeError();
  Expected<ContextList> After =
      ContextList::load(Command.After, Command.Thresholds);
  if (!After)
    return After.takeError();
  Expected<FunctionNames> Names = loadNames(Command.Binaries);
  if (!Names)
    return Names.takeError();
  Expected<std::optional<placement::Prediction>> Other =
      predictByOther(*Before, *After);
  if (!Other)
    return Other.takeError();
  const Comparison Found = compare(*Before, *After);
  return writeFileAtomically(Command.Output, [&](raw_ostream &OS) -> Error {
    printCounts(Found, OS);
    if (*Other)
      printWorth(After->Profile->predicted()->atGoal(), (*Other)->atGoal(), OS);
    uint64_t Listed = 0;
    for (const Change &C : Found.Changes) {
      if (!Command.All && Listed == Command.Top)
        break;
      OS << "\n#" << ++Listed << ' ' << name(C.Kind);
      if (C.Before && C.After)
        OS << " (" << formatBytes(C.Before->size()) << " before)";
      OS << ": ";
      const ListedContext &Shown = C.After ? *C.After : *C.Before;
      printMeasures(C.After ? *After : *Before, Shown, OS);
      printFrames(Shown, *Names, Command.FullNames, OS);
    }
    if (Listed < Found.Changes.size())
      OS << "\n... and " << formatCount(Found.Changes.size() - Listed)
         << " more (--all lists them)\n";
    return Error::success();
  });
}
