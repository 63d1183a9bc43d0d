//===- Placement/Split.cpp - The best split into two heaps ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Split.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <array>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

namespace {

/// The split of a size class has to save as much, or else it costs more than it
/// brings: each heap has half-filled pages of each class.
constexpr double LeastSavedBytes = 16 * 1024;
/// It has to save this part of the class's working set. Less is within the
/// error of the model.
constexpr double LeastSavedPart = 0.02;
/// All hints together have to save this part of the working set, or else there
/// are none.
constexpr double LeastSavedPartOfAll = 0.01;
/// A context is worth a hint if that saves at least this part of its bytes, and
/// of what it would have in the working set as a heap of its own: wrongly cold
/// costs more than missed, and what is touched now and then may be touched more
/// often than it was seen.
constexpr double LeastBenefitPart = 1.0 / 256;
constexpr double LeastBenefitOfOwn = 1.0 / 4;
/// A context is moved only for more than this part of its bytes, so that sums
/// that are slightly off end the search.
constexpr double LeastChangePart = 1.0 / 1024;
/// Contexts are moved one by one as long as that saves something, and no more
/// often than this.
constexpr unsigned MaxRefinements = 6;
/// Working sets of the same split, summed up in another order, differ by less
/// than this part. Then the first order has the choice.
constexpr double Rounding = 1e-9;

/// What the search knows of a tenant.
struct Candidate {
  const Tenant *Is = nullptr;
  double Bytes = 0;
  /// The part of its bytes that would be in the working set if it had a heap of
  /// its own: over all bins, and over the last ones in which it has objects.
  double Spread = 0;
  double LateSpread = 0;
  /// The part of its objects that are touched.
  double Touched = 0;
  /// The bytes of the size classes that are for its being cold.
  double Votes = 0;
  bool Cold = false;
  /// What a cold hint for it saves, at so many changes of its heaps.
  double Benefit = 0;
  uint64_t Changes = 0;
};

/// What tenants are moved by, in the order of which.
using SortKey = double Candidate::*;
/// The orders that are tried.
constexpr std::array<SortKey, 3> Orders = {
    &Candidate::Spread, &Candidate::Touched, &Candidate::LateSpread};

/// What was found in one order.
struct Split {
  double WorkingSet = 0;
  /// For each tenant, what a cold hint for it saves; 0 without a hint.
  std::vector<double> Benefits;
};

class Search {
public:
  Search(const Objective &Goal, uint64_t PageBytes)
      : Weights(Goal.Weights), PageBytes(PageBytes),
        Heaps(Weights, PageBytes, ColdOrder::Mixed) {
    for (const Tenant &T : Goal.Tenants) {
      Candidate C;
      C.Is = &T;
      measure(C);
      Candidates.push_back(C);
      Heaps.add(T, /*Cold=*/false);
    }
    for (size_t I = 0; I != Candidates.size(); ++I)
      for (const ClassPart &P : Candidates[I].Is->Parts)
        Members[P.ClassBytes].push_back({I, P.Part});
    for (const auto &[ClassBytes, InClass] : Members)
      Before[ClassBytes] = Heaps.workingSet(ClassBytes);
  }

  Split run(SortKey Key);

private:
  struct Member {
    size_t Candidate;
    double Part;
  };

  void measure(Candidate &C) const;
  void vote(SortKey Key);
  void voteInClass(uint64_t ClassBytes, ArrayRef<Member> InClass, SortKey Key);
  void refine(SortKey Key);
  void dropWhatSavesLittle();
  void move(Candidate &C) {
    Heaps.move(*C.Is, C.Cold);
    C.Cold = !C.Cold;
  }
  double benefit(Candidate &C) const {
    if (const uint64_t Changes = Heaps.changes(*C.Is); Changes != C.Changes) {
      C.Changes = Changes;
      C.Benefit = Heaps.benefit(*C.Is, C.Cold);
    }
    return C.Benefit;
  }

  const BinWeights &Weights;
  uint64_t PageBytes;
  TwoHeaps Heaps;
  std::vector<Candidate> Candidates;
  std::map<uint64_t, std::vector<Member>> Members;
  /// The working set of each class if nothing is cold.
  std::map<uint64_t, double> Before;
};

} // namespace

std::vector<Tenant> placement::tenantsOf(const GridTouches &Touches, Horizon H,
                                         const BinWeights &Weights,
                                         const UnseenTouches &Unseen) {
  std::vector<Tenant> Result;
  const std::vector<StretchParts> Stretches = stretchesOf(Touches);
  for (size_t I = 0; I != Touches.Contexts.size(); ++I) {
    const UnitTouches &Objects = Touches.Contexts[I].Objects;
    double Live = 0, Bytes = 0;
    for (const WindowTouches &W : Objects.Windows) {
      Live += static_cast<double>(W.Live);
      Bytes += static_cast<double>(W.LiveBytes);
    }
    if (Live == 0)
      continue;
    const SizeRange Sizes =
        Touches.Sizes.empty() ? SizeRange() : Touches.Sizes[I];
    Tenant &T = Result.emplace_back();
    T.Context = I;
    T.Where = occupy(Objects, H, Weights, Unseen.of(Objects));
    T.Parts = classesOf(Sizes, Bytes / Live, Touches.Grid.PageBytes);
    T.Stretches = Stretches[I];
    T.MustBeHot =
        !Touches.AccessesUnknown.empty() && Touches.AccessesUnknown[I];
    if (T.MustBeHot)
      for (Presence &P : T.Where.Bins)
        P = {.Objects = P.Live, .Touched = P.Live, .Live = P.Live};
  }
  return Result;
}

std::vector<Tenant> placement::atBothHorizons(ArrayRef<Tenant> InBursts,
                                              ArrayRef<Tenant> InWindows) {
  std::vector<Tenant> Result;
  for (const auto &[InBurst, InWindow] : zip_equal(InBursts, InWindows)) {
    Tenant &T = Result.emplace_back(InBurst);
    T.Where = {};
    T.Where.First = InBurst.Where.First * 2;
    for (size_t I = 0; I != InBurst.Where.Bins.size(); ++I)
      for (const Occupant *Where : {&InBurst.Where, &InWindow.Where})
        T.Where.Bins.push_back(Where->Bins[I]);
  }
  return Result;
}

TwoHeaps::Pair &TwoHeaps::at(uint64_t ClassBytes) {
  if (auto Known = Classes.find(ClassBytes); Known != Classes.end())
    return Known->second;
  const Heap Empty(*Weights, PageShape(ClassBytes, PageBytes));
  const size_t NumCold = Order == ColdOrder::Mixed ? 1 : NumStretches;
  return Classes
      .try_emplace(ClassBytes, Pair{Empty, std::vector<Heap>(NumCold, Empty)})
      .first->second;
}

void TwoHeaps::add(const Tenant &T, bool Cold) {
  for (const ClassPart &P : T.Parts) {
    Pair &To = at(P.ClassBytes);
    ++To.Changes;
    if (!Cold) {
      To.Hot.add(T.Where, P.Part);
      continue;
    }
    for (size_t S = 0; S != To.Cold.size(); ++S)
      if (const double Part = partIn(T, S))
        To.Cold[S].add(T.Where, P.Part * Part);
  }
}

void TwoHeaps::move(const Tenant &T, bool FromCold) {
  for (const ClassPart &P : T.Parts) {
    Pair &Heaps = at(P.ClassBytes);
    ++Heaps.Changes;
    if (FromCold)
      Heaps.Hot.add(T.Where, P.Part);
    else
      Heaps.Hot.remove(T.Where, P.Part);
    for (size_t S = 0; S != Heaps.Cold.size(); ++S)
      if (const double Part = partIn(T, S)) {
        if (FromCold)
          Heaps.Cold[S].remove(T.Where, P.Part * Part);
        else
          Heaps.Cold[S].add(T.Where, P.Part * Part);
      }
  }
}

double TwoHeaps::benefit(const Tenant &T, bool IsCold) const {
  double Result = 0;
  for (const ClassPart &P : T.Parts) {
    const Pair &Heaps = at(P.ClassBytes);
    Result += IsCold ? Heaps.Hot.ifAdded(T.Where, P.Part)
                     : -Heaps.Hot.ifRemoved(T.Where, P.Part);
    for (size_t S = 0; S != Heaps.Cold.size(); ++S)
      if (const double Part = partIn(T, S))
        Result += IsCold ? Heaps.Cold[S].ifRemoved(T.Where, P.Part * Part)
                         : -Heaps.Cold[S].ifAdded(T.Where, P.Part * Part);
  }
  return Result;
}

uint64_t TwoHeaps::changes(const Tenant &T) const {
  uint64_t Result = 0;
  for (const ClassPart &P : T.Parts)
    Result += at(P.ClassBytes).Changes;
  return Result;
}

double TwoHeaps::workingSet(uint64_t ClassBytes) const {
  const Pair &Heaps = at(ClassBytes);
  double Result = Heaps.Hot.workingSet();
  for (const Heap &H : Heaps.Cold)
    Result += H.workingSet();
  return Result;
}

double TwoHeaps::workingSet() const {
  double Result = 0;
  for (const auto &[ClassBytes, Heaps] : Classes)
    Result += workingSet(ClassBytes);
  return Result;
}

std::pair<double, double> TwoHeaps::workingSetOf(size_t Bin) const {
  std::pair<double, double> Result;
  for (const auto &[ClassBytes, Heaps] : Classes) {
    Result.first += Heaps.Hot.workingSetOf(Bin);
    for (const Heap &H : Heaps.Cold)
      Result.second += H.workingSetOf(Bin);
  }
  return Result;
}

double TwoHeaps::ifAddedIn(size_t Bin, const Tenant &T, bool IsCold,
                           const Presence &Added) const {
  double Result = 0;
  for (const ClassPart &P : T.Parts) {
    const Pair &Heaps = at(P.ClassBytes);
    if (!IsCold) {
      Result += Heaps.Hot.ifAddedIn(Bin, Added, P.Part);
      continue;
    }
    for (size_t S = 0; S != Heaps.Cold.size(); ++S)
      if (const double Part = partIn(T, S))
        Result += Heaps.Cold[S].ifAddedIn(Bin, Added, P.Part * Part);
  }
  return Result;
}

double TwoHeaps::shareOf(const Tenant &T, bool IsCold) const {
  double Result = 0;
  for (const ClassPart &P : T.Parts) {
    const Pair &Heaps = at(P.ClassBytes);
    if (!IsCold) {
      Result += Heaps.Hot.shareOf(T.Where, P.Part);
      continue;
    }
    for (size_t S = 0; S != Heaps.Cold.size(); ++S)
      if (const double Part = partIn(T, S))
        Result += Heaps.Cold[S].shareOf(T.Where, P.Part * Part);
  }
  return Result;
}

void Search::measure(Candidate &C) const {
  double Set = 0, Touched = 0, LateSet = 0, LateBytes = 0;
  const size_t NumBins = C.Is->Where.Bins.size();
  for (const ClassPart &Part : C.Is->Parts) {
    const PageShape Shape(Part.ClassBytes, PageBytes);
    for (size_t I = 0; I != NumBins; ++I) {
      const Presence &P = C.Is->Where.Bins[I];
      const double Weight = Weights[C.Is->Where.First + I] * Part.Part;
      const double Bytes = Weight * P.Live * Shape.ObjectBytes;
      const double Own = Weight * Shape.workingSet(P);
      C.Bytes += Bytes;
      Touched += Weight * P.touched() * Shape.ObjectBytes;
      Set += Own;
      if (I >= NumBins / 2) {
        LateBytes += Bytes;
        LateSet += Own;
      }
    }
  }
  if (C.Bytes > 0) {
    C.Spread = Set / C.Bytes;
    C.LateSpread = LateBytes > 0 ? LateSet / LateBytes : C.Spread;
    C.Touched = Touched / C.Bytes;
  }
}

void Search::voteInClass(uint64_t ClassBytes, ArrayRef<Member> InClass,
                         SortKey Key) {
  std::vector<Member> Order;
  copy_if(InClass, std::back_inserter(Order), [&](const Member &M) {
    return !Candidates[M.Candidate].Is->MustBeHot;
  });
  llvm::sort(Order, [&](const Member &A, const Member &B) {
    const Candidate &L = Candidates[A.Candidate], &R = Candidates[B.Candidate];
    return std::tie(L.*Key, L.Touched, A.Candidate) <
           std::tie(R.*Key, R.Touched, B.Candidate);
  });
  const PageShape Shape(ClassBytes, PageBytes);
  Heap Hot(Weights, Shape), Cold(Weights, Shape);
  for (const Member &M : InClass)
    Hot.add(Candidates[M.Candidate].Is->Where, M.Part);
  const double All = Hot.workingSet();
  double Best = All;
  size_t Cut = 0;
  for (size_t I = 0; I != Order.size(); ++I) {
    const Occupant &Where = Candidates[Order[I].Candidate].Is->Where;
    Hot.remove(Where, Order[I].Part);
    Cold.add(Where, Order[I].Part);
    if (Hot.workingSet() + Cold.workingSet() < Best) {
      Best = Hot.workingSet() + Cold.workingSet();
      Cut = I + 1;
    }
  }
  if (All - Best < std::max(LeastSavedBytes, LeastSavedPart * All))
    return;
  for (const Member &M : ArrayRef(Order).take_front(Cut))
    Candidates[M.Candidate].Votes += M.Part * static_cast<double>(ClassBytes);
}

void Search::vote(SortKey Key) {
  for (Candidate &C : Candidates) {
    if (C.Cold)
      move(C);
    C.Votes = 0;
  }
  for (const auto &[ClassBytes, InClass] : Members)
    voteInClass(ClassBytes, InClass, Key);
  for (Candidate &C : Candidates) {
    double All = 0;
    for (const ClassPart &P : C.Is->Parts)
      All += P.Part * static_cast<double>(P.ClassBytes);
    if (C.Votes * 2 > All)
      move(C);
  }
}

/// Two heaps have no names: to move what is busy out of the first saves as much
/// as to move what is idle. So what is touched least goes first. If the busy
/// heap ends as the second one all the same, dropWhatSavesLittle() empties it,
/// and the split of another order is taken.
void Search::refine(SortKey Key) {
  std::vector<size_t> Order;
  for (size_t I = 0; I != Candidates.size(); ++I)
    if (!Candidates[I].Is->MustBeHot)
      Order.push_back(I);
  llvm::sort(Order, [&](size_t A, size_t B) {
    const Candidate &L = Candidates[A], &R = Candidates[B];
    return std::tie(L.*Key, L.Touched, A) < std::tie(R.*Key, R.Touched, B);
  });
  for (unsigned Round = 0; Round != MaxRefinements; ++Round) {
    bool IsChanged = false;
    for (size_t I : Order) {
      Candidate &C = Candidates[I];
      const double Benefit = benefit(C);
      if (C.Cold ? Benefit < 0 : Benefit > LeastChangePart * C.Bytes) {
        move(C);
        IsChanged = true;
      }
    }
    if (!IsChanged)
      return;
  }
}

void Search::dropWhatSavesLittle() {
  std::map<uint64_t, bool> IsWorth;
  for (const auto &[ClassBytes, All] : Before)
    IsWorth[ClassBytes] = All - Heaps.workingSet(ClassBytes) >=
                          std::max(LeastSavedBytes, LeastSavedPart * All);
  for (Candidate &C : Candidates)
    if (C.Cold &&
        (none_of(C.Is->Parts,
                 [&](const ClassPart &P) { return IsWorth[P.ClassBytes]; }) ||
         benefit(C) < std::max(LeastBenefitPart, LeastBenefitOfOwn * C.Spread) *
                          C.Bytes))
      move(C);
}

Split Search::run(SortKey Key) {
  const double AllBefore = Heaps.workingSet();
  vote(Key);
  refine(Key);
  dropWhatSavesLittle();
  if (AllBefore - Heaps.workingSet() < LeastSavedPartOfAll * AllBefore)
    for (Candidate &C : Candidates)
      if (C.Cold)
        move(C);
  Split Result;
  Result.WorkingSet = Heaps.workingSet();
  for (Candidate &C : Candidates)
    Result.Benefits.push_back(C.Cold ? std::max(benefit(C), 0.0) : 0);
  return Result;
}

std::vector<std::vector<double>>
placement::bestSplits(ArrayRef<Objective> Goals, uint64_t PageBytes) {
  std::vector<std::array<Split, Orders.size()>> Found(Goals.size());
  DefaultThreadPool Pool(hardware_concurrency(Goals.size() * Orders.size()));
  for (const auto &[Goal, Splits] : zip_equal(Goals, Found))
    for (const auto &[Key, Result] : zip_equal(Orders, Splits))
      Pool.async([&Goal, &Result, Key, PageBytes] {
        Result = Search(Goal, PageBytes).run(Key);
      });
  Pool.wait();
  std::vector<std::vector<double>> Result;
  for (std::array<Split, Orders.size()> &Splits : Found) {
    Split *Best = &Splits.front();
    for (Split &S : Splits)
      if (S.WorkingSet < Best->WorkingSet * (1 - Rounding))
        Best = &S;
    Result.push_back(std::move(Best->Benefits));
  }
  return Result;
}
