//===- lto/link/report/CopyReasons.cpp - Linked copies as a reason --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyReasons.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

namespace {

/// What one function costs.
struct Loss {
  const CopiesWithoutProfile::value_type *Of = nullptr;
  uint64_t Contexts = 0;
  Bytes Size;

  void add(Bytes More) {
    ++Contexts;
    Size += More;
  }
};

/// The first frame of \p C that no call of the link has where \p Walk ends;
/// nothing if it has all frames.
std::optional<uint64_t> unmatchedFrame(const ContextProgram &Program,
                                       ContextId C, const ContextWalk &Walk) {
  size_t Last = 0;
  for (const ContextWalk::Stop &S : Walk.Stops)
    Last = std::max(Last, S.Frame);
  const auto Frames = Program.stackIds(C);
  if (Last >= Frames.size())
    return std::nullopt;
  return raw(Frames[Last]);
}

void setOutcome(LinkPart &Part, ContextId C, Outcome Is) {
  EngineStatistics &Counts = Part.Result.Statistics;
  Outcome &Mine = Part.Result.Outcomes[C.index()];
  for (auto [O, Sign] : {std::pair(Mine, -1), std::pair(Is, 1)}) {
    Counts.ContextsByOutcome[static_cast<unsigned>(O)] += Sign;
    Counts.BytesByOutcome[static_cast<unsigned>(O)] +=
        Sign * static_cast<int64_t>(Part.Program[C].Size.count());
  }
  Mine = Is;
}

/// "f() of b.o (a.o has it with the profile)".
std::string describe(const Loss &L) {
  const auto &[Function, Copy] = *L.Of;
  return demangled(Function) + " of " + Copy.Linked + " (" + Copy.Profiled +
         " has it with the profile)";
}

} // namespace

static std::string warningOf(std::vector<Loss> Losses) {
  llvm::erase_if(Losses, [](const Loss &L) { return L.Contexts == 0; });
  if (Losses.empty())
    return "";
  llvm::sort(Losses, [](const Loss &A, const Loss &B) {
    return std::tie(B.Size, A.Of->first) < std::tie(A.Size, B.Of->first);
  });
  uint64_t Contexts = 0;
  Bytes Size;
  for (const Loss &L : Losses) {
    Contexts += L.Contexts;
    Size += L.Size;
  }
  constexpr size_t Shown = 3;
  std::vector<std::string> Functions;
  for (const Loss &L : ArrayRef(Losses).take_front(Shown))
    Functions.push_back(describe(L));
  if (Losses.size() > Shown)
    Functions.push_back(formatCount(Losses.size() - Shown, "more function"));
  return formatCount(Contexts, "cold context") + " (" + formatBytes(Size) +
         ") get" + (Contexts == 1 ? "s" : "") +
         " no hint, as the linker takes copies of inline functions from "
         "modules without the profile: " +
         join(Functions, ", ") +
         "; compile these modules with the profile, or name them after the "
         "others on the link line";
}

std::string thermocline::lto::nameCopies(MutableArrayRef<LinkPart> Parts,
                                         const CopiesWithoutProfile &Copies) {
  if (Copies.empty())
    return "";
  std::vector<Loss> Losses;
  std::unordered_map<uint64_t, size_t> CopyOfCall;
  for (const auto &Copy : Copies) {
    for (uint64_t Call : Copy.second.Calls)
      CopyOfCall.try_emplace(Call, Losses.size());
    Losses.emplace_back().Of = &Copy;
  }
  // A context is in several copies, and perhaps in what inlined one.
  std::unordered_set<uint64_t> Known;
  for (LinkPart &Part : Parts) {
    ContextWalker Walker(Part.Program, Part.Result.Decided);
    for (size_t I = 0; I != Part.Program.numContexts(); ++I) {
      const ContextId Id(static_cast<uint32_t>(I));
      const Context &C = Part.Program[Id];
      const bool IsNew = !C.FullStackId || Known.insert(C.FullStackId).second;
      if (Part.Result.Outcomes[I] != Outcome::UnmatchedFrame)
        continue;
      const std::optional<uint64_t> Frame = unmatchedFrame(
          Part.Program, Id, Walker.walk(Id, /*RanElsewhere=*/false));
      const auto Found = Frame ? CopyOfCall.find(*Frame) : CopyOfCall.end();
      if (Found == CopyOfCall.end())
        continue;
      setOutcome(Part, Id, Outcome::CopyWithoutProfile);
      if (IsNew)
        Losses[Found->second].add(C.Size);
    }
  }
  for (Loss &L : Losses)
    for (auto [Id, Size] : L.Of->second.Cold)
      if (!Id || Known.insert(Id).second)
        L.add(Size);
  return warningOf(std::move(Losses));
}
