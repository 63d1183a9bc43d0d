//===- Annotate/Edits/EditedSource.cpp - A module older than its profile --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/EditedSource.h"
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

/// Gaps with more pairs of calls than this are not explained.
static constexpr size_t MaxPairsToExplain = 1 << 16;

static SourceFrame frameOf(GlobalValue::GUID Function, const SourceCall &Call) {
  return {Function, static_cast<uint32_t>(Call.Line) & 0xffff, Call.Column};
}

static bool haveSameCallees(SourceCalls A, SourceCalls B) {
  return llvm::equal(A, B, [](const SourceCall &X, const SourceCall &Y) {
    return X.Callee == Y.Callee;
  });
}

static bool haveSameText(SourceCalls A, SourceCalls B) {
  return llvm::equal(A, B, [](const SourceCall &X, const SourceCall &Y) {
    return X.Callee == Y.Callee && X.Text == Y.Text && X.Text;
  });
}

namespace {

/// The calls of one version of a function, by where contexts see them.
class CallsByLine {
public:
  explicit CallsByLine(SourceCalls Calls) {
    for (const SourceCall &Call : Calls)
      Lines[lineOf(Call)].push_back(Call);
  }

  /// Those that contexts may take for one at the place of \p Call. Code may
  /// have been compiled without columns.
  std::vector<SourceCall> at(const SourceCall &Call) const {
    std::vector<SourceCall> Result;
    if (auto Line = Lines.find(lineOf(Call)); Line != Lines.end())
      copy_if(Line->second, std::back_inserter(Result),
              [&](const SourceCall &Of) {
                return Of.Column == Call.Column || !Of.Column || !Call.Column;
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
             EditedSource &Result)
      : Now(Now), Then(Then), Result(Result) {
    for (const SourceFunction &F : Now.Functions) {
      ByKey[F.calledBy()].push_back(&F);
      Present.insert(F.Function);
      for (const SourceCall &Call : F.Calls)
        ++NumCallsOf[Call.Callee];
    }
    for (const auto &[GUID, Versions] : Then.functions())
      for (const SourceFunction &F : Versions)
        ThenByKey[F.calledBy()].push_back(&F);
  }

  void run() {
    // What a callee is called now is learned from one function, and used in
    // the next round.
    do {
      Result = EditedSource();
      Renamed.clear();
      pairFunctions();
      for (const SourceFunction &F : Now.Functions)
        if (const ArrayRef<SourceFunction> Versions = Then.versions(F.Function);
            Versions.size() > 1)
          compareVersions(Versions, F);
        else if (const SourceFunction *Was = originOf(F))
          compare(*Was, F);
    } while (learnNames());
  }

private:
  //===-- Functions
  //---------------------------------------------------------===//

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
        Any |= OldKeys.try_emplace(After, *Before.begin()).second;
    return Any;
  }

  const SourceFunction *originOf(const SourceFunction &F) const {
    if (const SourceFunction *Same = Then.lookup(F.Function))
      return Same;
    auto Found = Origins.find(F.Function);
    return Found == Origins.end() ? nullptr : Found->second;
  }

  /// The calls of \p F, with callees by the names that they had.
  std::vector<SourceCall> callsOf(const SourceFunction &F) const {
    std::vector<SourceCall> Calls = F.Calls;
    for (SourceCall &Call : Calls)
      if (auto Old = OldKeys.find(Call.Callee); Old != OldKeys.end())
        Call.Callee = Old->second;
    return Calls;
  }

  /// How much alike two functions are that may be one: 0 if they are not.
  unsigned likeness(const SourceFunction &Was, const SourceFunction &F) const {
    const bool IsNamesake = F.Local && F.Local == Was.Local;
    if (F.File != Was.File && !IsNamesake)
      return 0;
    const std::vector<SourceCall> Calls = callsOf(F);
    if (haveSameText(Was.Calls, Calls))
      return IsNamesake ? 6 : 5;
    if (haveSameCallees(Was.Calls, Calls))
      return IsNamesake ? 4 : 3;
    if (haveSameShape(Was.Calls, Calls))
      return 2;
    const bool IsSameFile = F.File == Was.File;
    if (!(IsNamesake && IsSameFile) &&
        (Was.Calls.size() < 2 || Calls.size() < 2))
      return 0;
    // Three calls of four are pairs; of namesakes half of them, or in files of
    // one name any.
    const size_t Pairs = alignCalls(Was.Calls, Calls).numPairs();
    const size_t All = Was.Calls.size() + Calls.size();
    if (Pairs * 8 >= All * 3)
      return 2;
    return IsNamesake && (Pairs * 4 >= All || (IsSameFile && Pairs)) ? 1 : 0;
  }

  /// Whether two lists are the same but for callees that may have another name.
  bool haveSameShape(SourceCalls Before, SourceCalls After) const {
    if (Before.size() != After.size())
      return false;
    std::map<uint64_t, uint64_t> To, From;
    size_t Same = 0;
    for (auto [B, A] : zip(Before, After)) {
      Same += B.Callee == A.Callee;
      if (B.Callee != A.Callee &&
          (!mayBecome(B.Callee, A.Callee) ||
           To.try_emplace(B.Callee, A.Callee).first->second != A.Callee ||
           From.try_emplace(A.Callee, B.Callee).first->second != B.Callee))
        return false;
    }
    return Same * 2 >= Before.size();
  }

  void pairFunctions() {
    std::vector<const SourceFunction *> New, Gone;
    for (const SourceFunction &F : Now.Functions)
      if (!F.Calls.empty() && !Then.lookup(F.Function) &&
          !Then.hadFunction(F.Function) && !Origins.contains(F.Function))
        New.push_back(&F);
    if (New.empty())
      return;
    for (const auto &[GUID, Versions] : Then.functions())
      if (Versions.size() == 1 && !Present.contains(GUID) &&
          !Now.Declared.contains(GUID) &&
          none_of(Origins, [&, Was = &Versions.front()](const auto &Pair) {
            return Pair.second == Was;
          }))
        Gone.push_back(&Versions.front());
    // A pair gives its callers a callee that they had.
    while (pairMostAlike(New, Gone))
      ;
  }

  bool pairMostAlike(std::vector<const SourceFunction *> &New,
                     std::vector<const SourceFunction *> &Gone) {
    struct Best {
      unsigned Likeness = 0;
      std::vector<size_t> With;

      void take(unsigned L, size_t I) {
        if (!L || L < Likeness)
          return;
        if (L > Likeness)
          With.clear();
        Likeness = L;
        With.push_back(I);
      }
    };
    std::vector<Best> OfNew(New.size()), OfGone(Gone.size());
    for (auto [I, F] : enumerate(New))
      for (auto [J, Was] : enumerate(Gone)) {
        const unsigned L = likeness(*Was, *F);
        OfNew[I].take(L, J);
        OfGone[J].take(L, I);
      }
    // Those that are most alike first: others may be clear then.
    unsigned Most = 0;
    auto IsPair = [&](size_t I) {
      const Best &B = OfNew[I];
      return B.With.size() == 1 && OfGone[B.With.front()].With.size() == 1 &&
             OfGone[B.With.front()].With.front() == I;
    };
    for (size_t I = 0; I != New.size(); ++I)
      if (IsPair(I))
        Most = std::max(Most, OfNew[I].Likeness);
    if (!Most)
      return false;
    std::set<const SourceFunction *> Done;
    for (size_t I = 0; I != New.size(); ++I) {
      if (!IsPair(I) || OfNew[I].Likeness != Most)
        continue;
      const SourceFunction *Was = Gone[OfNew[I].With.front()];
      Origins[New[I]->Function] = Was;
      OldKeys[New[I]->calledBy()] = Was->calledBy();
      Done.insert({New[I], Was});
    }
    auto IsDone = [&](const SourceFunction *F) { return Done.contains(F); };
    llvm::erase_if(New, IsDone);
    llvm::erase_if(Gone, IsDone);
    return true;
  }

  //===-- Calls
  //-------------------------------------------------------------===//

  void move(const SourceFunction &F, const SourceCall &Call, Frames To) {
    const SourceFrame At = frameOf(F.Function, Call);
    Moves &Of = Result.Functions[F.Function];
    auto [Known, New] =
        Of.Frames.try_emplace({At.LineOffset, At.Column}, std::move(To));
    if (!New && Known->second != To)
      Of.Mixed.insert({At.LineOffset, At.Column});
  }

  bool isMoved(const SourceFunction &F, const SourceCall &Call) const {
    const SourceFrame At = frameOf(F.Function, Call);
    return Result.Functions.at(F.Function)
        .Frames.contains({At.LineOffset, At.Column});
  }

  /// The call \p New, which is none of then, makes others of the same callee at
  /// its place unclear.
  void mixWithLike(const SourceFunction &F, size_t New) {
    const SourceFrame At = frameOf(F.Function, F.Calls[New]);
    for (auto [I, Other] : enumerate(F.Calls))
      if (I != New && Other.Callee == F.Calls[New].Callee &&
          frameOf(F.Function, Other) == At)
        Result.Functions[F.Function].Mixed.insert({At.LineOffset, At.Column});
  }

  void compare(const SourceFunction &Was, const SourceFunction &F) {
    const std::vector<SourceCall> Calls = callsOf(F);
    if (Was.Function == F.Function && areSameCalls(Was.Calls, Calls))
      return;
    Result.Functions.try_emplace(F.Function);
    if (Was.Function != F.Function)
      Result.ByShape.insert(Was.Function);
    const CallAlignment Aligned =
        alignCalls(Was.Calls, Calls, [&](const CallGap &Gap) {
          return explain(Was, F, Calls, Gap);
        });
    for (auto [New, Old] : enumerate(Aligned.Was))
      if (Old)
        move(F, F.Calls[New], {frameOf(Was.Function, Was.Calls[*Old])});
    for (auto [New, Old] : enumerate(Aligned.Was))
      if (!Old && !isMoved(F, F.Calls[New]))
        mixWithLike(F, New);
  }

  /// Compares \p F with all \p Versions of then.
  void compareVersions(ArrayRef<SourceFunction> Versions,
                       const SourceFunction &F) {
    // What is not moved is stale.
    Result.Functions.try_emplace(F.Function);
    const std::vector<SourceCall> Calls = callsOf(F);
    auto IsF = [&](const SourceFunction &V) {
      return areSameCalls(V.Calls, Calls);
    };
    const auto *Was = find_if(Versions, IsF);
    if (Was == Versions.end())
      return;
    const CallsByLine Of(Was->Calls);
    std::vector<CallsByLine> Others;
    for (const SourceFunction &V : Versions) {
      if (areSameCalls(V.Calls, Was->Calls))
        continue;
      Others.emplace_back(V.Calls);
      for (const SourceCall &Call : V.Calls)
        if (Of.at(Call).empty())
          Result.OfOtherVersions.insert(frameOf(F.Function, Call));
    }
    for (const SourceCall &Call : Was->Calls)
      if (all_of(Others, [&](const CallsByLine &Other) {
            return cannotBeMixed(Of.at(Call), Other.at(Call));
          }))
        move(F, Call, {frameOf(F.Function, Call)});
      else
        Result.MixedVersions.insert(frameOf(F.Function, Call));
  }

  /// Whether \p Other, the calls of another version at the place of \p Calls,
  /// are none, or the same by all that is known.
  static bool cannotBeMixed(SourceCalls Calls, SourceCalls Other) {
    return Other.empty() || (Calls == Other && all_of(Calls, [](const auto &C) {
                               return C.Text != 0;
                             }));
  }

  /// The only function of then that calls of \p Key went to, if its calls are
  /// known.
  const SourceFunction *functionThen(uint64_t Key) const {
    auto Found = ThenByKey.find(Key);
    return Found == ThenByKey.end() || Found->second.size() != 1
               ? nullptr
               : Found->second.front();
  }
  /// The only function of the module that calls of \p Key go to, if the program
  /// did not have it, or no context goes through it.
  const SourceFunction *newFunction(uint64_t Key) const {
    auto Found = ByKey.find(Key);
    if (Found == ByKey.end() || Found->second.size() != 1)
      return nullptr;
    const SourceFunction *F = Found->second.front();
    return originOf(*F) || !Then.versions(F->Function).empty() ||
                   Then.isAmbiguous(F->Function)
               ? nullptr
               : F;
  }

  /// What became of calls in a gap. The first calls of then that were not
  /// explained yet, and of now, are one of each kind.
  enum class Change { Same, OtherCallee, Inlined, Extracted };
  struct Step {
    Change Is;
    size_t NumThen;
    size_t NumNow;
  };

  /// The ways to go on at the calls \p Old of then and \p New of now.
  SmallVector<Step, 2> steps(const SourceFunction &Was, SourceCalls Calls,
                             ArrayRef<size_t> Old, ArrayRef<size_t> New) const {
    SmallVector<Step, 2> Result;
    if (Old.empty() || New.empty())
      return Result;
    const uint64_t Before = Was.Calls[Old.front()].Callee;
    const uint64_t After = Calls[New.front()].Callee;
    if (Before == After)
      Result.push_back({Change::Same, 1, 1});
    else if (Before && After && mayBecome(Before, After))
      Result.push_back({Change::OtherCallee, 1, 1});
    auto BeginWith = [](SourceCalls All, ArrayRef<size_t> Some,
                        SourceCalls Inside) {
      return Some.size() >= Inside.size() &&
             llvm::equal(Some.take_front(Inside.size()), Inside,
                         [&](size_t I, const SourceCall &Call) {
                           return All[I].Callee == Call.Callee;
                         });
    };
    if (const SourceFunction *Callee = functionThen(Before);
        Callee && !Callee->Calls.empty() &&
        BeginWith(Calls, New, Callee->Calls))
      Result.push_back({Change::Inlined, 1, Callee->Calls.size()});
    // One call alone is a call that was wrapped.
    if (const SourceFunction *Callee = newFunction(After);
        Callee && Callee->Calls.size() > 1 && NumCallsOf.at(After) == 1 &&
        BeginWith(Was.Calls, Old, callsOf(*Callee)))
      Result.push_back({Change::Extracted, Callee->Calls.size(), 1});
    return Result;
  }

  /// Explains \p Gap if there is only one way to do so. Returns whether there
  /// is.
  bool explain(const SourceFunction &Was, const SourceFunction &F,
               SourceCalls Calls, const CallGap &Gap) {
    const size_t N = Gap.Then.size(), M = Gap.Now.size();
    if (N * M > MaxPairsToExplain)
      return false;
    auto StepsAt = [&](size_t I, size_t J) {
      return steps(Was, Calls, ArrayRef(Gap.Then).drop_front(I),
                   ArrayRef(Gap.Now).drop_front(J));
    };
    // How many ways lead to the end, from each two calls; at most two count.
    std::vector<uint8_t> Ways((N + 1) * (M + 1));
    Ways.back() = 1;
    for (size_t I = N; I-- != 0;)
      for (size_t J = M; J-- != 0;)
        for (const Step &S : StepsAt(I, J)) {
          uint8_t &Of = Ways[I * (M + 1) + J];
          Of = std::min(2, Of + Ways[(I + S.NumThen) * (M + 1) + J + S.NumNow]);
        }
    if (Ways.front() != 1)
      return false;
    std::vector<Step> Path;
    for (size_t I = 0, J = 0; I != N;)
      for (const Step &S : StepsAt(I, J))
        if (Ways[(I + S.NumThen) * (M + 1) + J + S.NumNow]) {
          Path.push_back(S);
          I += S.NumThen;
          J += S.NumNow;
          break;
        }
    if (!isConsistent(Was, Calls, Gap, Path))
      return false;
    size_t I = 0, J = 0;
    for (const Step &S : Path) {
      take(S, Was, F, Calls, ArrayRef(Gap.Then).slice(I, S.NumThen),
           ArrayRef(Gap.Now).slice(J, S.NumNow));
      I += S.NumThen;
      J += S.NumNow;
    }
    return true;
  }

  /// Whether each callee that became another one became the same one.
  bool isConsistent(const SourceFunction &Was, SourceCalls Calls,
                    const CallGap &Gap, ArrayRef<Step> Path) const {
    std::map<uint64_t, uint64_t> To, From;
    size_t I = 0, J = 0;
    for (const Step &S : Path) {
      if (S.Is == Change::OtherCallee) {
        const uint64_t Before = Was.Calls[Gap.Then[I]].Callee;
        const uint64_t After = Calls[Gap.Now[J]].Callee;
        if (To.try_emplace(Before, After).first->second != After ||
            From.try_emplace(After, Before).first->second != Before)
          return false;
      }
      I += S.NumThen;
      J += S.NumNow;
    }
    return true;
  }

  void take(const Step &S, const SourceFunction &Was, const SourceFunction &F,
            SourceCalls Calls, ArrayRef<size_t> Old, ArrayRef<size_t> New) {
    const SourceCall &WasCall = Was.Calls[Old.front()];
    const SourceCall &Call = F.Calls[New.front()];
    const SourceFrame Frame = frameOf(Was.Function, WasCall);
    switch (S.Is) {
    case Change::Same:
      move(F, Call, {Frame});
      return;
    case Change::OtherCallee: {
      const uint64_t After = Calls[New.front()].Callee;
      move(F, Call, {Frame});
      if (isWrapper(WasCall.Callee, After))
        noteWrapped(Frame, WasCall.Callee, After);
      else
        Renamed[After].insert(WasCall.Callee);
      return;
    }
    case Change::Inlined: {
      const SourceFunction &Callee = *functionThen(WasCall.Callee);
      for (auto [I, Inside] : zip(New, Callee.Calls))
        move(F, F.Calls[I], {frameOf(Callee.Function, Inside), Frame});
      return;
    }
    case Change::Extracted: {
      const SourceFunction &To = *newFunction(Call.Callee);
      for (auto [I, Inside] : zip(Old, To.Calls))
        move(To, Inside, {frameOf(Was.Function, Was.Calls[I])});
      move(F, Call, {});
      // Others may call it, too, unless it is local.
      if (!To.Local)
        Result.ByShape.insert(Was.Function);
      return;
    }
    }
    llvm_unreachable("all changes are known");
  }

  /// Whether a call of \p Before may have become one of \p After.
  bool mayBecome(uint64_t Before, uint64_t After) const {
    return isWrapper(Before, After) || (isNew(After) && isGone(Before));
  }
  /// Nothing of the module calls it any more.
  bool isGone(uint64_t Callee) const {
    return !ByKey.contains(Callee) && !NumCallsOf.contains(Callee);
  }
  /// A function of another module that the program did not have.
  bool isNew(uint64_t Callee) const {
    return !ByKey.contains(Callee) && !Then.hadFunction(Callee);
  }
  bool isWrapper(uint64_t Callee, uint64_t Wrapper) const {
    const SourceFunction *F = newFunction(Wrapper);
    return F && count_if(callsOf(*F), [&](const SourceCall &Call) {
                  return Call.Callee == Callee;
                }) == 1;
  }

  /// What was called at \p Frame is now called by \p Wrapper.
  void noteWrapped(const SourceFrame &Frame, uint64_t Callee,
                   uint64_t Wrapper) {
    const SourceFunction &F = *newFunction(Wrapper);
    const std::vector<SourceCall> Calls = callsOf(F);
    const size_t At =
        find_if(Calls,
                [&](const SourceCall &Call) { return Call.Callee == Callee; }) -
        Calls.begin();
    move(F, F.Calls[At], {});
    Result.Wrapped[frameOf(F.Function, F.Calls[At])].push_back(Frame);
  }

  const ModuleCalls &Now;
  const CallTable &Then;
  EditedSource &Result;
  std::map<uint64_t, std::vector<const SourceFunction *>> ByKey, ThenByKey;
  std::set<GlobalValue::GUID> Present;
  /// How many calls of the module go to a function.
  std::map<uint64_t, unsigned> NumCallsOf;
  /// The functions of then that functions of now are by their calls.
  std::map<GlobalValue::GUID, const SourceFunction *> Origins;
  /// How these were called.
  std::map<uint64_t, uint64_t> OldKeys;
  /// What calls of these called then.
  std::map<uint64_t, std::set<uint64_t>> Renamed;
};

EditedSource::EditedSource(const ModuleCalls &Now, const CallTable &Then) {
  Comparison(Now, Then, *this).run();
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
      const SourceFrame At = frameOf(Now.Function, Call);
      return At.LineOffset == Was.LineOffset && At.Column == Was.Column &&
             MayBe(Call, Was);
    });
  });
  if (IsSame)
    return;
  Moves &Of = Functions[Now.Function];
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
    const SourceFrame At = frameOf(Now.Function, *Call);
    Of.Frames[{At.LineOffset, At.Column}] = {
        {Now.Function, Was.LineOffset, Was.Column}};
  }
}

std::optional<EditedSource::Frames>
EditedSource::then(const SourceFrame &Frame) const {
  auto Of = Functions.find(Frame.Function);
  if (Of == Functions.end())
    return Frames{Frame};
  const Place At(Frame.LineOffset, Frame.Column);
  auto Found = Of->second.Frames.find(At);
  if (Found == Of->second.Frames.end() || Of->second.Mixed.contains(At))
    return std::nullopt;
  return Found->second;
}

ArrayRef<SourceFrame> EditedSource::wrappedAt(const SourceFrame &Frame) const {
  auto Found = Wrapped.find(Frame);
  return Found == Wrapped.end() ? ArrayRef<SourceFrame>()
                                : ArrayRef(Found->second);
}
