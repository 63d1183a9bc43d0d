//===- lto/program/LinkedBinaries.cpp - A link's part of a profile --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkedBinaries.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;
using profile::BinaryContents;

/// Whether a bitcode of the link has the function, or had it.
static bool hasFunction(const CodeInventory &Code, uint64_t Function) {
  switch (Code.find(Function).Is) {
  case CodeInventory::Status::Linked:
  case CodeInventory::Status::Dead:
  case CodeInventory::Status::Inlined:
    return true;
  case CodeInventory::Status::Outside:
  case CodeInventory::Status::Unknown:
    return false;
  }
  llvm_unreachable("all states are listed");
}

/// What part of \p Functions the link with \p Code has.
static double shareOf(ArrayRef<uint64_t> Functions, const CodeInventory &Code) {
  const auto Had = count_if(Functions, [&](uint64_t Function) {
    return hasFunction(Code, Function);
  });
  return Functions.empty()
             ? 0
             : static_cast<double>(Had) / static_cast<double>(Functions.size());
}

/// The binaries whose share is above a half, or else the one with the largest,
/// if it is not 0.
static std::vector<const BinaryContents *>
largest(ArrayRef<std::pair<const BinaryContents *, double>> Shares) {
  std::vector<const BinaryContents *> Result;
  const BinaryContents *Best = nullptr;
  double BestShare = 0;
  for (const auto &[Binary, Share] : Shares) {
    if (Share > 0.5)
      Result.push_back(Binary);
    if (Share > BestShare) {
      Best = Binary;
      BestShare = Share;
    }
  }
  // Much may have been inlined before the link, or have changed.
  if (Result.empty() && Best)
    Result.push_back(Best);
  return Result;
}

/// The ones of \p Binaries that have contexts of \p Parts, or rather such as
/// none of the others has; all, if none has any.
static std::vector<const BinaryContents *>
withContextsOf(ArrayRef<const ContextProgram *> Parts,
               std::vector<const BinaryContents *> Binaries) {
  std::set<const BinaryContents *> WithAny, WithOwn;
  for (const ContextProgram *Part : Parts)
    for (size_t I = 0; I != Part->numContexts(); ++I) {
      const uint64_t Id =
          (*Part)[ContextId(static_cast<uint32_t>(I))].profileId();
      std::vector<const BinaryContents *> Holders;
      copy_if(Binaries, std::back_inserter(Holders),
              [&](const auto *B) { return B->Contexts.contains(Id); });
      WithAny.insert(Holders.begin(), Holders.end());
      if (Holders.size() == 1)
        WithOwn.insert(Holders.front());
    }
  const auto &Some = WithOwn.empty() ? WithAny : WithOwn;
  if (!Some.empty())
    llvm::erase_if(Binaries, [&](const auto *B) { return !Some.contains(B); });
  return Binaries;
}

/// Which of \p All the link with \p Code and the contexts of \p Parts makes.
static std::vector<const BinaryContents *>
findOwn(ArrayRef<const BinaryContents *> All, const CodeInventory &Code,
        ArrayRef<const ContextProgram *> Parts) {
  std::map<uint64_t, unsigned> NumBinaries;
  for (const BinaryContents *B : All)
    for (uint64_t Function : B->Functions)
      ++NumBinaries[Function];
  std::vector<std::pair<const BinaryContents *, double>> WithOwn, WithoutOwn;
  for (const BinaryContents *B : All) {
    const std::vector<uint64_t> Functions(B->Functions.begin(),
                                          B->Functions.end());
    std::vector<uint64_t> Only;
    copy_if(Functions, std::back_inserter(Only),
            [&](uint64_t Function) { return NumBinaries[Function] == 1; });
    if (Only.empty())
      WithoutOwn.push_back({B, shareOf(Functions, Code)});
    else
      WithOwn.push_back({B, shareOf(Only, Code)});
  }
  // A plugin may have nothing but functions whose names others have, too.
  std::vector<const BinaryContents *> Result = largest(WithOwn);
  return Result.empty() ? withContextsOf(Parts, largest(WithoutOwn)) : Result;
}

Expected<LinkedBinaries>
LinkedBinaries::of(const profile::IndexedProfile &Profile,
                   const CodeInventory &Code,
                   ArrayRef<const ContextProgram *> Parts) {
  Expected<profile::BinaryMap> Map = Profile.binaries();
  if (!Map)
    return Map.takeError();
  return among(*Map, Code, Parts);
}

LinkedBinaries LinkedBinaries::among(const profile::BinaryMap &Map,
                                     const CodeInventory &Code,
                                     ArrayRef<const ContextProgram *> Parts) {
  std::vector<const BinaryContents *> All;
  for (const auto &[Id, Contents] : Map.binaries())
    All.push_back(&Contents);
  const std::vector<const BinaryContents *> Own = findOwn(All, Code, Parts);
  LinkedBinaries Result;
  // A link of something else is told so by what it lacks of the profile.
  Result.IsPart = !Own.empty() && Own.size() != All.size();
  if (!Result.IsPart)
    return Result;
  for (const BinaryContents *B : All)
    if (!is_contained(Own, B)) {
      for (uint64_t Context : B->Contexts)
        Result.ContextsElsewhere.try_emplace(Context, B->Name);
      Result.FunctionsElsewhere.insert(B->Functions.begin(),
                                       B->Functions.end());
    }
  for (const BinaryContents *B : Own) {
    for (uint64_t Context : B->Contexts)
      Result.ContextsElsewhere.erase(Context);
    for (uint64_t Function : B->Functions)
      Result.FunctionsElsewhere.erase(Function);
  }
  return Result;
}

std::optional<StringRef>
LinkedBinaries::allocatedElsewhere(uint64_t FullStackId) const {
  auto Known = ContextsElsewhere.find(FullStackId);
  if (Known == ContextsElsewhere.end())
    return std::nullopt;
  return StringRef(Known->second);
}

void LinkedBinaries::refineOutcomes(const ContextProgram &Program,
                                    const profile::FrameTable &Frames,
                                    EngineResult &Result) const {
  if (!IsPart)
    return;
  std::unordered_set<uint64_t> Known;
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    for (StackId Frame : Program.stackIds(CallsiteId(I)))
      Known.insert(raw(Frame));
  for (size_t I = 0; I != Result.Outcomes.size(); ++I) {
    if (Result.Outcomes[I] != Outcome::UnmatchedFrame)
      continue;
    const ContextId Id(static_cast<uint32_t>(I));
    // Above the first frame that no call has, nothing was matched.
    size_t NumKnown = 0;
    const profile::FrameInfo *Info = nullptr;
    for (StackId Frame : Program.stackIds(Id)) {
      if (!Known.count(raw(Frame))) {
        Info = Frames.lookup(Frame);
        break;
      }
      ++NumKnown;
    }
    if (!Info || !FunctionsElsewhere.count(Info->Function))
      continue;
    // What calls of this link pass on may run in a copy elsewhere, too, but
    // they can be redirected.
    Result.Outcomes[I] =
        NumKnown == 0 && allocatedElsewhere(Program[Id].profileId())
            ? Outcome::RanInOtherBinary
            : Outcome::EntersFromElsewhere;
  }
}
