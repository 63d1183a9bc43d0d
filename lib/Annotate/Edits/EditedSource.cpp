//===- Annotate/Edits/EditedSource.cpp - A module older than its profile --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/EditedSource.h"
#include "FunctionOrigins.h"
#include "GapExplainer.h"
#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compiler.h"
#include <iterator>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using callsites::ModuleCalls;
using profile::CallTable;
using profile::SourceCall;
using profile::SourceFunction;

namespace {

/// The calls of one version of a function, by where contexts see them.
class CallsByLine {
public:
  explicit CallsByLine(SourceCalls Calls) {
    for (const SourceCall &Call : Calls)
      Lines[lineOf(Call)].push_back(Call);
  }

  /// The calls that contexts may take for one at the place of \p Call. Code may
  /// have been compiled without columns.
  std::vector<SourceCall> at(const SourceCall &Call) const {
    std::vector<SourceCall> Result;
    if (auto Line = Lines.find(lineOf(Call)); Line != Lines.end())
      copy_if(Line->second, std::back_inserter(Result),
              [&](const SourceCall &Other) {
                return Other.Column == Call.Column || !Other.Column ||
                       !Call.Column;
              });
    return Result;
  }

private:
  static uint32_t lineOf(const SourceCall &Call) {
    return frameOf(0, Call).LineOffset;
  }
  std::map<uint32_t, std::vector<SourceCall>> Lines;
};

} // namespace

/// Compares the functions of a module with those of a profile.
class EditedSource::Comparison {
public:
  Comparison(const ModuleCalls &Now, const CallTable &Then,
             IsProfiledCall IsProfiled, CalleesThen Called,
             EditedSource &Result)
      : Now(Now), Then(Then), IsProfiled(IsProfiled), Called(Called),
        Result(Result), Origins(Now, Then), Explain(Then, Origins, IsProfiled) {
  }

  void run() {
    // What a callee is called now is learned from one function, and used in
    // the next round.
    do {
      Result = EditedSource();
      Renamed.clear();
      Reworded.clear();
      Draws.clear();
      Rests.clear();
      Origins.pairFunctions();
      for (const SourceFunction &F : Now.Functions)
        if (const ArrayRef<SourceFunction> Versions = Then.versions(F.Function);
            Versions.size() > 1)
          compareVersions(Versions, F);
        else if (const SourceFunction *Was = Origins.originOf(F))
          compare(*Was, F);
      takeDraws();
    } while (learnNames());
    findEntered();
  }

private:
  /// Takes the callees that have another name, where all functions agree.
  /// Returns whether there are any that were not known.
  bool learnNames() {
    std::map<uint64_t, unsigned> Times;
    for (const auto &[After, Before] : Renamed)
      if (Before.size() == 1)
        ++Times[*Before.begin()];
    bool Any = false;
    for (const auto &[After, Before] : Renamed)
      if (Before.size() == 1 && Times[*Before.begin()] == 1)
        Any |= Origins.learn(After, *Before.begin());
    return Any;
  }

  void move(const SourceFunction &F, const SourceCall &Call, Frames To) {
    const SourceFrame Frame = frameOf(F.Function, Call);
    Moves &M = Result.Functions[F.Function];
    auto [Known, New] =
        M.Frames.try_emplace({Frame.LineOffset, Frame.Column}, std::move(To));
    if (!New && Known->second != To)
      M.Mixed.insert({Frame.LineOffset, Frame.Column});
  }

  void noteSame(const SourceFunction &F, const SourceCall &Call) {
    const SourceFrame Frame = frameOf(F.Function, Call);
    Result.Functions[F.Function].Same.insert({Frame.LineOffset, Frame.Column});
  }

  /// A call that says other things to its callee may lead where it did not. By
  /// a step on the way to all sorts of memory that is, as far as can be seen,
  /// everything.
  void noteWording(const SourceFunction &F, const SourceCall &Before,
                   const SourceCall &After, bool IsStep) {
    if (isTextKnown(Before, After) && Before.Text != After.Text &&
        !(IsStep && areArgumentsSame(Before, After)))
      Reworded.insert(frameOf(F.Function, After));
  }

  CallTraffic trafficOf(const SourceFrame &Frame) const {
    if (Then.CommonCalls.contains(raw(profile::computeStackId(
            Frame.Function, Frame.LineOffset, Frame.Column))))
      return CallTraffic::Common;
    return IsProfiled(Frame) ? CallTraffic::Contexts : CallTraffic::None;
  }

  bool isMoved(const SourceFunction &F, const SourceCall &Call) const {
    const SourceFrame Frame = frameOf(F.Function, Call);
    return Result.Functions.at(F.Function)
        .Frames.contains({Frame.LineOffset, Frame.Column});
  }

  /// The call \p New, which is none of then, makes others of the same callee at
  /// its place unclear.
  void mixWithLike(const SourceFunction &F, size_t New) {
    const SourceFrame Frame = frameOf(F.Function, F.Calls[New]);
    for (auto [I, Other] : enumerate(F.Calls))
      if (I != New && Other.Callee == F.Calls[New].Callee &&
          frameOf(F.Function, Other) == Frame)
        Result.Functions[F.Function].Mixed.insert(
            {Frame.LineOffset, Frame.Column});
  }

  void compare(const SourceFunction &Was, const SourceFunction &F) {
    const std::vector<SourceCall> Calls =
        withLocalsNamed(Was, F, Origins.callsOf(F));
    if (Was.Function == F.Function && areSameCalls(Was.Calls, Calls)) {
      if (!areSameCalls(Was.Calls, F.Calls))
        Result.CallsRenamed.insert(F.Function);
      return;
    }
    Result.Functions.try_emplace(F.Function);
    if (Origins.isByShape(F))
      Result.ByShape.insert(Was.Function);
    if (!mayBeAligned(Was.Calls, Calls))
      return;
    const CallAlignment Aligned = alignCalls(
        Was.Calls, Calls,
        [&](const CallGap &Gap) {
          for (const Claim &C : Explain.explain(Was, {Calls, F.Function}, Gap))
            take(C, Was, F, Calls);
        },
        [&](const SourceCall &Call) {
          return trafficOf(frameOf(Was.Function, Call));
        });
    for (auto [New, Old] : enumerate(Aligned.Was))
      if (Old) {
        const SourceCall &Before = Was.Calls[*Old], &After = F.Calls[New];
        move(F, After, {frameOf(Was.Function, Before)});
        noteWording(F, Before, After,
                    Aligned.IsStep[New] ||
                        trafficOf(frameOf(Was.Function, Before)) ==
                            CallTraffic::Common);
        if (Before.Line == After.Line && Before.Column == After.Column &&
            Before.Text == After.Text && !Aligned.IsStep[New])
          noteSame(F, After);
      }
    Rest Unpaired{&Was, &F, {}, {}};
    for (auto [New, Old] : enumerate(Aligned.Was))
      if (!Old && !isMoved(F, F.Calls[New])) {
        mixWithLike(F, New);
        Unpaired.Now.push_back(New);
      }
    for (auto [Old, Call] : enumerate(Was.Calls))
      if (!is_contained(Aligned.Was, std::optional<size_t>(Old)) &&
          trafficOf(frameOf(Was.Function, Call)) == CallTraffic::Common)
        Unpaired.Then.push_back(Old);
    if (!Unpaired.Then.empty() && !Unpaired.Now.empty())
      Rests.push_back(std::move(Unpaired));
  }

  /// Compares \p F with all \p Versions of then.
  void compareVersions(ArrayRef<SourceFunction> Versions,
                       const SourceFunction &F) {
    // What is not moved is stale.
    Result.Functions.try_emplace(F.Function);
    const std::vector<SourceCall> Calls = Origins.callsOf(F);
    auto IsF = [&](const SourceFunction &V) {
      return areSameCalls(V.Calls, Calls);
    };
    const auto *Was = find_if(Versions, IsF);
    if (Was == Versions.end())
      return;
    const CallsByLine Own(Was->Calls);
    std::vector<CallsByLine> Others;
    for (const SourceFunction &V : Versions) {
      if (areSameCalls(V.Calls, Was->Calls))
        continue;
      Others.emplace_back(V.Calls);
      for (const SourceCall &Call : V.Calls)
        if (Own.at(Call).empty())
          Result.OfOtherVersions.insert(frameOf(F.Function, Call));
    }
    for (const SourceCall &Call : Was->Calls)
      if (all_of(Others, [&](const CallsByLine &Other) {
            return cannotBeMixed(Own.at(Call), Other.at(Call));
          })) {
        move(F, Call, {frameOf(F.Function, Call)});
        noteSame(F, Call);
      } else {
        Result.MixedVersions.insert(frameOf(F.Function, Call));
      }
  }

  /// Whether \p Other, the calls of another version at the place of \p Calls,
  /// are none, or the same by all that is known.
  static bool cannotBeMixed(SourceCalls Calls, SourceCalls Other) {
    return Other.empty() || (Calls == Other && all_of(Calls, [](const auto &C) {
                               return C.Text != 0;
                             }));
  }

  /// Notes what calls lead to that are none of then. Of a function that no
  /// context went through, it is not known which these are: all, if it was
  /// edited. Of a profile without a table of calls nothing is known.
  void findEntered() {
    if (Then.empty())
      return;
    for (const SourceFunction &F : Now.Functions) {
      const bool IsEdited = Result.Functions.contains(F.Function);
      const bool IsOfThen = IsEdited || Origins.originOf(F);
      if (!IsOfThen && Then.hadUnprofiled(F))
        continue;
      const std::vector<SourceCall> Calls = Origins.callsOf(F);
      for (auto [Call, Before] : zip_equal(F.Calls, Calls)) {
        if (!IsOfThen && Call.Target && !isHandedOn(Call))
          Result.KeptThere.insert(frameOf(F.Function, Call));
        const SourceFrame Frame = frameOf(F.Function, Call);
        const auto Frames = IsOfThen ? Result.then(Frame) : std::nullopt;
        const bool IsNew = !Frames || Reworded.count(Frame);
        if (!Call.Callee) {
          if (IsNew)
            Result.NewThroughPointers.insert(Frame);
          continue;
        }
        if (IsNew)
          Result.Entered.insert(Origins.guidOf(Before.Callee));
        if (Frames && !Frames->empty())
          findNamesake(F, Call, Before.Callee, Frames->front());
      }
    }
    // There is nothing to compare in a module without debug information.
    if (none_of(Now.Functions,
                [&](const SourceFunction &F) { return F.File == Now.File; }))
      return;
    for (const auto &[GUID, Versions] : Then.functions())
      for (const SourceFunction &Was : Versions)
        Result.FunctionsAreGone |= Was.File == Now.File && Origins.isLost(Was);
  }

  /// Local functions of one name look alike to their callers. Notes what \p
  /// Call of \p F leads to if \p Was, the call of then, led to another one,
  /// which had the key \p Before.
  void findNamesake(const SourceFunction &F, const SourceCall &Call,
                    uint64_t Before, const SourceFrame &Was) {
    const SourceFunction *Here = Origins.functionNow(Call.Callee);
    const GlobalValue::GUID Callee = Here ? Here->Function : Call.Callee;
    const SourceFunction *Origin = Here ? Origins.originOf(*Here) : nullptr;
    const ArrayRef<GlobalValue::GUID> LedTo = Called(Was);
    if (is_contained(LedTo, Callee) ||
        (Origin && is_contained(LedTo, Origin->Function)))
      return;
    bool IsOther = any_of(LedTo, [&](GlobalValue::GUID Other) {
      const ArrayRef<SourceFunction> Versions = Then.versions(Other);
      return !Versions.empty() && Versions.front().calledBy() == Before;
    });
    // No context tells where it led. What was local in another file has come
    // along, or is another one.
    if (!IsProfiled(Was) && Here && Here->Local &&
        (!Origin || Origin->Function == Callee))
      if (const SourceFunction *FThen = Origins.originOf(F))
        IsOther |= FThen->File != F.File;
    if (!IsOther)
      return;
    Result.Entered.insert(Callee);
    if (Origin)
      Result.Entered.insert(Origin->Function);
  }

  //===-- What became of a gap --------------------------------------------===//

  void take(const Claim &C, const SourceFunction &Was, const SourceFunction &F,
            SourceCalls Calls) {
    const SourceCall &WasCall = Was.Calls[C.Old.front()];
    const SourceCall &Call = F.Calls[C.New.front()];
    const SourceFrame Frame = frameOf(Was.Function, WasCall);
    switch (C.Is) {
    case Claim::Kind::Same:
      move(F, Call, {Frame});
      noteWording(F, WasCall, Call, /*IsStep=*/false);
      return;
    case Claim::Kind::OtherCallee: {
      const uint64_t After = Calls[C.New.front()].Callee;
      move(F, Call, {Frame});
      if (const WrapperCalls Wrapping =
              Explain.callsThrough(After, WasCall.Callee);
          !Wrapping.empty())
        noteWrapped(Frame, Wrapping);
      else if (Origins.isGone(WasCall.Callee))
        Renamed[After].insert(WasCall.Callee);
      return;
    }
    case Claim::Kind::Inlined: {
      const SourceFunction &Callee = *Origins.functionThen(WasCall.Callee);
      for (auto [J, Inside] : zip_equal(C.New, C.Inside))
        move(F, F.Calls[J],
             {frameOf(Callee.Function, Callee.Calls[Inside]), Frame});
      return;
    }
    case Claim::Kind::Extracted: {
      Draw &D = Draws[Origins.newFunction(Call.Callee)].emplace_back();
      D.From = &Was;
      D.To = &F;
      D.Call = &Call;
      for (auto [I, Inside] : zip_equal(C.Old, C.Inside))
        D.Calls.emplace_back(I, Inside);
      return;
    }
    }
    llvm_unreachable("all kinds are known");
  }

  /// Calls that were moved to a new function.
  struct Draw {
    const SourceFunction *From = nullptr;
    const SourceFunction *To = nullptr;
    /// The call of the new function.
    const SourceCall *Call = nullptr;
    /// Calls of From, and what they are in the new function.
    SmallVector<std::pair<size_t, size_t>, 4> Calls = {};
  };

  void takeDraws() {
    for (const auto &[Drawn, All] : Draws)
      if (All.size() == 1) {
        takeWhole(*Drawn, All.front());
        takeCallsOfDrawn(*Drawn, *All.front().From);
      } else {
        takeOneOfEach(*Drawn, All);
      }
  }

  /// Calls of a function that had no pair: steps to all sorts of memory of
  /// then, and all of now.
  struct Rest {
    const SourceFunction *Was;
    const SourceFunction *Is;
    SmallVector<size_t, 2> Then, Now;
  };

  /// Where a step led to \p Original, it may now lead to what was drawn from
  /// it.
  void takeCallsOfDrawn(const SourceFunction &Drawn,
                        const SourceFunction &Original) {
    for (const Rest &R : Rests) {
      auto WasStep = [&](size_t I) {
        return R.Was->Calls[I].Callee == Original.calledBy();
      };
      auto IsStep = [&](size_t I) {
        return R.Is->Calls[I].Callee == Drawn.calledBy();
      };
      const size_t *Old = find_if(R.Then, WasStep);
      const size_t *New = find_if(R.Now, IsStep);
      if (Old == R.Then.end() || New == R.Now.end() ||
          count_if(R.Then, WasStep) != 1 || count_if(R.Now, IsStep) != 1)
        continue;
      const SourceCall &Before = R.Was->Calls[*Old];
      const SourceCall &After = R.Is->Calls[*New];
      if (isTextKnown(Before, After) && Before.Target == After.Target &&
          !isMoved(*R.Is, After))
        move(*R.Is, After, {frameOf(R.Was->Function, Before)});
    }
  }

  /// The frames of \p Drawn are those of the function that it was drawn from,
  /// which has none for its call.
  void takeWhole(const SourceFunction &Drawn, const Draw &D) {
    for (auto [I, Inside] : D.Calls)
      move(Drawn, Drawn.Calls[Inside],
           {frameOf(D.From->Function, D.From->Calls[I])});
    move(*D.To, *D.Call, {});
    // Others may call it, too, unless it is local.
    if (!Drawn.Local || Origins.numCallsOf(D.Call->Callee) != 1)
      Result.ByShape.insert(D.From->Function);
  }

  /// Where several functions have lost calls to \p Drawn, it has no frame, and
  /// the call of it that of the call which went. That must be one.
  void takeOneOfEach(const SourceFunction &Drawn, ArrayRef<Draw> All) {
    std::optional<size_t> Carrier;
    SmallVector<SourceFrame, 4> Was;
    for (const Draw &D : All)
      for (auto [I, Inside] : D.Calls) {
        const SourceFrame Frame = frameOf(D.From->Function, D.From->Calls[I]);
        if (!IsProfiled(Frame))
          continue;
        if (Carrier.value_or(Inside) != Inside)
          return;
        Carrier = Inside;
        Was.push_back(Frame);
      }
    if (Was.size() != All.size())
      return;
    move(Drawn, Drawn.Calls[*Carrier], {});
    for (auto [D, Frame] : zip_equal(All, Was)) {
      move(*D.To, *D.Call, {Frame});
      Result.Wrapped[frameOf(Drawn.Function, Drawn.Calls[*Carrier])].push_back(
          Frame);
    }
  }

  /// What was called at \p Frame is now called through wrappers.
  void noteWrapped(const SourceFrame &Frame, const WrapperCalls &Through) {
    std::set<SourceFrame> Noted;
    for (auto [F, Call] : Through) {
      const SourceFrame Wrapper = frameOf(F->Function, *Call);
      if (!Noted.insert(Wrapper).second)
        continue;
      move(*F, *Call, {});
      Result.Wrapped[Wrapper].push_back(Frame);
    }
  }

  const ModuleCalls &Now;
  const CallTable &Then;
  const IsProfiledCall IsProfiled;
  const CalleesThen Called;
  EditedSource &Result;
  FunctionOrigins Origins;
  const GapExplainer Explain;
  /// What calls of a function that the program did not have called then.
  std::map<uint64_t, std::set<uint64_t>> Renamed;
  /// Calls that were found again with another text.
  std::set<SourceFrame> Reworded;
  std::map<const SourceFunction *, std::vector<Draw>> Draws;
  std::vector<Rest> Rests;
};

EditedSource::EditedSource(const ModuleCalls &Now, const CallTable &Then,
                           IsProfiledCall IsProfiled, CalleesThen Called) {
  Comparison(Now, Then, IsProfiled, Called, *this).run();
}

void EditedSource::comparePlaces(const SourceFunction &Now,
                                 ArrayRef<ProfiledPlace> Then,
                                 function_ref<bool(uint64_t)> Allocates,
                                 function_ref<bool(uint64_t)> IsProfiled) {
  auto MayBe = [&](const SourceCall &Call, const ProfiledPlace &Was) {
    if (!Call.Callee || is_contained(Was.Callees, Call.Callee))
      return true;
    if (Was.Allocates)
      return Allocates(Call.Callee) || !IsProfiled(Call.Callee);
    // What the profile does not name may have another name there.
    return Was.Callees.empty() ||
           (!Allocates(Call.Callee) && !IsProfiled(Call.Callee));
  };
  const bool IsSame = all_of(Then, [&](const ProfiledPlace &Was) {
    return any_of(Now.Calls, [&](const SourceCall &Call) {
      const SourceFrame Frame = frameOf(Now.Function, Call);
      return Frame.LineOffset == Was.LineOffset && Frame.Column == Was.Column &&
             MayBe(Call, Was);
    });
  });
  if (IsSame)
    return;
  Moves &Moved = Functions[Now.Function];
  std::vector<const SourceCall *> Like;
  for (const SourceCall &Call : Now.Calls)
    if (any_of(Then, [&](const ProfiledPlace &Was) {
          return Was.Allocates ? Allocates(Call.Callee)
                               : is_contained(Was.Callees, Call.Callee);
        }))
      Like.push_back(&Call);
  if (!llvm::equal(
          Like, Then, [&](const SourceCall *Call, const ProfiledPlace &Was) {
            return Call->Column == Was.Column &&
                   (Was.Allocates ? Allocates(Call->Callee)
                                  : is_contained(Was.Callees, Call->Callee));
          }))
    return;
  for (auto [Call, Was] : zip(Like, Then)) {
    const SourceFrame Frame = frameOf(Now.Function, *Call);
    const Place Key(Frame.LineOffset, Frame.Column);
    Moved.Frames[Key] = {{Now.Function, Was.LineOffset, Was.Column}};
    if (Key == Place(Was.LineOffset, Was.Column))
      Moved.Same.insert(Key);
  }
}

std::optional<EditedSource::Frames>
EditedSource::then(const SourceFrame &Frame) const {
  auto Known = Functions.find(Frame.Function);
  if (Known == Functions.end())
    return Frames{Frame};
  const Place Key(Frame.LineOffset, Frame.Column);
  auto Found = Known->second.Frames.find(Key);
  if (Found == Known->second.Frames.end() || Known->second.Mixed.contains(Key))
    return std::nullopt;
  return Found->second;
}

bool EditedSource::isEdited(const SourceFrame &Frame) const {
  auto Known = Functions.find(Frame.Function);
  return Known != Functions.end() &&
         !Known->second.Same.contains({Frame.LineOffset, Frame.Column});
}

ArrayRef<SourceFrame> EditedSource::wrappedAt(const SourceFrame &Frame) const {
  auto Found = Wrapped.find(Frame);
  return Found == Wrapped.end() ? ArrayRef<SourceFrame>()
                                : ArrayRef(Found->second);
}
