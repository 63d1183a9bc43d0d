//===- Annotate/Edits/GapExplainer.cpp - What became of calls -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GapExplainer.h"
#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using profile::SourceCall;
using profile::SourceFunction;

/// Gaps with more pairs of calls than this are not explained.
static constexpr size_t MaxPairsToExplain = 1 << 16;

/// Whether the text does not speak against two calls being for the same.
static bool mayBeSame(const SourceCall &Before, const SourceCall &After) {
  return !isTextKnown(Before, After) || isForTheSame(Before, After);
}

/// The call \p Inside, of a function that \p Outside calls, with all that must
/// hold for it.
static SourceCall within(const SourceCall &Outside, SourceCall Inside) {
  std::vector<uint16_t> All;
  std::set_union(Outside.Conditions.begin(), Outside.Conditions.end(),
                 Inside.Conditions.begin(), Inside.Conditions.end(),
                 std::back_inserter(All));
  Inside.Conditions = std::move(All);
  return Inside;
}

/// What within() gives, if what \p Inside makes is returned: it is for what
/// \p Outside is, and goes where it went in the function as well.
static SourceCall throughReturn(const SourceCall &Outside, SourceCall Inside) {
  Inside.Target = Outside.Target;
  Inside.Left = Outside.Left;
  Inside.Around.insert(Inside.Around.begin(), Outside.Around.begin(),
                       Outside.Around.end());
  llvm::erase(Inside.Sinks, SourceCall::SinkReturned);
  std::vector<uint16_t> Sinks;
  std::set_union(Outside.Sinks.begin(), Outside.Sinks.end(),
                 Inside.Sinks.begin(), Inside.Sinks.end(),
                 std::back_inserter(Sinks));
  Inside.Sinks = std::move(Sinks);
  return within(Outside, std::move(Inside));
}

/// Whether \p Now may be what \p Inside was, of a function that \p Outside
/// called.
static bool mayBeInlined(const SourceCall &Inside, const SourceCall &Outside,
                         const SourceCall &Now) {
  return mayBeSame(within(Outside, Inside), Now) ||
         (Inside.IsReturned && Outside.Left && isTextKnown(Outside, Now) &&
          isForTheSame(throughReturn(Outside, Inside), Now));
}

/// Whether \p Then may be \p Inside, of a function that \p Outside calls.
static bool mayBeExtracted(const SourceCall &Then, const SourceCall &Inside,
                           const SourceCall &Outside) {
  return mayBeSame(Then, within(Outside, Inside)) ||
         (Inside.IsReturned && Outside.Left && isTextKnown(Then, Outside) &&
          isForTheSame(Then, throughReturn(Outside, Inside)));
}

std::vector<Claim> GapExplainer::explain(const SourceFunction &Was,
                                         const CallsNow &Calls,
                                         const CallGap &Gap) const {
  if (Gap.Then.size() * Gap.Now.size() > MaxPairsToExplain ||
      none_of(Gap.Then, [&](size_t I) {
        return IsProfiled(frameOf(Was.Function, Was.Calls[I]));
      }))
    return {};
  std::vector<Claim> Result = explainInOrder(Was, Calls, Gap);
  return Result.empty() ? explainOneByOne(Was, Calls, Gap) : Result;
}

//===-- In order ----------------------------------------------------------===//

static bool
beginWith(SourceCalls All, ArrayRef<size_t> Some, SourceCalls Inside,
          function_ref<bool(const SourceCall &Call, const SourceCall &Inside)>
              MayBe) {
  return Some.size() >= Inside.size() &&
         llvm::equal(Some.take_front(Inside.size()), Inside,
                     [&](size_t I, const SourceCall &Call) {
                       return All[I].Callee == Call.Callee &&
                              MayBe(All[I], Call);
                     });
}

static SmallVector<size_t, 4> numbersTo(size_t End) {
  SmallVector<size_t, 4> Result(End);
  std::iota(Result.begin(), Result.end(), 0);
  return Result;
}

/// What the first calls of \p Old and \p New may be.
std::vector<Claim> GapExplainer::nextInOrder(const SourceFunction &Was,
                                             const CallsNow &Calls,
                                             ArrayRef<size_t> Old,
                                             ArrayRef<size_t> New) const {
  std::vector<Claim> Result;
  if (Old.empty() || New.empty())
    return Result;
  const SourceCall &Before = Was.Calls[Old.front()];
  const SourceCall &After = Calls[New.front()];
  if (Before.Callee == After.Callee && mayBeSame(Before, After))
    Result.push_back({Claim::Kind::Same, {Old.front()}, {New.front()}});
  else if (becomesOther(Before, After, Calls.Function))
    Result.push_back({Claim::Kind::OtherCallee, {Old.front()}, {New.front()}});
  if (const SourceFunction *Callee = Origins.functionThen(Before.Callee);
      Callee && !Callee->Calls.empty() &&
      beginWith(Calls, New, Callee->Calls,
                [&](const SourceCall &Call, const SourceCall &Inside) {
                  return mayBeInlined(Inside, Before, Call);
                })) {
    const size_t Size = Callee->Calls.size();
    Result.push_back({Claim::Kind::Inlined,
                      {Old.front()},
                      {New.begin(), New.begin() + Size},
                      numbersTo(Size)});
  }
  // One call alone is a call that was wrapped.
  if (const SourceFunction *Callee = Origins.newFunction(After.Callee);
      Callee && Callee->Calls.size() > 1 &&
      Origins.numCallsOf(After.Callee) == 1) {
    const std::vector<SourceCall> Inside = Origins.callsOf(*Callee);
    if (beginWith(Was.Calls, Old, Inside,
                  [&](const SourceCall &Call, const SourceCall &Inner) {
                    return mayBeExtracted(Call, Inner, After) &&
                           namesTheSame(Call, *Callee, Inner, After,
                                        Calls.Function);
                  }))
      Result.push_back({Claim::Kind::Extracted,
                        {Old.begin(), Old.begin() + Inside.size()},
                        {New.front()},
                        numbersTo(Inside.size())});
  }
  return Result;
}

/// Whether each callee that became another one became the same one.
static bool isConsistent(const SourceFunction &Was, SourceCalls Calls,
                         ArrayRef<Claim> All) {
  std::map<uint64_t, uint64_t> To, From;
  return all_of(All, [&](const Claim &C) {
    if (C.Is != Claim::Kind::OtherCallee)
      return true;
    const uint64_t Before = Was.Calls[C.Old.front()].Callee;
    const uint64_t After = Calls[C.New.front()].Callee;
    return To.try_emplace(Before, After).first->second == After &&
           From.try_emplace(After, Before).first->second == Before;
  });
}

std::vector<Claim> GapExplainer::explainInOrder(const SourceFunction &Was,
                                                const CallsNow &Calls,
                                                const CallGap &Gap) const {
  const size_t N = Gap.Then.size(), M = Gap.Now.size();
  auto NextAt = [&](size_t I, size_t J) {
    return nextInOrder(Was, Calls, ArrayRef(Gap.Then).drop_front(I),
                       ArrayRef(Gap.Now).drop_front(J));
  };
  // How many ways lead to the end, from each two calls; at most two count.
  std::vector<uint8_t> Ways((N + 1) * (M + 1));
  Ways.back() = 1;
  auto Behind = [&](size_t I, size_t J, const Claim &C) -> uint8_t & {
    return Ways[(I + C.Old.size()) * (M + 1) + J + C.New.size()];
  };
  for (size_t I = N; I-- != 0;)
    for (size_t J = M; J-- != 0;)
      for (const Claim &C : NextAt(I, J)) {
        uint8_t &Count = Ways[I * (M + 1) + J];
        Count = std::min(2, Count + Behind(I, J, C));
      }
  std::vector<Claim> Result;
  if (Ways.front() != 1)
    return Result;
  for (size_t I = 0, J = 0; I != N;)
    for (Claim &C : NextAt(I, J))
      if (Behind(I, J, C)) {
        I += C.Old.size();
        J += C.New.size();
        Result.push_back(std::move(C));
        break;
      }
  if (!isConsistent(Was, Calls, Result))
    Result.clear();
  return Result;
}

//===-- One by one --------------------------------------------------------===//

std::vector<Claim> GapExplainer::explainOneByOne(const SourceFunction &Was,
                                                 const CallsNow &Calls,
                                                 const CallGap &Gap) const {
  SmallVector<size_t, 8> Old;
  copy_if(Gap.Then, std::back_inserter(Old), [&](size_t I) {
    return IsProfiled(frameOf(Was.Function, Was.Calls[I]));
  });
  std::vector<Claim> Claims;
  for (size_t J : Gap.Now) {
    std::vector<Claim> Plain, Wrapped;
    for (size_t I : Old)
      if (becomesOther(Was.Calls[I], Calls[J], Calls.Function))
        (callsThrough(Calls[J].Callee, Was.Calls[I].Callee).empty() ? Plain
                                                                    : Wrapped)
            .push_back({Claim::Kind::OtherCallee, {I}, {J}});
    append_range(Claims, Wrapped.empty() ? Plain : Wrapped);
  }
  for (size_t I : Old)
    claimInlined(Was.Calls, Calls, I, Gap.Now, Claims);
  for (size_t J : Gap.Now)
    claimExtracted(Was, Calls, Gap.Then, J, Claims);
  std::map<size_t, unsigned> OfOld, OfNew;
  for (const Claim &C : Claims) {
    for (size_t I : C.Old)
      ++OfOld[I];
    for (size_t J : C.New)
      ++OfNew[J];
  }
  llvm::erase_if(Claims, [&](const Claim &C) {
    return any_of(C.Old, [&](size_t I) { return OfOld[I] != 1; }) ||
           any_of(C.New, [&](size_t J) { return OfNew[J] != 1; });
  });
  return Claims;
}

bool GapExplainer::namesTheSame(const SourceCall &Before,
                                const SourceFunction &Helper,
                                const SourceCall &Inside,
                                const SourceCall &Outside,
                                GlobalValue::GUID Caller) const {
  const callsites::ModuleCalls &Now = Origins.now();
  auto Variables = Now.VariablesOf.find(Helper.Function);
  auto Around = Now.NamesOf.find({Caller, Outside.Line, Outside.Column});
  auto Own = Now.NamesOf.find({Helper.Function, Inside.Line, Inside.Column});
  if (Variables == Now.VariablesOf.end() || Around == Now.NamesOf.end() ||
      Own == Now.NamesOf.end() || !isTextKnown(Before, Inside) ||
      Before.Words.size() >= SourceCall::MaxWords ||
      Inside.Words.size() >= SourceCall::MaxWords)
    return true;
  // As they are called in the caller.
  std::set<uint16_t> Named;
  auto Add = [&](uint16_t Word) {
    const std::vector<uint16_t> &Parameters = Variables->second.Parameters;
    const auto Number =
        static_cast<size_t>(find(Parameters, Word) - Parameters.begin());
    if (Number < Around->second.Arguments.size())
      Named.insert(Around->second.Arguments[Number].begin(),
                   Around->second.Arguments[Number].end());
    else if (!Variables->second.Others.count(Word))
      Named.insert(Word);
  };
  const std::set<uint16_t> &Target = Own->second.Target;
  if (Before.Target && Before.Target == Inside.Target &&
      none_of(Target, [&](uint16_t Word) {
        return Variables->second.Others.count(Word) != 0;
      })) {
    llvm::for_each(Target, Add);
    if (Named != Target)
      return false;
  }
  const auto NamesOf = [](const SourceCall &Call) {
    return ArrayRef(Call.Words).take_while([](uint16_t Word) {
      return Word < SourceCall::AmountBit;
    });
  };
  Named.clear();
  llvm::for_each(NamesOf(Inside), Add);
  const ArrayRef<uint16_t> Names = NamesOf(Before);
  return std::includes(Names.begin(), Names.end(), Named.begin(),
                       Named.end()) ||
         std::includes(Named.begin(), Named.end(), Names.begin(), Names.end());
}

/// Whether a call of then may now go to a function that the program did not
/// have, which is called instead.
bool GapExplainer::becomesOther(const SourceCall &Before,
                                const SourceCall &After,
                                GlobalValue::GUID Caller) const {
  if (!Before.Callee || !After.Callee || Before.Callee == After.Callee ||
      Then.hadFunction(After.Callee) || !mayBeSame(Before, After) ||
      keepsForItself(After, Before.Callee))
    return false;
  if (const WrapperCalls Through = callsThrough(After.Callee, Before.Callee);
      !Through.empty())
    return Through.size() > 1 ||
           namesTheSame(Before, *Through.front().first, *Through.front().second,
                        After, Caller);
  const bool IsNew =
      Origins.isNewElsewhere(After.Callee) || Origins.newFunction(After.Callee);
  return IsNew && (isTextKnown(Before, After) || Origins.isGone(Before.Callee));
}

/// The only one of \p Among that \p Is, none of \p Taken. If there are several,
/// the first one if no text is known.
static std::optional<size_t> only(ArrayRef<size_t> Among,
                                  ArrayRef<size_t> Taken, bool IsTextKnown,
                                  function_ref<bool(size_t)> Is) {
  std::optional<size_t> Found;
  for (size_t I : Among) {
    if (!Is(I) || is_contained(Taken, I))
      continue;
    if (Found && IsTextKnown)
      return std::nullopt;
    if (!Found)
      Found = I;
  }
  return Found;
}

/// The function that \p Old called may have been inlined by hand.
void GapExplainer::claimInlined(SourceCalls Was, SourceCalls Calls, size_t Old,
                                ArrayRef<size_t> Among,
                                std::vector<Claim> &To) const {
  const SourceFunction *Callee = Origins.functionThen(Was[Old].Callee);
  if (!Callee)
    return;
  Claim Result{Claim::Kind::Inlined, {Old}, {}};
  for (auto [I, Inside] : enumerate(Callee->Calls)) {
    if (!IsProfiled(frameOf(Callee->Function, Inside)))
      continue;
    std::optional<size_t> New =
        only(Among, Result.New, Inside.Text != 0, [&](size_t J) {
          return Calls[J].Callee == Inside.Callee &&
                 mayBeInlined(Inside, Was[Old], Calls[J]);
        });
    if (!New)
      return;
    Result.New.push_back(*New);
    Result.Inside.push_back(I);
  }
  if (!Result.New.empty())
    To.push_back(std::move(Result));
}

/// What \p New calls may have been drawn from the function.
void GapExplainer::claimExtracted(const SourceFunction &Was,
                                  const CallsNow &Calls, ArrayRef<size_t> Among,
                                  size_t New, std::vector<Claim> &To) const {
  const SourceFunction *Callee = Origins.newFunction(Calls[New].Callee);
  if (!Callee)
    return;
  Claim Result{Claim::Kind::Extracted, {}, {New}};
  SmallVector<size_t, 2> Profiled;
  for (auto [H, Inside] : enumerate(Origins.callsOf(*Callee))) {
    std::optional<size_t> Old =
        only(Among, Result.Old, Inside.Text != 0, [&](size_t I) {
          return Inside.Callee && Was.Calls[I].Callee == Inside.Callee &&
                 mayBeExtracted(Was.Calls[I], Inside, Calls[New]) &&
                 namesTheSame(Was.Calls[I], *Callee, Inside, Calls[New],
                              Calls.Function);
        });
    if (!Old)
      continue;
    if (IsProfiled(frameOf(Was.Function, Was.Calls[*Old])))
      Profiled.push_back(*Old);
    Result.Old.push_back(*Old);
    Result.Inside.push_back(H);
  }
  // What is wrapped alone has another callee.
  if (!Profiled.empty() &&
      (Profiled.size() != 1 ||
       !becomesOther(Was.Calls[Profiled.front()], Calls[New], Calls.Function)))
    To.push_back(std::move(Result));
}

//===-- Wrappers ----------------------------------------------------------===//

static bool makesSmartPointer(const SourceFunction &F) {
  static const std::vector<uint16_t> Makers[] = {
      profile::NameKeys::of("make_shared").Words,
      profile::NameKeys::of("make_unique").Words,
      profile::NameKeys::of("allocate_shared").Words};
  return is_contained(Makers, F.Name.Words);
}

WrapperCalls GapExplainer::callsThrough(uint64_t Wrapper,
                                        uint64_t Callee) const {
  const SourceFunction *F = Origins.newFunction(Wrapper);
  if (!F)
    return {};
  Ways Found;
  const unsigned Number = findCalls(*F, Callee, /*Depth=*/0, Found);
  return Number == 1 || makesSmartPointer(*F) ? std::move(Found.Calls)
                                              : WrapperCalls();
}

/// Whether the new function that \p Wrapper calls uses what \p Callee makes for
/// something else, and hands on something else.
bool GapExplainer::keepsForItself(const SourceCall &Wrapper,
                                  uint64_t Callee) const {
  const SourceFunction *F = Origins.newFunction(Wrapper.Callee);
  if (!F || makesSmartPointer(*F) || (!Wrapper.Target && !Wrapper.Left))
    return false;
  Ways Found;
  return findCalls(*F, Callee, /*Depth=*/0, Found) && !Found.HandOn;
}

/// Adds what leads from \p F to \p Callee; returns how many ways do.
unsigned GapExplainer::findCalls(const SourceFunction &F, uint64_t Callee,
                                 unsigned Depth, Ways &Found) const {
  constexpr unsigned MaxDepth = 24, MaxWays = 1 << 16;
  // What goes in a circle leads nowhere.
  auto [Known, New] = Found.Known.try_emplace(&F, 0);
  if (!New || Depth == MaxDepth)
    return Known->second;
  unsigned Number = 0;
  const std::vector<SourceCall> Calls = Origins.callsOf(F);
  for (auto [Call, Own] : zip_equal(Calls, F.Calls)) {
    unsigned Here = Call.Callee == Callee;
    if (!Here)
      if (const SourceFunction *Next = Origins.newFunction(Call.Callee))
        Here = findCalls(*Next, Callee, Depth + 1, Found);
    if (Here) {
      Found.Calls.emplace_back(&F, &Own);
      // What stands alone may have no result.
      Found.HandOn &=
          !Call.Text || isHandedOn(Call) || (!Call.Target && !Call.Left);
    }
    Number = std::min(Number + Here, MaxWays);
  }
  return Found.Known[&F] = Number;
}
