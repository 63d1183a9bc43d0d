//===- bench/thinlink/Lowering.cpp - Functions after inlining -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::bench;

/// Calls inlined into one another, unless their callee is inlined everywhere.
static constexpr size_t MaxInlineDepth = 3;

namespace {

/// A body in the course of being copied.
struct Copy {
  SourceFunctionId Function;
  size_t NextCall = 0;
};

} // namespace

/// In copies of an inlined function, inliners decide anew; here one in four of
/// the calls that the function itself has inlined is left.
static bool isInlined(const SourceProgram &P, SourceFunctionId Root,
                      SourceCallId Call, size_t Depth) {
  const SourceCall &C = P[Call];
  if (P[C.Targets.front()].AlwaysInlined)
    return true;
  if (!C.Inlined || Depth >= MaxInlineDepth)
    return false;
  return Depth == 0 || (raw(C.Frame) ^ Root.index()) % 4 != 0;
}

static ArrayRef<SourceContext>
contextsThrough(const SourceProgram &P, const SourceAllocation &A,
                ArrayRef<SourceCallId> InlinedAt) {
  ArrayRef<SourceContext> All =
      P.contexts().slice(A.FirstContext, A.NumContexts);
  // They are sorted by their calls.
  auto Front = [&](const SourceContext &C) {
    return P.calls(C).take_front(InlinedAt.size());
  };
  auto Less = [](ArrayRef<SourceCallId> X, ArrayRef<SourceCallId> Y) {
    return std::lexicographical_compare(X.begin(), X.end(), Y.begin(), Y.end());
  };
  const auto *Begin = partition_point(
      All, [&](const SourceContext &C) { return Less(Front(C), InlinedAt); });
  const auto *End =
      std::partition_point(Begin, All.end(), [&](const SourceContext &C) {
        return !Less(InlinedAt, Front(C));
      });
  return ArrayRef(Begin, End);
}

LoweredFunction thermocline::bench::lower(const SourceProgram &P,
                                          SourceFunctionId Root) {
  LoweredFunction Result;
  SmallVector<Copy, 4> Copies;
  // Innermost last, as long as Copies without the first.
  SmallVector<SourceCallId, 4> InlinedAt;
  auto Frames = [&](StackId Own) {
    SmallVector<StackId, 2> Ids = {Own};
    for (SourceCallId C : reverse(InlinedAt))
      Ids.push_back(P[C].Frame);
    return Ids;
  };
  auto Enter = [&](SourceFunctionId F) {
    Copies.push_back({F});
    Result.Filler += P[F].Filler;
    SmallVector<SourceCallId, 4> Through(InlinedAt.rbegin(), InlinedAt.rend());
    bool Recorded =
        none_of(InlinedAt, [&](SourceCallId C) { return P[C].Unrecorded; });
    for (SourceAllocationId A : P[F].Allocations) {
      ArrayRef<SourceContext> Contexts;
      if (Recorded)
        Contexts = contextsThrough(P, P[A], Through);
      Result.Allocations.push_back({A, Frames(P[A].Frame), Contexts});
    }
  };
  Enter(Root);
  while (!Copies.empty()) {
    Copy &At = Copies.back();
    ArrayRef<SourceCallId> Calls = P[At.Function].Calls;
    if (At.NextCall == Calls.size()) {
      Copies.pop_back();
      if (!InlinedAt.empty())
        InlinedAt.pop_back();
      continue;
    }
    SourceCallId Call = Calls[At.NextCall++];
    if (isInlined(P, Root, Call, InlinedAt.size())) {
      InlinedAt.push_back(Call);
      Enter(P[Call].Targets.front());
      continue;
    }
    auto HasRecord = [&](SourceCallId C) {
      return P[C].Profiled && !P[C].Unrecorded;
    };
    bool Profiled = HasRecord(Call) && all_of(InlinedAt, HasRecord);
    Result.Calls.push_back({Call, Frames(P[Call].Frame), Profiled});
  }
  return Result;
}

std::string thermocline::bench::symbolName(const SourceProgram &P,
                                           SourceFunctionId F) {
  if (F == SourceProgram::Main)
    return "main";
  std::string Number = std::to_string(F.index());
  // As clang's -funique-internal-linkage-names names it.
  return "f" + Number + (P[F].Local ? ".__uniq." + Number : "");
}
