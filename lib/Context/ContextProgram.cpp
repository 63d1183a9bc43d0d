//===- Context/ContextProgram.cpp - What the engine decides on ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Context/ContextProgram.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

FunctionId ContextProgram::addFunction(StringRef Name, uint64_t Instructions,
                                       bool Clonable) {
  FunctionId Result(Functions.size());
  Function &F = Functions.emplace_back();
  F.Name = Name.str();
  F.Instructions = Instructions;
  F.Clonable = Clonable;
  return Result;
}

CallsiteId ContextProgram::addCallsite(FunctionId Caller, FunctionId Callee,
                                       Redirect Redirectable,
                                       ArrayRef<StackId> Ids) {
  CallsiteId Result(Callsites.size());
  Callsites.push_back({Caller, Callee, Redirectable,
                       static_cast<uint32_t>(StackIds.size()),
                       static_cast<uint32_t>(Ids.size())});
  StackIds.insert(StackIds.end(), Ids.begin(), Ids.end());
  Functions[Caller.index()].Callsites.push_back(Result);
  return Result;
}

AllocationId ContextProgram::addAllocation(FunctionId Owner) {
  AllocationId Result(Allocations.size());
  Allocations.push_back({Owner, static_cast<uint32_t>(Contexts.size()), 0});
  Functions[Owner.index()].Allocations.push_back(Result);
  return Result;
}

ContextId ContextProgram::addContext(Temperature Profiled, Bytes Size,
                                     uint64_t FullStackId,
                                     ArrayRef<StackId> Ids) {
  SmallVector<ContextFrame, 32> Stack;
  for (StackId Id : Ids)
    Stack.push_back(addFrame(Id));
  return addContextOf(Profiled, Size, FullStackId, Stack);
}

ContextId ContextProgram::addContextOf(Temperature Profiled, Bytes Size,
                                       uint64_t FullStackId,
                                       ArrayRef<ContextFrame> Stack) {
  assert(!Allocations.empty() && "a context belongs to an allocation");
  ContextId Result(Contexts.size());
  Contexts.push_back({AllocationId(Allocations.size() - 1), Profiled,
                      /*IsKnownByKey=*/false, CoarseWeight(), Size, FullStackId,
                      Stack.copy(Frames)});
  ++Allocations.back().NumContexts;
  return Result;
}

ContextFrame ContextProgram::addFrame(StackId Id) {
  auto SlotOf = [&](StackId Id) {
    return (raw(Id) * 0x9E3779B97F4A7C15u >> 32) & (FrameSlots.size() - 1);
  };
  auto Find = [&](StackId Id) {
    size_t Slot = SlotOf(Id);
    while (FrameSlots[Slot] && stackId(FrameSlots[Slot]) != Id)
      Slot = (Slot + 1) & (FrameSlots.size() - 1);
    return Slot;
  };
  // Half of the slots stay free.
  if (2 * FrameIds.size() >= FrameSlots.size()) {
    constexpr size_t LeastSlots = 64;
    FrameSlots.assign(std::max(2 * FrameSlots.size(), LeastSlots),
                      ContextFrame());
    for (size_t I = 0; I != FrameIds.size(); ++I)
      FrameSlots[Find(FrameIds[I])] = ContextFrame(I);
  }
  ContextFrame &Slot = FrameSlots[Find(Id)];
  if (!Slot) {
    Slot = ContextFrame(FrameIds.size());
    FrameIds.push_back(Id);
  }
  return Slot;
}

void ContextProgram::setPlace(AllocationId A, ArrayRef<StackId> Frames) {
  assert(A.index() < Allocations.size() && "no such allocation");
  if (Places.size() <= A.index())
    Places.resize(A.index() + 1);
  Places[A.index()] = Frames.vec();
}

void ContextProgram::setMeasures(ContextId C, const ContextMeasures &Measured) {
  if (Measures.size() <= C.index())
    Measures.resize(C.index() + 1);
  Measures[C.index()] = Measured;
}

void ContextProgram::completeWeights() {
  unsigned __int128 Size = 0, Sum = 0;
  for (const Context &C : Contexts)
    if (C.Profiled == Temperature::Cold && C.Weight.isKnown()) {
      Size += C.Size.count();
      Sum += static_cast<unsigned __int128>(C.Size.count()) * C.Weight.value();
    }
  if (!Size)
    return;
  auto Mean = CoarseWeight::of(static_cast<uint64_t>(Sum / Size));
  for (Context &C : Contexts)
    if (C.Profiled == Temperature::Cold && !C.Weight.isKnown())
      C.Weight = Mean;
}

uint64_t ContextProgram::benefit(ContextId I) const {
  const Context &C = (*this)[I];
  return SaturatingMultiply(std::max<uint64_t>(C.Size.count(), 1),
                            std::max<uint64_t>(C.Weight.value(), 1));
}

std::optional<Bytes> ContextProgram::savedBytes(ContextId I) const {
  const Context &C = (*this)[I];
  if (!WeightsAreSavings || !C.Weight.isKnown())
    return std::nullopt;
  return Bytes(SaturatingMultiply(C.Size.count(), C.Weight.value()) /
               WeightUnit);
}

void ContextProgram::setCallee(CallsiteId C, FunctionId Callee,
                               Redirect Redirectable) {
  Callsites[C.index()].Callee = Callee;
  Callsites[C.index()].Redirectable = Redirectable;
}
