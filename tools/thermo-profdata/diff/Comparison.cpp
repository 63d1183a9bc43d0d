//===- thermo-profdata/diff/Comparison.cpp - Two profiles -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

uint64_t Change::weight() const {
  auto Difference = [](uint64_t A, uint64_t B) {
    return A > B ? A - B : B - A;
  };
  switch (Kind) {
  case ChangeKind::WithinError:
    return Difference(Before ? Before->size().count() : 0,
                      After ? After->size().count() : 0);
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

StringRef profdata::name(ChangeKind Kind) {
  static constexpr StringLiteral Names[NumChangeKinds] = {
      "disappeared", "appeared", "became cold",     "became not cold",
      "grew",        "shrank",   "within the error"};
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

/// As many independent objects would tell as much of the part that is touched.
static double independentObjects(const UnitTouches &T) {
  const double PerUnit = T.varianceOfUnit();
  return PerUnit > 0 ? T.liveAtATime() / PerUnit : HUGE_VAL;
}

/// Whether the objects of both may be touched as much.
static bool mayBeTouchedAlike(const ListedContext &Was,
                              const ListedContext &Is) {
  const UnitTouches &One = Was.Touches.Objects, &Other = Is.Touches.Objects;
  if (One.empty() || Other.empty() || (!One.Variance && !Other.Variance))
    return false;
  return all_of(ArrayRef<uint64_t WindowTouches::*>(
                    {&WindowTouches::Touched, &WindowTouches::TouchedInBurst}),
                [&](uint64_t WindowTouches::*Count) {
                  return mayBeTheSame(
                      One.partOf(Count), independentObjects(One),
                      Other.partOf(Count), independentObjects(Other));
                });
}

/// Whether sampling explains \p C.
static bool isWithinError(const Change &C) {
  if (C.Kind == ChangeKind::BecameCold || C.Kind == ChangeKind::BecameNotCold)
    return C.Before->TooFew || C.After->TooFew ||
           mayBeTouchedAlike(*C.Before, *C.After);
  // What a profile does not have, it knows as well as the other one does.
  double Variance = 0;
  for (const auto *Each :
       {C.Before ? C.Before : C.After, C.After ? C.After : C.Before})
    Variance += Each->Samples.sizeError() * Each->Samples.sizeError();
  return Variance > 0 && static_cast<double>(C.weight()) <=
                             StandardErrors95 * std::sqrt(Variance);
}

Comparison profdata::compare(const ContextList &Before,
                             const ContextList &After,
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
    if (const std::optional<ChangeKind> Kind = changeOf(*Was, C)) {
      Result.Changes.push_back({*Kind, /*IsEdited=*/false, Was, &C});
    } else {
      Result.Unchanged.add(C.size());
      Result.Same.push_back(&C);
    }
  }
  for (const ListedContext &C : Before.Contexts)
    if (!Found.contains(&C))
      Result.Changes.push_back(
          {ChangeKind::Disappeared, Stale.contains(C.Id), &C, nullptr});
  for (Change &C : Result.Changes)
    if (isWithinError(C))
      C.Kind = ChangeKind::WithinError;
  for (const Change &C : Result.Changes)
    Result.Counts[static_cast<unsigned>(C.Kind)].add(Bytes(C.weight()));
  llvm::sort(Result.Changes, [](const Change &A, const Change &B) {
    auto Key = [](const Change &C) {
      return std::make_tuple(static_cast<unsigned>(C.Kind), ~C.weight(),
                             (C.Before ? C.Before : C.After)->Id);
    };
    return Key(A) < Key(B);
  });
  return Result;
}
