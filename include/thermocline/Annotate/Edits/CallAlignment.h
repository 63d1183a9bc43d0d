//===- Edits/CallAlignment.h - Which call became which ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: given the calls that a function had and those that it has, find for
// each of now the one of then, or none. A wrong answer may make hot memory
// cold, and none only loses a hint. So two calls are a pair only if no other
// reading of the two lists is as good:
//
// 1. Calls of one callee in statements of the same text. If there are several,
//    those in the same conditions and loops, if there are as many then as now:
//    the first with the first, and so on. A line that moved is found. What had
//    to hold for the call must hold still, its result must go where it went,
//    and no call of the same text that was made under more conditions may have
//    come or gone.
// 2. The longest list of these that kept their order cuts the function into
//    gaps. What is left in a gap was edited. Two calls of one callee are a pair
//    if they are for the same (CallEvidence.h), and no other two of the gap
//    are; or no other two of the function.
// 3. Of calls through which many contexts go, cold ones and others, less has to
//    be the same: that they are given the same, for the same place, and are as
//    many; or isSameStep(), if no other two of the function are like that.
// 4. If the text is not known, all that is left are the callees: if a gap has
//    the same in the same order, or else where two calls are a pair in each
//    longest common subsequence.
// 5. Who asks may know what became of what is left in a gap.
//
// Cost: n log n for what did not change, the product of the lengths in gaps.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_EDITS_CALLALIGNMENT_H
#define THERMOCLINE_ANNOTATE_EDITS_CALLALIGNMENT_H

#include "thermocline/Profile/CallTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace thermocline::annotate {

using SourceCalls = llvm::ArrayRef<profile::SourceCall>;

/// Calls between two that were paired, which are not. There are some of then,
/// and some of now.
struct CallGap {
  std::vector<size_t> Then;
  std::vector<size_t> Now;
};

struct CallAlignment {
  /// For each present call, the number of the earlier call that it was.
  std::vector<std::optional<size_t>> Was;
  /// For each present call, whether it is a step on the way to all sorts of
  /// memory, and is known as such alone.
  std::vector<bool> IsStep;

  size_t numPairs() const;
};

/// What went through a call of then.
enum class CallTraffic {
  None,
  Contexts,
  /// Many contexts, cold ones and others, see CallTable::CommonCalls.
  Common
};

/// \p Explains is told of each gap that has calls of then and of now. \p
/// TrafficOf says what went through a call of then.
CallAlignment alignCalls(
    SourceCalls Then, SourceCalls Now,
    llvm::function_ref<void(const CallGap &)> Explains = nullptr,
    llvm::function_ref<CallTraffic(const profile::SourceCall &)> TrafficOf =
        nullptr);

/// \p Calls, which are those of \p Now, as if its local variables were called
/// as those of \p Was, if some were only renamed: there are as many in the same
/// order, and no name of then is that of another one. A call is given what is
/// known of the text of then if it is the same but for these names, and if as
/// many are as were.
std::vector<profile::SourceCall>
withLocalsNamed(const profile::SourceFunction &Was,
                const profile::SourceFunction &Now,
                std::vector<profile::SourceCall> Calls);

/// Whether all calls stand where they stood.
bool areSameCalls(SourceCalls Then, SourceCalls Now);

/// Whether the text of any of \p Calls is known.
bool isAnyTextKnown(SourceCalls Calls);

/// Whether calls that differ can be told apart: by their text, or, if that of
/// then or of now is not known, since callees and columns are what they were.
bool mayBeAligned(SourceCalls Then, SourceCalls Now);

} // namespace thermocline::annotate

#endif
