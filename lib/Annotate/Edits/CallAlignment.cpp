//===- Annotate/Edits/CallAlignment.cpp - Which call became which ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/CallAlignment.h"
#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using profile::SourceCall;
using profile::SourceFunction;

/// Gaps with more pairs of calls than this stay as they are.
static constexpr size_t MaxPairsOfGap = 1 << 20;

size_t CallAlignment::numPairs() const {
  return count_if(Was, [](const auto &Old) { return Old.has_value(); });
}

/// Whether the variables of one are those of the other, of which some, at
/// least one, have a name that is new.
static bool areRenamed(ArrayRef<uint16_t> Was, ArrayRef<uint16_t> Now) {
  if (Was.size() != Now.size() || Was == Now)
    return false;
  const std::set<uint16_t> AllWas(Was.begin(), Was.end()),
      AllNow(Now.begin(), Now.end());
  return all_of(zip(Was, Now), [&](const auto &Pair) {
    const auto [Old, New] = Pair;
    return Old == New || (!AllNow.contains(Old) && !AllWas.contains(New));
  });
}

std::vector<SourceCall>
annotate::withLocalsNamed(const SourceFunction &Was, const SourceFunction &Now,
                          std::vector<SourceCall> Calls) {
  if (!areRenamed(Was.Locals, Now.Locals))
    return Calls;
  std::map<std::pair<uint64_t, uint32_t>, CallGap> Alike;
  for (auto [I, Call] : enumerate(Was.Calls))
    if (Call.Nameless)
      Alike[{Call.Callee, Call.Nameless}].Then.push_back(I);
  for (auto [I, Call] : enumerate(Calls))
    if (Call.Nameless)
      Alike[{Call.Callee, Call.Nameless}].Now.push_back(I);
  for (const auto &[Key, Same] : Alike)
    if (Same.Then.size() == Same.Now.size())
      for (auto [Old, New] : zip_equal(Same.Then, Same.Now)) {
        SourceCall Named = Was.Calls[Old];
        Named.Line = Calls[New].Line;
        Named.Column = Calls[New].Column;
        Named.Base = Calls[New].Base;
        Calls[New] = std::move(Named);
      }
  return Calls;
}

bool annotate::areSameCalls(SourceCalls Then, SourceCalls Now) {
  return llvm::equal(Then, Now, [](const SourceCall &A, const SourceCall &B) {
    return A.Line == B.Line && A.Column == B.Column && A.Callee == B.Callee &&
           (!isTextKnown(A, B) ||
            (A.Text == B.Text && A.Guard == B.Guard &&
             A.Conditions == B.Conditions && A.Sinks == B.Sinks));
  });
}

bool annotate::isAnyTextKnown(SourceCalls Calls) {
  return any_of(Calls, [](const SourceCall &Call) { return Call.Text != 0; });
}

bool annotate::mayBeAligned(SourceCalls Then, SourceCalls Now) {
  return (isAnyTextKnown(Then) && isAnyTextKnown(Now)) ||
         llvm::equal(Then, Now, [](const SourceCall &A, const SourceCall &B) {
           return A.Callee == B.Callee && A.Column == B.Column;
         });
}

namespace {

class Aligner {
public:
  Aligner(SourceCalls Then, SourceCalls Now,
          function_ref<void(const CallGap &)> Explains,
          function_ref<CallTraffic(const SourceCall &)> TrafficOf)
      : Then(Then), Now(Now), Explains(Explains), TrafficOf(TrafficOf),
        IsDoneThen(Then.size()), IsDoneNow(Now.size()) {
    Result.Was.resize(Now.size());
    Result.IsStep.resize(Now.size());
  }

  CallAlignment run() {
    pairByText();
    for (const CallGap &Gap : gaps())
      pairByEvidence(Gap, /*OfAll=*/false);
    pairByEvidence(unpaired(), /*OfAll=*/true);
    if (TrafficOf)
      pairSteps();
    for (const CallGap &Gap : gaps())
      if (isOpen(Gap))
        pairWithoutText(Gap);
    if (Explains)
      for (const CallGap &Gap : gaps())
        if (isOpen(Gap))
          Explains(Gap);
    return std::move(Result);
  }

private:
  /// Nothing more is tried for these.
  void leaveAlone(size_t Old, size_t New) {
    IsDoneThen[Old] = true;
    IsDoneNow[New] = true;
  }
  void pair(size_t Old, size_t New) {
    Result.Was[New] = Old;
    leaveAlone(Old, New);
  }
  void pairInOrder(ArrayRef<size_t> Old, ArrayRef<size_t> New) {
    for (auto [O, N] : zip_equal(Old, New))
      pair(O, N);
  }

  /// The calls of \p Gap whose text is known, by callee and text.
  std::map<std::pair<uint64_t, uint32_t>, CallGap>
  byText(const CallGap &Gap) const {
    std::map<std::pair<uint64_t, uint32_t>, CallGap> Result;
    for (size_t I : Gap.Then)
      if (Then[I].Text)
        Result[{Then[I].Callee, Then[I].Text}].Then.push_back(I);
    for (size_t I : Gap.Now)
      if (Now[I].Text)
        Result[{Now[I].Callee, Now[I].Text}].Now.push_back(I);
    return Result;
  }

  void pairByText() {
    for (const auto &[Text, Same] : byText(unpaired()))
      pairByGuard(Same);
  }

  using PairList = std::vector<std::pair<size_t, size_t>>;

  /// Pairs calls of the same text by what they are in.
  void pairByGuard(const CallGap &Same) {
    using Hashes = std::vector<uint16_t>;
    std::map<std::tuple<uint16_t, Hashes, Hashes>, CallGap> ByGuard;
    auto KeyOf = [](const SourceCall &Call) {
      return std::tuple(Call.Guard, Call.Conditions, Call.Sinks);
    };
    for (size_t I : Same.Then)
      ByGuard[KeyOf(Then[I])].Then.push_back(I);
    for (size_t I : Same.Now)
      ByGuard[KeyOf(Now[I])].Now.push_back(I);
    const bool AreAsMany = Same.Then.size() == Same.Now.size();
    CallGap Rest;
    PairList Pairs;
    for (const auto &[Key, Gap] : ByGuard)
      if (Gap.Then.size() == Gap.Now.size() &&
          (std::get<0>(Key) || AreAsMany)) {
        for (auto [Old, New] : zip_equal(Gap.Then, Gap.Now))
          Pairs.emplace_back(Old, New);
      } else {
        append_range(Rest.Then, Gap.Then);
        append_range(Rest.Now, Gap.Now);
      }
    if (AreAsMany)
      pairByConditions(Rest, Pairs);
    if (AreAsMany && areSteps(Same.Then)) {
      for (auto [Old, New] : Pairs)
        pair(Old, New);
      for (auto [Old, New] : zip_equal(Rest.Then, Rest.Now))
        if (annotate::isSameStep(Then[Old], Now[New]))
          pairStep(Old, New);
        else
          leaveAlone(Old, New);
      return;
    }
    for (auto [Old, New] : Pairs)
      if (isLeftBy(Rest, Now[New]))
        leaveAlone(Old, New);
      else
        pair(Old, New);
    for (size_t I : Rest.Then)
      IsDoneThen[I] = isLeftBy(Rest, Then[I]);
    for (size_t I : Rest.Now)
      IsDoneNow[I] = isLeftBy(Rest, Now[I]);
  }

  /// Whether calls of one text are steps on the way to all sorts of memory,
  /// where they are part of contexts at all.
  bool areSteps(ArrayRef<size_t> Calls) const {
    return TrafficOf && any_of(Calls, [&](size_t I) { return isCommon(I); }) &&
           none_of(Calls, [&](size_t I) {
             return TrafficOf(Then[I]) == CallTraffic::Contexts;
           });
  }

  /// Adds to \p To two calls of \p Rest where what had to hold for one of them
  /// must hold for the other one, if no other call is like that; and removes
  /// them from \p Rest.
  void pairByConditions(CallGap &Rest, PairList &To) {
    if (Rest.Then.size() * Rest.Now.size() > MaxPairsOfGap)
      return;
    std::map<size_t, SmallVector<size_t, 2>> ForOld, ForNew;
    for (size_t Old : Rest.Then)
      for (size_t New : Rest.Now)
        if (isKept(Then[Old], Now[New])) {
          ForOld[Old].push_back(New);
          ForNew[New].push_back(Old);
        }
    for (const auto &[Old, Found] : ForOld) {
      const size_t New = Found.front();
      if (Found.size() != 1 || ForNew[New].size() != 1)
        continue;
      To.emplace_back(Old, New);
      llvm::erase(Rest.Then, Old);
      llvm::erase(Rest.Now, New);
    }
  }

  /// Whether a call of \p Rest, which is in no pair, is made under more
  /// conditions than \p Call, which has the same text: `if (a) { f(); return; }
  /// f();`. What \p Call is for depends on these.
  bool isLeftBy(const CallGap &Rest, const SourceCall &Call) const {
    auto HasMore = [&](const SourceCall &Other) {
      return Other.Conditions.size() > Call.Conditions.size() &&
             areConditionsKept(Call, Other);
    };
    return any_of(Rest.Then, [&](size_t I) { return HasMore(Then[I]); }) ||
           any_of(Rest.Now, [&](size_t I) { return HasMore(Now[I]); });
  }

  CallGap unpaired() const {
    CallGap Result;
    for (size_t I = 0; I != Then.size(); ++I)
      if (!IsDoneThen[I])
        Result.Then.push_back(I);
    for (size_t I = 0; I != Now.size(); ++I)
      if (!IsDoneNow[I])
        Result.Now.push_back(I);
    return Result;
  }

  bool isEvident(size_t Old, size_t New) const {
    return calleeThen(Old) == calleeNow(New) &&
           isTextKnown(Then[Old], Now[New]) &&
           isForTheSame(Then[Old], Now[New]);
  }

  /// Pairs calls of \p Gap of which each is for what the other one was for, and
  /// no other one is: of the gap, or of all calls.
  void pairByEvidence(const CallGap &Gap, bool OfAll) {
    if (Gap.Then.size() * Gap.Now.size() > MaxPairsOfGap)
      return;
    std::map<size_t, SmallVector<size_t, 2>> ForOld, ForNew;
    for (size_t Old : Gap.Then)
      for (size_t New : Gap.Now)
        if (isEvident(Old, New)) {
          ForOld[Old].push_back(New);
          ForNew[New].push_back(Old);
        }
    for (const auto &[Old, Found] : ForOld) {
      const size_t New = Found.front();
      if (Found.size() != 1 || ForNew[New].size() != 1 ||
          (OfAll && isEvidentForPaired(Old, New)))
        continue;
      pair(Old, New);
    }
  }

  bool isEvidentForPaired(size_t Old, size_t New) const {
    for (size_t I = 0; I != Now.size(); ++I)
      if (I != New && isEvident(Old, I))
        return true;
    for (size_t I = 0; I != Then.size(); ++I)
      if (I != Old && isEvident(I, New))
        return true;
    return false;
  }

  bool isCommon(size_t Old) const {
    return TrafficOf(Then[Old]) == CallTraffic::Common;
  }

  void pairStep(size_t Old, size_t New) {
    pair(Old, New);
    Result.IsStep[New] = true;
  }

  /// Pairs calls that are common, each with the only one that it may be. Of
  /// those that say the same, the first is the first, and so on, if they are as
  /// many.
  void pairSteps() {
    for (size_t Old = 0; Old != Then.size(); ++Old) {
      if (IsDoneThen[Old] || !isCommon(Old) || !Then[Old].Text)
        continue;
      CallGap Same;
      for (size_t I = 0; I != Then.size(); ++I)
        if (saysTheSame(Then[Old], Then[I]))
          Same.Then.push_back(I);
      for (size_t I = 0; I != Now.size(); ++I)
        if (saysTheSame(Then[Old], Now[I]))
          Same.Now.push_back(I);
      if (Same.Then.size() == Same.Now.size())
        pairInOrderAsSteps(Same);
      if (!IsDoneThen[Old])
        pairOnlyStep(Old);
    }
  }

  /// Whether both give the same callee the same for the same place. For calls
  /// through pointers that cannot be told.
  static bool saysTheSame(const SourceCall &A, const SourceCall &B) {
    return A.Callee == B.Callee && A.Target == B.Target &&
           areArgumentsSame(A, B) && isTextKnown(A, B);
  }

  void pairInOrderAsSteps(const CallGap &Same) {
    CallGap Left;
    for (size_t I : Same.Now)
      if (const auto &Was = Result.Was[I]; !Was)
        Left.Now.push_back(I);
      else if (!is_contained(Same.Then, *Was))
        return;
    for (size_t I : Same.Then)
      if (!is_contained(Result.Was, std::optional(I)))
        Left.Then.push_back(I);
    if (Left.Then.size() != Left.Now.size() || !areSteps(Left.Then) ||
        any_of(Left.Then, [&](size_t I) { return IsDoneThen[I]; }) ||
        any_of(Left.Now, [&](size_t I) { return IsDoneNow[I]; }))
      return;
    for (auto [Old, New] : zip_equal(Left.Then, Left.Now))
      pairStep(Old, New);
  }

  bool isSameStep(size_t Old, size_t New) const {
    return calleeThen(Old) == calleeNow(New) &&
           isTextKnown(Then[Old], Now[New]) &&
           annotate::isSameStep(Then[Old], Now[New]);
  }

  void pairOnlyStep(size_t Old) {
    std::optional<size_t> Found;
    for (size_t New = 0; New != Now.size(); ++New)
      if (isSameStep(Old, New)) {
        if (Found)
          return;
        Found = New;
      }
    if (!Found || IsDoneNow[*Found])
      return;
    for (size_t I = 0; I != Then.size(); ++I)
      if (I != Old && isSameStep(I, *Found))
        return;
    pairStep(Old, *Found);
  }

  /// The numbers of now of the longest list of pairs that kept their order.
  std::vector<size_t> fences() const {
    // By length less one, the last of the list of that length that ends first.
    std::vector<size_t> Ends;
    std::vector<std::optional<size_t>> Before(Now.size());
    for (size_t New = 0; New != Now.size(); ++New) {
      if (!Result.Was[New])
        continue;
      auto Pos = std::partition_point(Ends.begin(), Ends.end(), [&](size_t E) {
        return *Result.Was[E] < *Result.Was[New];
      });
      if (Pos != Ends.begin())
        Before[New] = *(Pos - 1);
      if (Pos == Ends.end())
        Ends.push_back(New);
      else
        *Pos = New;
    }
    std::vector<size_t> List;
    std::optional<size_t> Number;
    if (!Ends.empty())
      Number = Ends.back();
    for (; Number; Number = Before[*Number])
      List.push_back(*Number);
    std::reverse(List.begin(), List.end());
    return List;
  }

  std::vector<CallGap> gaps() const {
    std::vector<CallGap> All;
    size_t OldBegin = 0, NewBegin = 0;
    auto Add = [&](size_t OldEnd, size_t NewEnd) {
      CallGap &Gap = All.emplace_back();
      for (size_t I = OldBegin; I < OldEnd; ++I)
        if (!IsDoneThen[I])
          Gap.Then.push_back(I);
      for (size_t I = NewBegin; I < NewEnd; ++I)
        if (!IsDoneNow[I])
          Gap.Now.push_back(I);
    };
    for (size_t New : fences()) {
      Add(*Result.Was[New], New);
      OldBegin = *Result.Was[New] + 1;
      NewBegin = New + 1;
    }
    Add(Then.size(), Now.size());
    return All;
  }

  uint64_t calleeThen(size_t I) const { return Then[I].Callee; }
  uint64_t calleeNow(size_t I) const { return Now[I].Callee; }

  bool isOpen(const CallGap &Gap) const {
    return !Gap.Then.empty() && !Gap.Now.empty();
  }

  /// Whether all that is known is that both call the same.
  bool isPerhapsSame(size_t Old, size_t New) const {
    return calleeThen(Old) == calleeNow(New) &&
           !isTextKnown(Then[Old], Now[New]);
  }

  void pairWithoutText(const CallGap &Gap) {
    if (Gap.Then.size() == Gap.Now.size() &&
        all_of(zip(Gap.Then, Gap.Now), [&](const auto &Pair) {
          return isPerhapsSame(std::get<0>(Pair), std::get<1>(Pair));
        }))
      pairInOrder(Gap.Then, Gap.Now);
    else if (Gap.Then.size() * Gap.Now.size() <= MaxPairsOfGap)
      pairByEachSubsequence(Gap);
  }

  void pairByEachSubsequence(const CallGap &Gap) {
    const size_t N = Gap.Then.size(), M = Gap.Now.size();
    auto Equal = [&](size_t I, size_t J) {
      return isPerhapsSame(Gap.Then[I], Gap.Now[J]);
    };
    // Lengths of the longest subsequences of what is before, and behind.
    const size_t Width = M + 1;
    std::vector<uint32_t> Before((N + 1) * Width), Behind((N + 1) * Width);
    for (size_t I = 0; I != N; ++I)
      for (size_t J = 0; J != M; ++J)
        Before[(I + 1) * Width + J + 1] =
            Equal(I, J) ? Before[I * Width + J] + 1
                        : std::max(Before[I * Width + J + 1],
                                   Before[(I + 1) * Width + J]);
    for (size_t I = N; I-- != 0;)
      for (size_t J = M; J-- != 0;)
        Behind[I * Width + J] = Equal(I, J)
                                    ? Behind[(I + 1) * Width + J + 1] + 1
                                    : std::max(Behind[(I + 1) * Width + J],
                                               Behind[I * Width + J + 1]);
    const uint32_t Longest = Behind[0];
    for (size_t I = 0; I != N; ++I) {
      // In none without it, and with it always in the same pair.
      std::optional<size_t> Only;
      bool IsSure = true;
      for (size_t J = 0; J <= M && IsSure; ++J)
        IsSure = Before[I * Width + J] + Behind[(I + 1) * Width + J] < Longest;
      for (size_t J = 0; J != M && IsSure; ++J)
        if (Equal(I, J) &&
            Before[I * Width + J] + 1 + Behind[(I + 1) * Width + J + 1] ==
                Longest) {
          IsSure = !Only;
          Only = J;
        }
      if (IsSure && Only)
        pair(Gap.Then[I], Gap.Now[*Only]);
    }
  }

  const SourceCalls Then;
  const SourceCalls Now;
  const function_ref<void(const CallGap &)> Explains;
  const function_ref<CallTraffic(const SourceCall &)> TrafficOf;
  CallAlignment Result;
  /// Which calls of each list are paired or stay alone.
  std::vector<bool> IsDoneThen, IsDoneNow;
};

} // namespace

CallAlignment
annotate::alignCalls(SourceCalls Then, SourceCalls Now,
                     function_ref<void(const CallGap &)> Explains,
                     function_ref<CallTraffic(const SourceCall &)> TrafficOf) {
  return Aligner(Then, Now, Explains, TrafficOf).run();
}
