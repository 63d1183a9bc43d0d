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
        auto Found = InOne.find(C.FullStackId);
        if (Found != InOne.end() && Found->second &&
            Profile.classify(C.FullStackId, C.Info, Thresholds).isCold())
          Result[Found->second] += C.Info.getTotalSize();
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
    BinaryShare &Share = Shares[&Has];
    for (uint64_t Function : Has.Functions)
      if (!OfSeveral.contains(Function)) {
        ++Share.NumOwnFunctions;
        if (Here.contains(Function))
          Share.OwnFunctions.insert(Function);
      }
    if (Share.OwnFunctions.empty())
      continue;
    OwnContexts.insert(Has.Contexts.begin(), Has.Contexts.end());
    OwnFunctions.insert(Has.Functions.begin(), Has.Functions.end());
  }
  Expected<profile::FrameTable> Frames = Profile.frames();
  if (!Frames)
    return Frames.takeError();
  for (const auto &[Id, Has] : Binaries.binaries()) {
    BinaryShare &Share = Shares[&Has];
    if (!Share.OwnFunctions.empty())
      continue;
    for (uint64_t Context : Cold.Ids)
      if (Has.Contexts.contains(Context) && !OwnContexts.contains(Context))
        Share.Contexts.insert(Context);
    for (uint64_t Frame : Cold.Frames)
      if (const profile::FrameInfo *Is = Frames->lookup(StackId(Frame));
          Is && Has.Functions.contains(Is->Function) &&
          !OwnFunctions.contains(Is->Function))
        Share.Frames.insert(Frame);
  }
  for (uint64_t Context : Cold.Ids)
    if (count_if(Binaries.binaries(), [&](const auto &Binary) {
          return Binary.second.Contexts.contains(Context);
        }) > 1)
      for (auto &[Has, Share] : Shares)
        if (Has->Contexts.contains(Context))
          Share.Shared.insert(Context);
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
    const BinaryShare &Share = Shares[&Has];
    if (Share.Contexts.empty() && Share.Frames.empty() &&
        none_of(Here, [&](uint64_t F) { return Has.Functions.contains(F); }))
      continue;
    for (uint64_t Number :
         {xxh3_64bits(Id), Bytes->count(&Has) ? Bytes->at(&Has) : 0,
          Share.NumOwnFunctions})
      putWord(Payload, Number);
    for (const auto *Numbers :
         {&Share.OwnFunctions, &Share.Contexts, &Share.Frames, &Share.Shared})
      putCounted(Payload, *Numbers);
  }
  if (Payload.size() != Empty)
    addNote(M, Form, Payload);
  return Error::success();
}

static void unite(std::set<uint64_t> &Sum, const std::set<uint64_t> &Added) {
  Sum.insert(Added.begin(), Added.end());
}

static void unite(BinaryShare &Sum, const BinaryShare &Added) {
  Sum.ColdBytes = Added.ColdBytes;
  Sum.NumOwnFunctions = Added.NumOwnFunctions;
  unite(Sum.OwnFunctions, Added.OwnFunctions);
  unite(Sum.Contexts, Added.Contexts);
  unite(Sum.Frames, Added.Frames);
  unite(Sum.Shared, Added.Shared);
}

Error BinaryShares::addIn(StringRef Name) {
  return readNote(Name, Form, [&](StringRef Payload) {
    WordReader Words(Payload);
    const std::optional<uint64_t> Checksum = Words.number();
    while (Checksum && !Words.empty()) {
      const std::optional<uint64_t> Key = Words.number(),
                                    Bytes = Words.number(),
                                    NumOwn = Words.number();
      BinaryShare Share;
      for (auto *Numbers :
           {&Share.OwnFunctions, &Share.Contexts, &Share.Frames, &Share.Shared})
        if (!Words.countedNumbers(*Numbers))
          return false;
      Share.ColdBytes = *Bytes;
      Share.NumOwnFunctions = *NumOwn;
      unite(ByProfile[*Checksum][*Key], Share);
    }
    return Checksum.has_value();
  });
}

void BinaryShares::add(const BinaryShares &Other) {
  for (const auto &[Checksum, Shares] : Other.ByProfile)
    for (const auto &[Key, Share] : Shares)
      unite(ByProfile[Checksum][Key], Share);
}

bool BinaryShares::anyCold(uint64_t ProfileChecksum) const {
  auto Shares = ByProfile.find(ProfileChecksum);
  return Shares != ByProfile.end() &&
         any_of(Shares->second, [](const auto &Entry) {
           return Entry.second.ColdBytes || !Entry.second.Shared.empty();
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
  for (const auto &[Key, Share] : Shares->second) {
    if (ShareOf(Share) > 0.5)
      Own.insert(&Share);
    if (ShareOf(Share) > (Best ? ShareOf(*Best) : 0))
      Best = &Share;
  }
  if (!Best)
    return std::nullopt;
  if (Own.empty())
    Own.insert(Best);
  Part Result;
  std::set<uint64_t> OwnFrames;
  for (const BinaryShare *Share : Own) {
    Result.ColdBytes += Share->ColdBytes;
    unite(OwnFrames, Share->Frames);
  }
  for (const auto &[Key, Share] : Shares->second) {
    unite(Result.OtherContexts, Share.Shared);
    if (Own.contains(&Share))
      continue;
    unite(Result.OtherContexts, Share.Contexts);
    for (uint64_t Frame : Share.Frames)
      if (!OwnFrames.contains(Frame))
        Result.OtherFrames.insert(Frame);
  }
  return Result;
}
