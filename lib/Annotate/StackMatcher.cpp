//===- Annotate/StackMatcher.cpp - Finds calls in the profile -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/StackMatcher.h"
#include "thermocline/Profile/StackIds.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

Expected<FunctionProfile *> StackMatcher::lookup(GlobalValue::GUID Function) {
  if (auto Known = Profiles.find(Function); Known != Profiles.end())
    return Known->second.get();
  Expected<memprof::MemProfRecord> Record = Source.Record(Function);
  if (!Record)
    return Record.takeError();
  std::unique_ptr<FunctionProfile> Profile;
  if (!Record->AllocSites.empty() || !Record->CallSites.empty())
    Profile = std::make_unique<FunctionProfile>(
        Function, *Record, Source.Classify,
        Source.NeverPacked.contains(Function) ? 0 : Source.LeastToPack);
  return (Profiles[Function] = std::move(Profile)).get();
}

Expected<AllocationMatch>
StackMatcher::matchAllocation(const InlinedStack &Stack) {
  AllocationMatch Match;
  for (const SourceFrame &Frame : Stack) {
    Expected<FunctionProfile *> Profile = lookup(Frame.Function);
    if (!Profile)
      return Profile.takeError();
    uint64_t Id =
        *Profile ? (*Profile)->stackId(Frame)
                 : raw(profile::computeStackId(Frame.Function, Frame.LineOffset,
                                               Frame.Column));
    if (*Profile && (*Profile)->knows(Id))
      (*Profile)->noteSeen(Id);
    if (!Match.Leaf && *Profile && !(*Profile)->contexts().empty()) {
      Match.Outcome = MatchOutcome::PlaceNotProfiled;
      if (!(*Profile)->contextsWithPrefix(Id).empty())
        Match.Leaf = *Profile;
    }
    if (Match.Leaf)
      Match.Callsite.push_back(Id);
    else
      ++Match.SkippedFrames;
  }
  if (!Match.Leaf)
    return Match;
  Match.Contexts = Match.Leaf->contextsWithPrefix(Match.Callsite);
  Match.Outcome = Match.Contexts.empty() ? MatchOutcome::OtherCallers
                                         : MatchOutcome::Matched;
  return Match;
}

Expected<SmallVector<uint64_t, 8>>
StackMatcher::matchCall(const InlinedStack &Stack) {
  SmallVector<uint64_t, 8> Ids;
  bool AllKnown = true;
  for (const SourceFrame &Frame : Stack) {
    Expected<FunctionProfile *> Profile = lookup(Frame.Function);
    if (!Profile)
      return Profile.takeError();
    uint64_t Id = *Profile ? (*Profile)->stackId(Frame) : 0;
    if (*Profile && (*Profile)->knows(Id)) {
      (*Profile)->noteSeen(Id);
      Ids.push_back(Id);
    } else {
      AllKnown = false;
    }
  }
  if (!AllKnown)
    Ids.clear();
  return Ids;
}

Expected<ArrayRef<GlobalValue::GUID>>
StackMatcher::calleesOf(const InlinedStack &Stack) {
  if (Stack.empty())
    return ArrayRef<GlobalValue::GUID>();
  Expected<FunctionProfile *> Profile = lookup(Stack.front().Function);
  if (!Profile)
    return Profile.takeError();
  if (!*Profile)
    return ArrayRef<GlobalValue::GUID>();
  return (*Profile)->callees((*Profile)->stackId(Stack.front()));
}

Expected<AllocatedBy> StackMatcher::allocatedBy(const InlinedStack &Stack) {
  if (Stack.empty() || !Source.TellsAllocators)
    return AllocatedBy::Several;
  Expected<FunctionProfile *> Profile = lookup(Stack.front().Function);
  if (!Profile)
    return Profile.takeError();
  return *Profile ? (*Profile)->allocatedBy((*Profile)->stackId(Stack.front()))
                  : AllocatedBy::Several;
}

Error StackMatcher::noteOther(const InlinedStack &Stack, LeafFate Fate) {
  if (Stack.empty())
    return Error::success();
  Expected<FunctionProfile *> Profile = lookup(Stack.front().Function);
  if (!Profile)
    return Profile.takeError();
  if (*Profile && !(*Profile)->contexts().empty())
    (*Profile)->noteFate((*Profile)->stackId(Stack.front()), Fate);
  return Error::success();
}

void StackMatcher::forEachProfile(
    function_ref<void(const FunctionProfile &)> Visit) const {
  for (const auto &[Function, Profile] : Profiles)
    if (Profile)
      Visit(*Profile);
}
