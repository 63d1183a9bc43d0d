//===- thermo-profdata/Diff.cpp - The diff command ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares two profiles of the same program, or of two versions of it. Which
// contexts are the same is told as the compiler would (SameContexts.h). Each
// difference is listed once, by what matters most: first whether the context
// appeared or disappeared, then a changed class, then changed bytes.
//
//===----------------------------------------------------------------------===//

#include "../Commands.h"
#include "../ContextList.h"
#include "SameContexts.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Gates.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>

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
  /// A call of it was edited so that it may be for something else, or is new.
  bool IsEdited;
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

static std::optional<ChangeKind> changeOf(const ListedContext &Was,
                                          const ListedContext &Is) {
  if (Was.Cold != Is.Cold)
    return Is.Cold ? ChangeKind::BecameCold : ChangeKind::BecameNotCold;
  if (Was.size() == Is.size())
    return std::nullopt;
  return Was.size() < Is.size() ? ChangeKind::Grew : ChangeKind::Shrank;
}

static Comparison compare(const ContextList &Before, const ContextList &After,
                          const SameContexts &Same) {
  Comparison Result;
  std::set<const ListedContext *> Found;
  std::set<uint64_t> Stale;
  for (auto [C, Was, IsStale] :
       zip_equal(After.Contexts, Same.Was, Same.IsStale)) {
    if (IsStale)
      Stale.insert(C.Id);
    if (!Was) {
      Result.Changes.push_back({ChangeKind::Appeared, IsStale, nullptr, &C});
      continue;
    }
    Found.insert(Was);
    if (const std::optional<ChangeKind> Kind = changeOf(*Was, C))
      Result.Changes.push_back({*Kind, /*IsEdited=*/false, Was, &C});
    else
      Result.Unchanged.add(C.size());
  }
  for (const ListedContext &C : Before.Contexts)
    if (!Found.contains(&C))
      Result.Changes.push_back(
          {ChangeKind::Disappeared, Stale.contains(C.Id), &C, nullptr});
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
predictByOther(const ContextList &Before, const ContextList &After,
               const SameContexts &Contexts) {
  if (!Before.Profile->predicted() || !After.Profile->predicted())
    return std::nullopt;
  Expected<TouchesById> Touches = After.touchesWithMeasures();
  if (!Touches)
    return Touches.takeError();
  BitVector Hinted(Touches->Ids.size());
  for (auto [C, Was] : zip_equal(After.Contexts, Contexts.Was)) {
    const auto Same = lower_bound(Touches->Ids, C.Id);
    if (Was && Was->Cold && Same != Touches->Ids.end() && *Same == C.Id)
      Hinted.set(static_cast<unsigned>(Same - Touches->Ids.begin()));
  }
  Expected<placement::Prediction> Result =
      placement::predict(Touches->Touches, Hinted, After.Profile->decidedFor());
  if (!Result)
    return Result.takeError();
  return *Result;
}

/// How much of what can be gained the decisions of before bring, in percent.
/// Nothing if hints gain nothing at all.
static std::optional<double> worthOf(const placement::WorkingSet &Own,
                                     const placement::WorkingSet &Other) {
  const double Gain = Own.Before - Own.After;
  if (Gain < 1)
    return std::nullopt;
  return std::max(Other.Before - Other.After, 0.0) * 100 / Gain;
}

/// Says how much the decisions of the profile before are worth for the one
/// after.
static void printWorth(const placement::WorkingSet &Own,
                       const placement::WorkingSet &Other, raw_ostream &OS) {
  OS << "\nPredicted working set after:       " << placement::describe(Own)
     << "\nby the decisions of before:        " << placement::describe(Other);
  if (const std::optional<double> Worth = worthOf(Own, Other))
    OS << ", " << format("%.1f", *Worth) << " % of what can be gained";
  OS << '\n';
}

/// What --exit-code finds.
static GateResult whetherAnyDiffers(const Comparison &Found) {
  std::map<ChangeKind, uint64_t> Counts;
  for (const Change &C : Found.Changes)
    ++Counts[C.Kind];
  GateResult Result = {"contexts are the same", "", !Counts.empty()};
  for (const auto &[Kind, Count] : Counts)
    Result.Seen += (Result.Seen.empty() ? "the profiles differ: " : ", ") +
                   formatCount(Count, "context") + " " + name(Kind).str();
  if (Result.Seen.empty())
    Result.Seen = "the profiles have the same contexts";
  return Result;
}

/// What --min-worth finds.
static Expected<GateResult>
whetherWorthIt(const DiffCommand &Command, const ContextList &After,
               const std::optional<placement::Prediction> &Other) {
  if (!Other)
    return createStringError("--min-worth: " + Command.Before + " or " +
                             Command.After +
                             " does not say when memory was touched");
  const std::optional<double> Worth =
      worthOf(After.Profile->predicted()->atGoal(), Other->atGoal());
  GateResult Result = {"decisions still serve", "hints gain nothing", false};
  if (!Worth)
    return Result;
  Result.HasFailed = *Worth < *Command.MinWorth;
  Result.Seen.clear();
  raw_string_ostream(Result.Seen)
      << "the decisions of " << Command.Before << " bring "
      << format("%.1f", *Worth) << " % of what can be gained by "
      << Command.After << ", " << (Result.HasFailed ? "less" : "not less")
      << " than " << format("%g", *Command.MinWorth) << " %";
  return Result;
}

/// Checks what \p Command asks for, and says what has failed. Sets \p
/// HasFailed if anything has.
static Error checkGates(const DiffCommand &Command, const Comparison &Found,
                        const ContextList &After,
                        const std::optional<placement::Prediction> &Other,
                        bool &HasFailed) {
  std::vector<GateResult> Gates;
  if (Command.FailsOnAny)
    Gates.push_back(whetherAnyDiffers(Found));
  if (Command.MinWorth)
    if (Error E = whetherWorthIt(Command, After, Other)
                      .moveInto(Gates.emplace_back()))
      return E;
  for (const GateResult &Each : Gates)
    if (Each.HasFailed) {
      HasFailed = true;
      errs() << "thermo-profdata: " << Each.Seen << '\n';
    }
  return Command.JUnitFile.empty()
             ? Error::success()
             : writeJUnit(Command.JUnitFile, "thermo-profdata diff", Gates);
}

Error profdata::runDiff(const DiffCommand &Command, bool &HasFailed) {
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
  Expected<SameContexts> Same = SameContexts::find(*Before, *After);
  if (!Same)
    return Same.takeError();
  Expected<std::optional<placement::Prediction>> Other =
      predictByOther(*Before, *After, *Same);
  if (!Other)
    return Other.takeError();
  const Comparison Found = compare(*Before, *After, *Same);
  auto Print = [&](raw_ostream &OS) -> Error {
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
      OS << (C.IsEdited ? ", in edited source: " : ": ");
      const ListedContext &Shown = C.After ? *C.After : *C.Before;
      printMeasures(C.After ? *After : *Before, Shown, OS);
      printFrames(Shown, *Names, Command.FullNames, OS);
    }
    if (Listed < Found.Changes.size())
      OS << "\n... and " << formatCount(Found.Changes.size() - Listed)
         << " more (--all lists them)\n";
    return Error::success();
  };
  if (Error E = writeFileAtomically(Command.Output, Print))
    return E;
  return checkGates(Command, Found, *After, *Other, HasFailed);
}
