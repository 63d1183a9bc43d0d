//===- bench/thinlink/SourceProgram.cpp - Programs as written -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceProgram.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <random>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::bench;

/// Steps to the same layer or above in one context.
static constexpr unsigned MaxRecursiveSteps = 4;
/// Sorts of calls of which any two make a context cold.
static constexpr unsigned NumCombinations = 4;

static uint32_t defaultColdPerMille(ColdBy Cold) {
  switch (Cold) {
  case ColdBy::Callsites:
    return 50;
  case ColdBy::Allocation:
    return 400;
  case ColdBy::Combinations:
    return 150;
  case ColdBy::Random:
    return 500;
  }
  llvm_unreachable("not a way to be cold");
}

/// Frames of calls and allocations look like those of LLVM: hashes.
static StackId frame(uint64_t Seed, uint64_t Kind, uint64_t Number) {
  uint64_t Key[] = {Seed, Kind, Number};
  return StackId(xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(Key), sizeof(Key))));
}

class SourceProgram::Builder {
public:
  explicit Builder(SourceProgram &P) : P(P), O(P.Options), Engine(O.Seed) {}

  void build() {
    addFunctions();
    addAllocations();
    // Upwards, as a call may be inlined or not for what is below it.
    for (uint32_t Layer = O.Layers - 1; Layer-- > 0;)
      for (uint32_t I = 0; I != widthOf(Layer); ++I)
        addCalls(at(Layer, I));
    for (uint32_t I = 0; I != widthOf(0); ++I)
      addCall(SourceProgram::Main, {at(0, I)});
    inlineMainsCalls();
    if (O.LocalPerMille)
      makeLocal();
    markCalls();
    walk();
    sortContexts();
    measureContexts();
  }

private:
  uint64_t below(uint64_t N) { return Engine() % N; }
  bool dice(uint32_t PerMille) { return below(1000) < PerMille; }

  uint32_t widthOf(uint32_t Layer) const {
    return Layer + 1 == O.Layers ? std::min(O.Width, O.Allocations) : O.Width;
  }
  SourceFunctionId at(uint32_t Layer, uint32_t I) const {
    return SourceFunctionId(1 + Layer * O.Width + I);
  }
  SourceFunction &operator[](SourceFunctionId F) {
    return P.Functions[F.index()];
  }

  void addFunctions() {
    P.Functions.emplace_back();
    for (uint32_t Layer = 0; Layer != O.Layers; ++Layer)
      for (uint32_t I = 0; I != widthOf(Layer); ++I) {
        SourceFunction F;
        F.Layer = Layer;
        F.Module = I % O.Modules;
        F.Filler = 2 + below(30);
        bool Last = Layer + 1 == O.Layers;
        // One in the layer is left that any call may reach.
        F.AlwaysInlined = Last && I != 0 && dice(O.InlinedPerMille);
        TailCalls.push_back(!Last && dice(O.TailPerMille));
        // Nothing is asked of the dice for what there is not, so that other
        // programs stay what they were.
        F.Edited = !Last && O.EditedPerMille && dice(O.EditedPerMille);
        F.Native = !Last && !F.Edited && !TailCalls.back() &&
                   O.NativePerMille && dice(O.NativePerMille);
        P.Functions.push_back(F);
      }
  }

  void addAllocations() {
    for (uint32_t I = 0; I != O.Allocations; ++I) {
      SourceAllocation A;
      A.Owner = at(O.Layers - 1, I % widthOf(O.Layers - 1));
      A.Frame = frame(O.Seed, 0, I);
      A.Cold = O.Cold == ColdBy::Allocation && dice(ColdPerMille);
      (*this)[A.Owner].Allocations.push_back(SourceAllocationId(I));
      P.Allocations.push_back(A);
    }
  }

  SourceCall &addCall(SourceFunctionId Caller,
                      SmallVector<SourceFunctionId, 1> Targets) {
    SourceCall C;
    C.Caller = Caller;
    C.Targets = std::move(Targets);
    C.Unrecorded = (*this)[Caller].Edited || (*this)[Caller].Native;
    if ((*this)[Caller].Native)
      callFromOutside(C.Targets);
    C.Frame = frame(O.Seed, 1, P.Calls.size());
    (*this)[Caller].Calls.push_back(SourceCallId(P.Calls.size()));
    P.Calls.push_back(C);
    return P.Calls.back();
  }

  void callFromOutside(ArrayRef<SourceFunctionId> Targets) {
    for (SourceFunctionId F : Targets)
      (*this)[F].CalledFromOutside = true;
  }

  bool makesTailCall(SourceFunctionId F) const {
    return TailCalls[F.index() - 1];
  }

  /// A function of \p Layer that \p Accept likes, searched from a random one.
  template <typename Predicate>
  SourceFunctionId pick(uint32_t Layer, Predicate Accept) {
    uint32_t Width = widthOf(Layer), From = below(Width);
    for (uint32_t I = 0; I != Width; ++I)
      if (SourceFunctionId F = at(Layer, (From + I) % Width); Accept(F))
        return F;
    return SourceFunctionId::none();
  }

  void addCalls(SourceFunctionId Caller) {
    uint32_t Layer = (*this)[Caller].Layer, Module = (*this)[Caller].Module;
    auto NotInlined = [&](SourceFunctionId F) {
      return !(*this)[F].AlwaysInlined;
    };
    for (uint32_t I = 0; I != O.FanOut; ++I) {
      if (I + 1 == O.FanOut && makesTailCall(Caller)) {
        SourceCall &C = addCall(Caller, {pick(Layer + 1, NotInlined)});
        C.Tail = true;
        // It needs none.
        C.Unrecorded = false;
        continue;
      }
      // The first call always leads on, so that every walk ends.
      if (I != 0 && dice(O.RecursivePerMille)) {
        uint32_t To = Layer - std::min<uint32_t>(Layer, below(3));
        SourceFunctionId Target = below(2) ? Caller : pick(To, NotInlined);
        addCall(Caller, {Target}).Recursive = true;
        continue;
      }
      if (O.VirtualPerMille && dice(O.VirtualPerMille) && addIndirect(Caller)) {
        SourceCall &C = P.Calls.back();
        C.Virtual = C.Unrecorded = true;
        callFromOutside(C.Targets);
        continue;
      }
      if (dice(O.IndirectPerMille) && addIndirect(Caller))
        continue;
      if (dice(O.InlinedPerMille) && addInlined(Caller))
        continue;
      SourceFunctionId Target = pick(Layer + 1, [&](SourceFunctionId F) {
        return NotInlined(F) ||
               ((*this)[F].Module == Module && !(*this)[Caller].Native);
      });
      SourceCall &C = addCall(Caller, {Target});
      if ((*this)[Target].AlwaysInlined) {
        C.Inlined = true;
        (*this)[Caller].HasAllocationInlined = true;
      }
    }
  }

  bool addIndirect(SourceFunctionId Caller) {
    SmallVector<SourceFunctionId, 1> Targets;
    for (uint64_t N = 2 + below(2); N != 0; --N)
      if (auto F = pick((*this)[Caller].Layer + 1, [&](SourceFunctionId F) {
            return !(*this)[F].AlwaysInlined && !makesTailCall(F) &&
                   !is_contained(Targets, F);
          }))
        Targets.push_back(F);
    if (Targets.size() < 2)
      return false;
    SourceCall &C = addCall(Caller, Targets);
    C.Indirect = true;
    if (O.UnnamedPerMille && Targets.size() == 3 && dice(O.UnnamedPerMille)) {
      C.Unnamed = Targets.back();
      callFromOutside(C.Unnamed);
    }
    return true;
  }

  /// Only calls within a module are inlined before the link.
  bool mayBeInlined(SourceFunctionId F, uint32_t Module) {
    return (*this)[F].Module == Module && !(*this)[F].AlwaysInlined &&
           !(*this)[F].Native && !(*this)[F].HasAllocationInlined &&
           !makesTailCall(F);
  }

  bool addInlined(SourceFunctionId Caller) {
    SourceFunction &F = (*this)[Caller];
    // A copy of an allocation in a function that has an own copy as well would
    // get contexts of the other.
    if (F.Layer + 2 == O.Layers || F.Native)
      return false;
    SourceFunctionId Target = pick(F.Layer + 1, [&](SourceFunctionId To) {
      return mayBeInlined(To, F.Module);
    });
    if (!Target)
      return false;
    addCall(Caller, {Target}).Inlined = true;
    return true;
  }

  void inlineMainsCalls() {
    for (SourceCallId C : (*this)[SourceProgram::Main].Calls)
      if (dice(O.InlinedPerMille) && O.Layers > 1)
        P.Calls[C.index()].Inlined =
            mayBeInlined(P.Calls[C.index()].Targets[0], 0);
  }

  void makeLocal() {
    std::vector<bool> ByPointer(P.Functions.size(), false), Else = ByPointer;
    for (const SourceCall &C : P.Calls)
      for (SourceFunctionId F : C.Targets)
        (C.Indirect && !C.Virtual ? ByPointer : Else)[F.index()] = true;
    for (size_t I = 0; I != P.Functions.size(); ++I)
      if (SourceFunction &F = P.Functions[I];
          ByPointer[I] && !Else[I] && !F.CalledFromOutside && !F.Native)
        F.Local = dice(O.LocalPerMille);
  }

  /// Says which calls make contexts cold.
  void markCalls() {
    Marks.resize(P.Calls.size());
    if (O.Cold == ColdBy::Callsites || O.Cold == ColdBy::Combinations)
      for (uint8_t &Mark : Marks)
        Mark = dice(ColdPerMille) ? 1 + below(NumCombinations) : 0;
  }

  bool isCold(ArrayRef<SourceCallId> Frames, SourceAllocationId A) {
    switch (O.Cold) {
    case ColdBy::Callsites:
      return any_of(Frames, [&](SourceCallId C) { return Marks[C.index()]; });
    case ColdBy::Allocation:
      return P.Allocations[A.index()].Cold;
    case ColdBy::Combinations: {
      SourceCallId First[NumCombinations + 1];
      for (SourceCallId C : Frames) {
        unsigned Mark = Marks[C.index()];
        if (!Mark)
          continue;
        if (First[Mark] && First[Mark] != C)
          return true;
        First[Mark] = C;
      }
      return false;
    }
    case ColdBy::Random:
      return dice(ColdPerMille);
    }
    llvm_unreachable("not a way to be cold");
  }

  void walk() {
    std::vector<SourceCallId> Way;
    std::vector<SourceFunctionId> Reached;
    for (uint32_t I = 0; I != O.Contexts; ++I) {
      size_t Kept = 0;
      if (I != 0 && O.SharedPerMille != 0 && dice(O.SharedPerMille))
        Kept = Way.size() - std::min<size_t>(Way.size(), 1 + below(8));
      Way.resize(Kept);
      Reached.resize(Kept);
      SourceFunctionId F = Kept ? Reached.back() : SourceProgram::Main;
      unsigned RecursiveSteps = count_if(
          Way, [&](SourceCallId C) { return P.Calls[C.index()].Recursive; });
      while (!(*this)[F].Calls.empty()) {
        SourceCallId Id = (*this)[F].Calls[below((*this)[F].Calls.size())];
        const SourceCall &C = P.Calls[Id.index()];
        if (C.Recursive && RecursiveSteps++ == MaxRecursiveSteps) {
          RecursiveSteps = MaxRecursiveSteps;
          continue;
        }
        Way.push_back(Id);
        F = C.Targets[below(C.Targets.size())];
        Reached.push_back(F);
      }
      SourceContext Context;
      ArrayRef<SourceAllocationId> Ends = (*this)[F].Allocations;
      Context.Allocation = Ends[below(Ends.size())];
      Context.FirstCall = P.Frames.size();
      Context.NumCalls = Way.size();
      P.Frames.insert(P.Frames.end(), Way.rbegin(), Way.rend());
      P.Contexts.push_back(Context);
    }
  }

  void sortContexts() {
    auto Compare = [&](const SourceContext &A, const SourceContext &B) {
      ArrayRef<SourceCallId> X = P.calls(A), Y = P.calls(B);
      if (A.Allocation != B.Allocation)
        return A.Allocation < B.Allocation;
      return std::lexicographical_compare(X.begin(), X.end(), Y.begin(),
                                          Y.end());
    };
    auto Equal = [&](const SourceContext &A, const SourceContext &B) {
      return A.Allocation == B.Allocation && P.calls(A) == P.calls(B);
    };
    llvm::sort(P.Contexts, Compare);
    P.Contexts.erase(std::unique(P.Contexts.begin(), P.Contexts.end(), Equal),
                     P.Contexts.end());
  }

  void measureContexts() {
    // Zipf's law: the context of rank r has a share of 1/r of the largest.
    uint64_t N = P.Contexts.size();
    for (uint32_t I = 0; I != N; ++I) {
      SourceContext &C = P.Contexts[I];
      C.Size = Bytes(16 * (N / (1 + below(N))));
      C.Cold = isCold(P.calls(C), C.Allocation) && isRecorded(C);
      SourceAllocation &A = P.Allocations[C.Allocation.index()];
      if (A.NumContexts++ == 0)
        A.FirstContext = I;
      for (SourceCallId Call : P.calls(C))
        P.Calls[Call.index()].Profiled = !P.Calls[Call.index()].Tail;
    }
    mergeEqualStacks();
  }

  bool isRecorded(const SourceContext &Context) const {
    SourceFunctionId Callee = P[Context.Allocation].Owner;
    for (SourceCallId Id : P.calls(Context)) {
      const SourceCall &C = P[Id];
      if (C.Unrecorded || C.Unnamed == Callee)
        return false;
      Callee = C.Caller;
    }
    return true;
  }

  /// Where the stacks of several contexts are equal in a module summary, one
  /// that is not cold makes all of them not cold.
  void mergeEqualStacks() {
    if (O.RecursivePerMille == 0)
      return;
    DenseMap<uint64_t, bool> AllCold;
    for (const SourceContext &C : P.Contexts) {
      bool &All = AllCold.try_emplace(stackInSummary(C), true).first->second;
      All &= C.Cold;
    }
    for (SourceContext &C : P.Contexts)
      C.Cold = AllCold[stackInSummary(C)];
  }

  /// A hash of the allocation and the stack that a module summary has: LLVM
  /// leaves out a call that repeats the one before it.
  uint64_t stackInSummary(const SourceContext &C) const {
    SmallVector<uint32_t, 32> Stack = {C.Allocation.index()};
    for (SourceCallId Call : P.calls(C))
      if (!P[Call].Tail && (Stack.size() == 1 || Stack.back() != Call.index()))
        Stack.push_back(Call.index());
    return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Stack.data()),
                                Stack.size() * sizeof(uint32_t)));
  }

  SourceProgram &P;
  const ProgramOptions &O;
  const uint32_t ColdPerMille =
      O.ColdPerMille.value_or(defaultColdPerMille(O.Cold));
  std::mt19937_64 Engine;
  /// By function, without main.
  std::vector<bool> TailCalls;
  /// By call: which combination it belongs to; 0 for none.
  std::vector<uint8_t> Marks;
};

SourceProgram::SourceProgram(const ProgramOptions &Options) : Options(Options) {
  Builder(*this).build();
}
