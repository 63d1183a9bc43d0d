//===- Annotate/BinaryShares.cpp - Parts of a profile ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/BinaryShares.h"
#include "thermocline/Annotate/Metadata/Basis.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using profile::BinaryContents;

static constexpr NoteForm Form = {"binaries", 1};

/// The bytes of the cold contexts that were allocated in one binary alone.
static Expected<std::map<const BinaryContents *, uint64_t>>
coldBytesOf(const profile::IndexedProfile &Profile,
            const profile::BinaryMap &Binaries,
            const profile::ColdThresholds &Thresholds) {
  std::map<uint64_t, const BinaryContents *> InOne;
  for (const auto &[Id, Has] : Binaries.binaries())
    for (uint64_t Context : Has.Contexts)
      if (auto [Known, New] = InOne.try_emplace(Context, &Has); !New)
        Known->second = nullptr;
  std::map<const BinaryContents *, uint64_t> Result;
  if (Error E = Profile.forEachContext([&](const profile::IndexedContext &C) {
        auto Of = InOne.find(C.FullStackId);
        if (Of != InOne.end() && Of->second &&
            Profile.classify(C.FullStackId, C.Info, Thresholds).isCold())
          Result[Of->second] += C.Info.getTotalSize();
      }))
    return std::move(E);
  return Result;
}

std::set<uint64_t>
annotate::functionsOfSeveral(const profile::BinaryMap &Binaries) {
  std::set<uint64_t> Any, Result;
  for (const auto &[Id, Has] : Binaries.binaries())
    for (uint64_t Function : Has.Functions)
      if (!Any.insert(Function).second)
        Result.insert(Function);
  return Result;
}

Error BinaryShares::note(Module &M, const profile::IndexedProfile &Profile,
                         const profile::BinaryMap &Binaries,
                         const profile::ColdThresholds &Thresholds,
                         const ColdContexts &Cold) {
  if (!Binaries.hasSeveral())
    return Error::success();
  const std::set<uint64_t> OfSeveral = functionsOfSeveral(Binaries);
  std::set<uint64_t> Here;
  for (const Function &F : M)
    if (!F.isDeclarationForLinker())
      Here.insert(profile::sourceGUID(F.getName()));

  std::map<const BinaryContents *, BinaryShare> Shares;
  std::set<uint64_t> OwnContexts, OwnFunctions;
  for (const auto &[Id, Has] : Binaries.binaries()) {
    BinaryShare &Of = Shares[&Has];
    for (uint64_t Function : Has.Functions)
      if (!OfSeveral.contains(Function)) {
        ++Of.NumOwnFunctions;
        if (Here.contains(Function))
          Of.OwnFunctions.insert(Function);
      }
    if (Of.OwnFunctions.empty())
      continue;
    OwnContexts.insert(Has.Contexts.begin(), Has.Contexts.end());
    OwnFunctions.insert(Has.Functions.begin(), Has.Functions.end());
  }
  Expected<profile::FrameTable> Frames = Profile.frames();
  if (!Frames)
    return Frames.takeError();
  for (const auto &[Id, Has] : Binaries.binaries()) {
    BinaryShare &Of = Shares[&Has];
    if (!Of.OwnFunctions.empty())
      continue;
    for (uint64_t Context : Cold.Ids)
      if (Has.Contexts.contains(Context) && !OwnContexts.contains(Context))
        Of.Contexts.insert(Context);
    for (uint64_t Frame : Cold.Frames)
      if (const profile::FrameInfo *Is = Frames->lookup(StackId(Frame));
          Is && Has.Functions.contains(Is->Function) &&
          !OwnFunctions.contains(Is->Function))
        Of.Frames.insert(Frame);
  }
  for (uint64_t Context : Cold.Ids)
    if (count_if(Binaries.binaries(), [&](const auto &Of) {
          return Of.second.Contexts.contains(Context);
        }) > 1)
      for (auto &[Has, Of] : Shares)
        if (Has->Contexts.contains(Context))
          Of.Shared.insert(Context);
  auto Bytes = coldBytesOf(Profile, Binaries, Thresholds);
  if (!Bytes)
    return Bytes.takeError();
  Expected<uint64_t> Checksum = Profile.checksum();
  if (!Checksum)
    return Checksum.takeError();

  std::string Payload;
  putWord(Payload, *Checksum & Basis::ChecksumMask);
  const size_t Empty = Payload.size();
  for (const auto &[Id, Has] : Binaries.binaries()) {
    const BinaryShare &Of = Shares[&Has];
    if (Of.Contexts.empty() && Of.Frames.empty() &&
        none_of(Here, [&](uint64_t F) { return Has.Functions.contains(F); }))
      continue;
    for (uint64_t Number :
         {xxh3_64bits(Id), Bytes->count(&Has) ? Bytes->at(&Has) : 0,
          Of.NumOwnFunctions})
      putWord(Payload, Number);
    for (const auto *Numbers :
         {&Of.OwnFunctions, &Of.Contexts, &Of.Frames, &Of.Shared})
      putCounted(Payload, *Numbers);
  }
  if (Payload.size() != Empty)
    addNote(M, Form, Payload);
  return Error::success();
}

static void unite(std::set<uint64_t> &Into, const std::set<uint64_t> &From) {
  Into.insert(From.begin(), From.end());
}

static void unite(BinaryShare &Into, const BinaryShare &From) {
  Into.ColdBytes = From.ColdBytes;
  Into.NumOwnFunctions = From.NumOwnFunctions;
  unite(Into.OwnFunctions, From.OwnFunctions);
  unite(Into.Contexts, From.Contexts);
  unite(Into.Frames, From.Frames);
  unite(Into.Shared, From.Shared);
}

Error BinaryShares::addIn(StringRef Name) {
  return readNote(Name, Form, [&](StringRef Payload) {
    WordReader Words(Payload);
    const std::optional<uint64_t> Checksum = Words.number();
    while (Checksum && !Words.empty()) {
      const std::optional<uint64_t> Key = Words.number(),
                                    Bytes = Words.number(),
                                    NumOwn = Words.number();
      BinaryShare Of;
      for (auto *Numbers :
           {&Of.OwnFunctions, &Of.Contexts, &Of.Frames, &Of.Shared})
        if (!Words.countedNumbers(*Numbers))
          return false;
      Of.ColdBytes = *Bytes;
      Of.NumOwnFunctions = *NumOwn;
      unite(ByProfile[*Checksum][*Key], Of);
    }
    return Checksum.has_value();
  });
}

void BinaryShares::add(const BinaryShares &Other) {
  for (const auto &[Checksum, Shares] : Other.ByProfile)
    for (const auto &[Key, Of] : Shares)
      unite(ByProfile[Checksum][Key], Of);
}

bool BinaryShares::anyCold(uint64_t ProfileChecksum) const {
  auto Shares = ByProfile.find(ProfileChecksum);
  return Shares != ByProfile.end() &&
         any_of(Shares->second, [](const auto &Of) {
           return Of.second.ColdBytes || !Of.second.Shared.empty();
         });
}

std::optional<BinaryShares::Part>
BinaryShares::part(uint64_t ProfileChecksum) const {
  auto Shares = ByProfile.find(ProfileChecksum);
  if (Shares == ByProfile.end())
    return std::nullopt;
  auto ShareOf = [](const BinaryShare &B) {
    return B.NumOwnFunctions ? static_cast<double>(B.OwnFunctions.size()) /
                                   static_cast<double>(B.NumOwnFunctions)
                             : 0;
  };
  // As LinkedBinaries finds them, which has the profile.
  std::set<const BinaryShare *> Own;
  const BinaryShare *Best = nullptr;
  for (const auto &[Key, Of] : Shares->second) {
    if (ShareOf(Of) > 0.5)
      Own.insert(&Of);
    if (ShareOf(Of) > (Best ? ShareOf(*Best) : 0))
      Best = &Of;
  }
  if (!Best)
    return std::nullopt;
  if (Own.empty())
    Own.insert(Best);
  Part Result;
  std::set<uint64_t> OwnFrames;
  for (const BinaryShare *Of : Own) {
    Result.ColdBytes += Of->ColdBytes;
    unite(OwnFrames, Of->Frames);
  }
  for (const auto &[Key, Of] : Shares->second) {
    unite(Result.OtherContexts, Of.Shared);
    if (Own.contains(&Of))
      continue;
    unite(Result.OtherContexts, Of.Contexts);
    for (uint64_t Frame : Of.Frames)
      if (!OwnFrames.contains(Frame))
        Result.OtherFrames.insert(Frame);
  }
  return Result;
}
