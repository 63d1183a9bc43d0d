//===- Annotate/Edits/FunctionOrigins.cpp - What functions were called ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionOrigins.h"
#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <iterator>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using callsites::ModuleCalls;
using profile::CallTable;
using profile::SourceCall;
using profile::SourceFunction;

/// How much alike two functions are. Words that their names share are added.
enum Likeness : unsigned {
  NotAlike = 0,
  /// How much a level is worth more than words.
  Level = 64,
  ContainsCalls = 1 * Level,
  NamesakeWithCalls = 2 * Level,
  SameText = 3 * Level,
  NamesakeOfSameText = 4 * Level,
  SameBase = 5 * Level,
  OtherVersionOfName = 6 * Level,
};

namespace {

/// Finds functions that may be alike at all: those of one file, of one local
/// name, or of one name but for versions. A profile has thousands.
class LikelyOrigins {
public:
  explicit LikelyOrigins(ArrayRef<const SourceFunction *> Gone) {
    for (auto [I, F] : enumerate(Gone)) {
      ByFile[F->File].push_back(I);
      if (F->Local)
        ByLocal[F->Local].push_back(I);
      if (F->Name.Versionless)
        ByVersionless[F->Name.Versionless].push_back(I);
    }
  }

  /// In the order of the list, none twice.
  std::vector<size_t> of(const SourceFunction &F) const {
    std::vector<size_t> Result;
    auto Add = [&](const auto &Index, auto Key) {
      if (auto Found = Index.find(Key); Found != Index.end())
        llvm::append_range(Result, Found->second);
    };
    Add(ByFile, F.File);
    Add(ByLocal, F.Local);
    Add(ByVersionless, F.Name.Versionless);
    llvm::sort(Result);
    Result.erase(llvm::unique(Result), Result.end());
    return Result;
  }

private:
  std::map<uint32_t, std::vector<size_t>> ByFile, ByVersionless;
  std::map<uint64_t, std::vector<size_t>> ByLocal;
};

} // namespace

static bool haveSameText(SourceCalls A, SourceCalls B) {
  return llvm::equal(A, B, [](const SourceCall &X, const SourceCall &Y) {
    return X.Callee == Y.Callee && X.Text == Y.Text && X.Text;
  });
}

FunctionOrigins::FunctionOrigins(const ModuleCalls &Now, const CallTable &Then)
    : Now(Now), Then(Then) {
  for (const SourceFunction &F : Now.Functions) {
    ByKey[F.calledBy()].push_back(&F);
    Present.insert(F.Function);
    for (const SourceCall &Call : F.Calls)
      ++NumCallsOf[Call.Callee];
  }
  for (const auto &[GUID, Versions] : Then.functions())
    for (const SourceFunction &F : Versions)
      ThenByKey[F.calledBy()].push_back(&F);
  learnFromNames();
}

/// Callees that are defined elsewhere: one that has gone, and one that the
/// program did not have, are the same if no others of the same base name did.
void FunctionOrigins::learnFromNames() {
  std::map<uint32_t, std::pair<std::set<uint64_t>, std::set<uint64_t>>> ByBase;
  for (const auto &[GUID, Versions] : Then.functions())
    for (const SourceFunction &F : Versions)
      for (const SourceCall &Call : F.Calls)
        if (Call.Base && isGone(Call.Callee))
          ByBase[Call.Base].first.insert(Call.Callee);
  for (const SourceFunction &F : Now.Functions)
    for (const SourceCall &Call : F.Calls)
      if (Call.Base && isNewElsewhere(Call.Callee))
        ByBase[Call.Base].second.insert(Call.Callee);
  for (const auto &[Base, Callees] : ByBase)
    if (Callees.first.size() == 1 && Callees.second.size() == 1)
      OldKeys[*Callees.second.begin()] = *Callees.first.begin();
}

bool FunctionOrigins::learn(uint64_t After, uint64_t Before) {
  if (!OldKeys.try_emplace(After, Before).second)
    return false;
  const SourceFunction *F = newFunction(After), *Was = functionThen(Before);
  if (F && Was && !Taken.contains(Was))
    if (const unsigned Is = likeness(*Was, *F))
      setOrigin(*F, *Was, Is);
  return true;
}

const SourceFunction *FunctionOrigins::originOf(const SourceFunction &F) const {
  if (const SourceFunction *Same = Then.lookup(F.Function))
    return Same;
  auto Found = Origins.find(F.Function);
  return Found == Origins.end() ? nullptr : Found->second;
}

std::vector<SourceCall>
FunctionOrigins::callsOf(const SourceFunction &F) const {
  std::vector<SourceCall> Calls = F.Calls;
  for (SourceCall &Call : Calls)
    if (auto Old = OldKeys.find(Call.Callee); Old != OldKeys.end()) {
      Call.Callee = Old->second;
      // It may take other arguments now.
      Call.Base = 0;
    }
  return Calls;
}

const SourceFunction *FunctionOrigins::functionThen(uint64_t Key) const {
  auto Found = ThenByKey.find(Key);
  return Found == ThenByKey.end() || Found->second.size() != 1
             ? nullptr
             : Found->second.front();
}

const SourceFunction *FunctionOrigins::newFunction(uint64_t Key) const {
  auto Found = ByKey.find(Key);
  if (Found == ByKey.end() || Found->second.size() != 1)
    return nullptr;
  const SourceFunction *F = Found->second.front();
  return originOf(*F) || !Then.versions(F->Function).empty() ||
                 Then.isAmbiguous(F->Function)
             ? nullptr
             : F;
}

const SourceFunction *FunctionOrigins::functionNow(uint64_t Key) const {
  auto Here = ByKey.find(Key);
  return Here == ByKey.end() ? nullptr : Here->second.front();
}

GlobalValue::GUID FunctionOrigins::guidOf(uint64_t Key) const {
  if (const SourceFunction *Was = functionThen(Key))
    return Was->Function;
  const SourceFunction *Here = functionNow(Key);
  return Here ? Here->Function : Key;
}

/// Whether a callee may have another name now.
bool FunctionOrigins::mayBeRenamed(uint64_t Before, uint64_t After) const {
  return Before && After && isGone(Before) &&
         (isNewElsewhere(After) || newFunction(After));
}

/// Whether each call of \p Some is in \p All, in the same order and the same
/// text, but for callees that have another name.
bool FunctionOrigins::isContained(SourceCalls Some, SourceCalls All) const {
  std::map<uint64_t, uint64_t> Names;
  auto IsSame = [&](const SourceCall &A, const SourceCall &B) {
    if (!isTextKnown(A, B))
      return A.Callee == B.Callee;
    if (A.Callee == B.Callee)
      return A.Text == B.Text || isSameButCallee(A, B);
    return (mayBeRenamed(A.Callee, B.Callee) ||
            mayBeRenamed(B.Callee, A.Callee)) &&
           isSameButCallee(A, B) &&
           Names.try_emplace(A.Callee, B.Callee).first->second == B.Callee;
  };
  const SourceCall *Next = All.begin();
  for (const SourceCall &Call : Some) {
    Next = std::find_if(Next, All.end(), [&](const SourceCall &Other) {
      return IsSame(Call, Other);
    });
    if (Next == All.end())
      return false;
    ++Next;
  }
  return true;
}

unsigned FunctionOrigins::likenessOfCalls(const SourceFunction &Was,
                                          const SourceFunction &F) const {
  const bool IsNamesake = F.Local && F.Local == Was.Local;
  const bool IsSameFile = F.File == Was.File;
  if (!IsSameFile && !IsNamesake)
    return NotAlike;
  const std::vector<SourceCall> Calls = withLocalsNamed(Was, F, callsOf(F));
  if (!mayBeAligned(Was.Calls, Calls))
    return NotAlike;
  if (haveSameText(Was.Calls, Calls))
    return IsNamesake ? NamesakeOfSameText : SameText;
  const size_t All = Was.Calls.size() + Calls.size();
  const bool IsMostShared =
      std::min(Was.Calls.size(), Calls.size()) * 8 >= All * 3;
  if (IsMostShared &&
      (isContained(Was.Calls, Calls) || isContained(Calls, Was.Calls)))
    return ContainsCalls;
  if (!IsNamesake)
    return NotAlike;
  const size_t Pairs = alignCalls(Was.Calls, Calls).numPairs();
  return Pairs * 4 >= All || (IsSameFile && Pairs) ? NamesakeWithCalls
                                                   : NotAlike;
}

/// NotAlike if they cannot be one.
unsigned FunctionOrigins::likeness(const SourceFunction &Was,
                                   const SourceFunction &F) const {
  std::vector<uint16_t> Shared;
  std::set_intersection(F.Name.Words.begin(), F.Name.Words.end(),
                        Was.Name.Words.begin(), Was.Name.Words.end(),
                        std::back_inserter(Shared));
  const unsigned Words = std::min<unsigned>(Shared.size(), Level - 1);
  const bool IsSameFile = F.File == Was.File;
  // Local functions of one name need have nothing else in common.
  if (F.Name.Versionless && F.Name.Versionless == Was.Name.Versionless &&
      (!F.Local || IsSameFile))
    return OtherVersionOfName + Words;
  if (F.Name.Base && F.Name.Base == Was.Name.Base && IsSameFile)
    return SameBase + Words;
  const unsigned Calls = likenessOfCalls(Was, F);
  return Calls ? Calls + Words : NotAlike;
}

void FunctionOrigins::setOrigin(const SourceFunction &F,
                                const SourceFunction &Was, unsigned Likeness) {
  Origins[F.Function] = &Was;
  Taken.insert(&Was);
  OldKeys[F.calledBy()] = Was.calledBy();
  if (Likeness < OtherVersionOfName)
    ByShape.insert(F.Function);
}

void FunctionOrigins::pairFunctions() {
  FunctionList New, Gone;
  for (const SourceFunction &F : Now.Functions)
    if (!F.Calls.empty() && !Then.lookup(F.Function) &&
        !Then.hadFunction(F.Function) && !Origins.contains(F.Function))
      New.push_back(&F);
  if (New.empty())
    return;
  for (const auto &[GUID, Versions] : Then.functions())
    if (Versions.size() == 1 && !Present.contains(GUID) &&
        !Now.Declared.contains(GUID) && !Taken.contains(&Versions.front()))
      Gone.push_back(&Versions.front());
  // A pair gives its callers a callee that they had.
  while (pairMostAlike(New, Gone))
    ;
}

bool FunctionOrigins::pairMostAlike(FunctionList &New, FunctionList &Gone) {
  struct Best {
    unsigned Likeness = 0;
    std::vector<size_t> Partners;

    void take(unsigned L, size_t I) {
      if (!L || L < Likeness)
        return;
      if (L > Likeness)
        Partners.clear();
      Likeness = L;
      Partners.push_back(I);
    }
  };
  std::vector<Best> OfNew(New.size()), OfGone(Gone.size());
  const LikelyOrigins Likely(Gone);
  for (auto [I, F] : enumerate(New))
    for (const size_t J : Likely.of(*F)) {
      const unsigned L = likeness(*Gone[J], *F);
      OfNew[I].take(L, J);
      OfGone[J].take(L, I);
    }
  // Those that are most alike first: others may be clear then.
  unsigned Most = 0;
  auto IsPair = [&](size_t I) {
    const Best &B = OfNew[I];
    return B.Partners.size() == 1 &&
           OfGone[B.Partners.front()].Partners.size() == 1 &&
           OfGone[B.Partners.front()].Partners.front() == I;
  };
  for (size_t I = 0; I != New.size(); ++I)
    if (IsPair(I))
      Most = std::max(Most, OfNew[I].Likeness);
  if (!Most)
    return false;
  std::set<const SourceFunction *> Done;
  for (size_t I = 0; I != New.size(); ++I) {
    // Words are counted to tell apart what is alike, not to go first.
    if (!IsPair(I) || OfNew[I].Likeness / Level != Most / Level)
      continue;
    const SourceFunction *Was = Gone[OfNew[I].Partners.front()];
    setOrigin(*New[I], *Was, OfNew[I].Likeness);
    Done.insert({New[I], Was});
  }
  auto IsDone = [&](const SourceFunction *F) { return Done.contains(F); };
  llvm::erase_if(New, IsDone);
  llvm::erase_if(Gone, IsDone);
  return true;
}
