//===- Annotate/Edits/CallAlignment.cpp - Which call became which ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/CallAlignment.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using profile::SourceCall;

/// Gaps with more pairs of calls than this stay as they are.
static constexpr size_t MaxPairsOfGap = 1 << 20;

size_t CallAlignment::numPairs() const {
  return count_if(Was, [](const auto &Of) { return Of.has_value(); });
}

bool annotate::areSameCalls(SourceCalls Then, SourceCalls Now) {
  return llvm::equal(Then, Now, [](const SourceCall &A, const SourceCall &B) {
    return A.Line == B.Line && A.Column == B.Column && A.Callee == B.Callee &&
           (A.Text == B.Text || !A.Text || !B.Text);
  });
}

namespace {

class Aligner {
public:
  Aligner(SourceCalls Then, SourceCalls Now,
          function_ref<bool(const CallGap &)> Explains)
      : Then(Then), Now(Now), Explains(Explains), IsPaired(Then.size()) {
    Result.Was.resize(Now.size());
  }

  CallAlignment run() {
    pairByText();
    for (const CallGap &Gap : gaps())
      if (isOpen(Gap))
        pairInGap(Gap);
    for (const CallGap &Gap : gaps())
      if (isOpen(Gap) && Explains)
        Explains(Gap);
    return std::move(Result);
  }

private:
  void pair(size_t Old, size_t New) {
    Result.Was[New] = Old;
    IsPaired[Old] = true;
  }

  void pairByText() {
    using Token = std::pair<uint64_t, uint32_t>;
    std::map<Token, std::pair<std::vector<size_t>, std::vector<size_t>>> Places;
    for (auto [I, Call] : enumerate(Then))
      if (Call.Text)
        Places[{Call.Callee, Call.Text}].first.push_back(I);
    for (auto [I, Call] : enumerate(Now))
      if (Call.Text)
        Places[{Call.Callee, Call.Text}].second.push_back(I);
    for (const auto &[Of, At] : Places)
      if (At.first.size() == At.second.size())
        for (auto [Old, New] : zip(At.first, At.second))
          pair(Old, New);
  }

  /// The numbers of now of the longest list of pairs that kept their order.
  std::vector<size_t> fences() const {
    // By length less one, the last of the list of that length that ends first.
    std::vector<size_t> Ends;
    std::vector<std::optional<size_t>> Before(Now.size());
    for (size_t New = 0; New != Now.size(); ++New) {
      if (!Result.Was[New])
        continue;
      auto At = std::partition_point(Ends.begin(), Ends.end(), [&](size_t E) {
        return *Result.Was[E] < *Result.Was[New];
      });
      if (At != Ends.begin())
        Before[New] = *(At - 1);
      if (At == Ends.end())
        Ends.push_back(New);
      else
        *At = New;
    }
    std::vector<size_t> List;
    std::optional<size_t> At;
    if (!Ends.empty())
      At = Ends.back();
    for (; At; At = Before[*At])
      List.push_back(*At);
    std::reverse(List.begin(), List.end());
    return List;
  }

  std::vector<CallGap> gaps() const {
    std::vector<CallGap> All;
    size_t OldBegin = 0, NewBegin = 0;
    auto Add = [&](size_t OldEnd, size_t NewEnd) {
      CallGap &Gap = All.emplace_back();
      for (size_t I = OldBegin; I < OldEnd; ++I)
        if (!IsPaired[I])
          Gap.Then.push_back(I);
      for (size_t I = NewBegin; I < NewEnd; ++I)
        if (!Result.Was[I])
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
    return !Gap.Then.empty() && !Gap.Now.empty() &&
           none_of(Gap.Then, [&](size_t Old) { return isExplained(Old); });
  }
  bool isExplained(size_t Old) const { return Explained.contains(Old); }

  void pairInGap(const CallGap &Gap) {
    if (llvm::equal(Gap.Then, Gap.Now, [&](size_t Old, size_t New) {
          return calleeThen(Old) == calleeNow(New);
        })) {
      for (auto [Old, New] : zip(Gap.Then, Gap.Now))
        pair(Old, New);
      return;
    }
    if (Explains && Explains(Gap))
      Explained.insert(Gap.Then.begin(), Gap.Then.end());
    else if (Gap.Then.size() * Gap.Now.size() <= MaxPairsOfGap)
      pairByEachSubsequence(Gap);
  }

  void pairByEachSubsequence(const CallGap &Gap) {
    const size_t N = Gap.Then.size(), M = Gap.Now.size();
    auto Equal = [&](size_t I, size_t J) {
      return calleeThen(Gap.Then[I]) == calleeNow(Gap.Now[J]);
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
      if (IsSure && Only && isLikely(Gap, Gap.Then[I], Gap.Now[*Only]))
        pair(Gap.Then[I], Gap.Now[*Only]);
    }
  }

  bool isLikely(const CallGap &Gap, size_t Old, size_t New) const {
    if (!Then[Old].Text || !Now[New].Text)
      return true;
    const uint64_t Callee = calleeThen(Old);
    return count_if(Gap.Then,
                    [&](size_t I) { return calleeThen(I) == Callee; }) ==
           count_if(Gap.Now, [&](size_t I) { return calleeNow(I) == Callee; });
  }

  const SourceCalls Then;
  const SourceCalls Now;
  const function_ref<bool(const CallGap &)> Explains;
  CallAlignment Result;
  std::set<size_t> Explained;
  std::vector<bool> IsPaired;
};

} // namespace

CallAlignment
annotate::alignCalls(SourceCalls Then, SourceCalls Now,
                     function_ref<bool(const CallGap &)> Explains) {
  return Aligner(Then, Now, Explains).run();
}
