//===- Placement/Placement.cpp - What to call cold, by pages --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Placement/Placement.h"
#include "Heaps.h"
#include "thermocline/Format/RawSections.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

std::string placement::describe(const WorkingSet &Set) {
  const Bytes Before(static_cast<uint64_t>(Set.Before)),
      After(static_cast<uint64_t>(Set.After));
  if (After >= Before)
    return formatBytes(Before) + ", nothing to gain";
  return formatBytes(Before) + " -> " + formatBytes(After) + " (-" +
         formatPercent(Before.count() - After.count(), Before.count()) + ")";
}

namespace {

/// A split of a size class has to save as much, or else it costs more than it
/// brings: each heap has half-filled pages of each class.
constexpr double LeastSavedBytes = 16 * 1024;
/// Of the class's working set, it has to save this part. Less is within the
/// error of the model.
constexpr double LeastSavedPart = 0.02;
/// A context is worth a hint if at least this part of its bytes would be in the
/// working set otherwise. Wrongly cold costs more than missed.
constexpr double LeastBenefitPart = 1.0 / 128;
/// Of objects that were never seen touched, so many may have been: the upper
/// limit of a Poisson number at about 40 % confidence.
constexpr double UnseenTouches = 0.5;
/// A context is moved only for more than this part of its bytes, so that sums
/// that are slightly off end the search.
constexpr double LeastChangePart = 1.0 / 1024;
/// Contexts are moved one by one as long as that saves something, and no more
/// often than this.
constexpr unsigned MaxRefinements = 4;

/// One context in the search for a cut.
struct Candidate {
  size_t Context = 0;
  Occupant Where;
  double Bytes = 0;
  /// The part of its bytes that would be in the working set if it had a heap of
  /// its own: over all bins, and over the last ones in which it has objects.
  double Spread = 0;
  double LateSpread = 0;
  /// The part of its objects that are touched.
  double Touched = 0;
  bool Cold = false;
};

/// Contexts by the size class of their mean object.
using Classes = std::map<uint64_t, std::vector<size_t>>;

} // namespace

static Classes classesOf(ArrayRef<ContextTouches> Contexts) {
  Classes Result;
  for (size_t I = 0; I != Contexts.size(); ++I) {
    double Live = 0, Bytes = 0;
    for (const WindowTouches &W : Contexts[I].Objects.Windows) {
      Live += static_cast<double>(W.Live);
      Bytes += static_cast<double>(W.LiveBytes);
    }
    if (Live)
      Result[sizeClass(Bytes / Live)].push_back(I);
  }
  return Result;
}

/// The best cut of one size class.
class ClassSplit {
public:
  ClassSplit(const GridTouches &Touches, const BinWeights &Weights,
             PageShape Shape, ArrayRef<size_t> Members, Horizon Goal)
      : Weights(Weights), Shape(Shape), Hot(Weights, Shape),
        ColdHeap(Weights, Shape) {
    Candidates.reserve(Members.size());
    for (size_t Member : Members) {
      Candidate C;
      C.Context = Member;
      C.Where = occupy(Touches.Contexts[Member].Objects, Goal, Weights,
                       UnseenTouches);
      measure(C);
      if (C.Bytes > 0)
        Candidates.push_back(std::move(C));
    }
  }

  void run(MutableArrayRef<PlacedContext> Result) {
    if (Candidates.size() < 2)
      return;
    for (const Candidate &C : Candidates)
      Hot.add(C.Where);
    const double Before = Hot.workingSet();
    double Least = Before;
    std::vector<size_t> Best;
    for (double Candidate::*Key :
         {&Candidate::Spread, &Candidate::Touched, &Candidate::LateSpread}) {
      llvm::sort(Candidates, [&](const Candidate &A, const Candidate &B) {
        return std::tie(A.*Key, A.Touched, A.Context) <
               std::tie(B.*Key, B.Touched, B.Context);
      });
      cut();
      refine();
      if (workingSet() < Least) {
        Least = workingSet();
        Best = coldContexts();
      }
      for (Candidate &C : Candidates)
        if (C.Cold)
          move(C);
    }
    if (Before - Least < std::max(LeastSavedBytes, LeastSavedPart * Before))
      return;
    for (Candidate &C : Candidates)
      if (std::binary_search(Best.begin(), Best.end(), C.Context))
        move(C);
    dropNearMisses();
    for (const Candidate &C : Candidates)
      if (C.Cold)
        Result[C.Context] = {true, benefit(C)};
  }

private:
  void measure(Candidate &C) const {
    double Alone = 0, Touched = 0, LateAlone = 0, LateBytes = 0;
    const size_t NumBins = C.Where.Bins.size();
    for (size_t I = 0; I != NumBins; ++I) {
      const Presence &P = C.Where.Bins[I];
      const double Weight = Weights[C.Where.First + I];
      const double Bytes = Weight * P.Objects * Shape.ObjectBytes;
      const double Set = Weight * Shape.workingSet(P);
      C.Bytes += Bytes;
      Touched += Weight * P.Touched * Shape.ObjectBytes;
      Alone += Set;
      if (I >= NumBins / 2) {
        LateBytes += Bytes;
        LateAlone += Set;
      }
    }
    if (C.Bytes > 0) {
      C.Spread = Alone / C.Bytes;
      C.LateSpread = LateBytes > 0 ? LateAlone / LateBytes : C.Spread;
      C.Touched = Touched / C.Bytes;
    }
  }

  /// Makes cold what is before the best cut.
  void cut() {
    double Best = workingSet();
    size_t BestCut = 0;
    for (size_t I = 0; I != Candidates.size(); ++I) {
      move(Candidates[I]);
      if (workingSet() < Best) {
        Best = workingSet();
        BestCut = I + 1;
      }
    }
    for (size_t I = BestCut; I != Candidates.size(); ++I)
      move(Candidates[I]);
  }

  /// Where phases differ, contexts that are idle in the same ones belong
  /// together, whatever the order of their means.
  void refine() {
    for (unsigned Round = 0; Round != MaxRefinements; ++Round) {
      bool IsChanged = false;
      for (Candidate &C : Candidates) {
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

  /// Leaves hot what is hardly worth a hint.
  void dropNearMisses() {
    for (Candidate &C : Candidates)
      if (C.Cold && benefit(C) < LeastBenefitPart * C.Bytes)
        move(C);
  }

  double workingSet() const { return Hot.workingSet() + ColdHeap.workingSet(); }

  /// \returns the contexts that are cold now, in rising order.
  std::vector<size_t> coldContexts() const {
    std::vector<size_t> Result;
    for (const Candidate &C : Candidates)
      if (C.Cold)
        Result.push_back(C.Context);
    llvm::sort(Result);
    return Result;
  }

  /// By how much the working set is less with \p C cold than with it hot.
  double benefit(const Candidate &C) const {
    return C.Cold ? Hot.ifAdded(C.Where) + ColdHeap.ifRemoved(C.Where)
                  : -Hot.ifRemoved(C.Where) - ColdHeap.ifAdded(C.Where);
  }

  void move(Candidate &C) {
    (C.Cold ? ColdHeap : Hot).remove(C.Where);
    (C.Cold ? Hot : ColdHeap).add(C.Where);
    C.Cold = !C.Cold;
  }

  const BinWeights &Weights;
  PageShape Shape;
  Heap Hot, ColdHeap;
  std::vector<Candidate> Candidates;
};

/// The pages of large objects that are touched, in bytes.
static double pagesTouched(const UnitTouches &Pages, const BinWeights &Weights,
                           Horizon At) {
  const Occupant O = occupy(Pages, At, Weights, /*ExtraTouches=*/0);
  double Result = 0;
  for (size_t I = 0; I != O.Bins.size(); ++I)
    Result += Weights[O.First + I] * O.Bins[I].Touched * format::TouchPageBytes;
  return Result;
}

static WorkingSet workingSet(const GridTouches &Touches,
                             const BinWeights &Weights, const Classes &ByClass,
                             const BitVector &Hinted, Horizon At,
                             uint64_t PageBytes) {
  WorkingSet Result;
  for (const ContextTouches &C : Touches.Contexts)
    Result.Before += pagesTouched(C.Pages, Weights, At);
  Result.After = Result.Before;
  for (const auto &[ClassBytes, Members] : ByClass) {
    const PageShape Shape(ClassBytes, PageBytes);
    Heap All(Weights, Shape), Hot(Weights, Shape), ColdHeap(Weights, Shape);
    for (size_t Member : Members) {
      Occupant O = occupy(Touches.Contexts[Member].Objects, At, Weights,
                          /*ExtraTouches=*/0);
      All.add(O);
      (Hinted[Member] ? ColdHeap : Hot).add(O);
    }
    Result.Before += All.workingSet();
    Result.After += Hot.workingSet() + ColdHeap.workingSet();
  }
  return Result;
}

static double liveBytes(const UnitTouches &Touches, const BinWeights &Weights) {
  double Result = 0;
  for (size_t I = 0; I != Touches.Windows.size(); ++I)
    Result += Weights[Touches.First + I] *
              static_cast<double>(Touches.Windows[I].LiveBytes);
  return Result;
}

static Prediction predictionOf(const GridTouches &Touches,
                               const BinWeights &Weights,
                               const Classes &ByClass, const BitVector &Hinted,
                               const PlacementOptions &Options) {
  Prediction Result;
  Result.Goal = Weights.hasBursts() ? Options.Goal : Horizon::Window;
  for (const ContextTouches &C : Touches.Contexts) {
    const double Small = liveBytes(C.Objects, Weights);
    Result.SmallBytes += Small;
    Result.LiveBytes += Small + liveBytes(C.Pages, Weights);
  }
  Result.AtWindow = workingSet(Touches, Weights, ByClass, Hinted,
                               Horizon::Window, Options.PageBytes);
  Result.AtBurst = Weights.hasBursts()
                       ? workingSet(Touches, Weights, ByClass, Hinted,
                                    Horizon::Burst, Options.PageBytes)
                       : Result.AtWindow;
  return Result;
}

/// Makes the benefits add up to what is saved.
static void shareBenefits(const WorkingSet &Saved,
                          MutableArrayRef<PlacedContext> Contexts) {
  double Sum = 0;
  for (const PlacedContext &C : Contexts)
    Sum += C.Benefit;
  if (Sum > 0)
    for (PlacedContext &C : Contexts)
      C.Benefit *= std::max(Saved.Before - Saved.After, 0.0) / Sum;
}

static Error checkPhase(const TouchGrid &Grid, StringRef Phase) {
  if (Phase.empty() ||
      any_of(Grid.Phases, [&](const TouchPhase &P) { return P.Name == Phase; }))
    return Error::success();
  std::string Known;
  for (const TouchPhase &P : Grid.Phases)
    if (!P.Name.empty())
      Known += (Known.empty() ? "" : ", ") + P.Name;
  return createStringError(inconvertibleErrorCode(),
                           "no run named a phase '" + Phase + "'" +
                               (Known.empty() ? "" : "; there are " + Known));
}

Expected<Placement> placement::place(const GridTouches &Touches,
                                     const PlacementOptions &Options) {
  if (Error E = checkPhase(Touches.Grid, Options.Phase))
    return std::move(E);
  const BinWeights Weights(Touches.Grid, Options.Phase);
  const Classes ByClass = classesOf(Touches.Contexts);
  const Horizon Goal = Weights.hasBursts() ? Options.Goal : Horizon::Window;
  Placement Result;
  Result.Contexts.resize(Touches.Contexts.size());
  for (const auto &[ClassBytes, Members] : ByClass)
    ClassSplit(Touches, Weights, PageShape(ClassBytes, Options.PageBytes),
               Members, Goal)
        .run(Result.Contexts);
  BitVector Hinted(Touches.Contexts.size());
  for (size_t I = 0; I != Result.Contexts.size(); ++I)
    if (Result.Contexts[I].Cold)
      Hinted.set(I);
  Result.Predicted = predictionOf(Touches, Weights, ByClass, Hinted, Options);
  shareBenefits(Result.Predicted.atGoal(), Result.Contexts);
  return std::move(Result);
}

Expected<Prediction> placement::predict(const GridTouches &Touches,
                                        const BitVector &Hinted,
                                        const PlacementOptions &Options) {
  if (Error E = checkPhase(Touches.Grid, Options.Phase))
    return std::move(E);
  return predictionOf(Touches, BinWeights(Touches.Grid, Options.Phase),
                      classesOf(Touches.Contexts), Hinted, Options);
}

Expected<std::vector<ContextShare>>
placement::shareOut(const GridTouches &Touches, const BitVector &Hinted,
                    const PlacementOptions &Options) {
  if (Error E = checkPhase(Touches.Grid, Options.Phase))
    return std::move(E);
  const BinWeights Weights(Touches.Grid, Options.Phase);
  const Horizon Goal = Weights.hasBursts() ? Options.Goal : Horizon::Window;
  std::vector<ContextShare> Result(Touches.Contexts.size());
  for (size_t I = 0; I != Result.size(); ++I) {
    const ContextTouches &C = Touches.Contexts[I];
    Result[I].LargeBytes = liveBytes(C.Pages, Weights);
    Result[I].LargePages = pagesTouched(C.Pages, Weights, Goal);
  }
  for (const auto &[ClassBytes, Members] : classesOf(Touches.Contexts)) {
    const PageShape Shape(ClassBytes, Options.PageBytes);
    Heap Hot(Weights, Shape), ColdHeap(Weights, Shape);
    std::vector<Occupant> Occupants;
    for (size_t Member : Members) {
      Occupants.push_back(occupy(Touches.Contexts[Member].Objects, Goal,
                                 Weights, /*ExtraTouches=*/0));
      (Hinted[Member] ? ColdHeap : Hot).add(Occupants.back());
    }
    for (auto [Member, O] : zip_equal(Members, Occupants)) {
      ContextShare &Of = Result[Member];
      Of.SmallPages = (Hinted[Member] ? ColdHeap : Hot).shareOf(O);
      for (size_t I = 0; I != O.Bins.size(); ++I) {
        const double Weight = Weights[O.First + I] * Shape.ObjectBytes;
        Of.SmallBytes += Weight * O.Bins[I].Objects;
        Of.TouchedSmallBytes += Weight * O.Bins[I].Touched;
      }
    }
  }
  return std::move(Result);
}
