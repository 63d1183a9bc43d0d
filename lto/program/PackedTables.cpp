//===- lto/program/PackedTables.cpp - Packed contexts of a link -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedTables.h"
#include "thermocline/Support/Errors.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

void PackedTables::add(StringRef Name) {
  if (std::optional<uint64_t> Id = annotate::packedIdOf(Name))
    Tables[*Id].Name = Name;
}

Error PackedTables::addContexts(annotate::NamedContexts Named,
                                ContextProgram &Program) {
  auto Reference = annotate::PackedReference::of(Named);
  if (!Reference)
    return createStringError("packed contexts: their format is not known; was "
                             "the module compiled by another version?");
  auto Found = Tables.find(Reference->Id);
  if (Found == Tables.end())
    return createStringError(
        "packed contexts: they are not in the module; was it compiled for "
        "another kind of LTO?");
  Table &T = Found->second;
  if (!T.Contexts) {
    Expected<std::string> Packed = annotate::packedIn(T.Name);
    if (!Packed)
      return Packed.takeError();
    auto Read = annotate::PackedContexts::read(*Packed);
    if (!Read)
      return Read.takeError();
    T.Contexts.emplace(std::move(*Read));
    T.Frames.resize(T.Contexts->numFrames());
    T.NumRead = 0;
  }
  // What is left of the stack so far without direct recursion; and how much of
  // that each frame and those before it are.
  const bool Folds = Program.foldsRecursion();
  std::vector<ContextFrame> Stack;
  std::vector<uint32_t> Sizes = {0};
  Error E = T.Contexts->unpack(
      Reference->Number, [&](const annotate::UnpackedContext &C) {
        Sizes.resize(C.NumShared + 1);
        Stack.resize(Sizes.back());
        for (uint32_t Number : C.Callers.drop_front(C.NumShared)) {
          ContextFrame &Frame = T.Frames[Number];
          if (!Frame)
            Frame = Program.addFrame(StackId(T.Contexts->stackId(Number)));
          if (!Folds || Stack.empty() || Stack.back() != Frame)
            Stack.push_back(Frame);
          Sizes.push_back(Stack.size());
        }
        ContextId Added = Program.addContextOf(C.IsCold ? Temperature::Cold
                                                        : Temperature::NotCold,
                                               C.Size, C.Key, Stack);
        Program.setWeight(Added, C.Weight);
        Program.setKnownByKey();
      });
  if (++T.NumRead == T.Contexts->numAllocations()) {
    T.Contexts.reset();
    T.Frames = {};
  }
  return E;
}
