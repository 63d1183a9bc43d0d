//===- Edits/GapExplainer.h - What became of calls --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: calls between two that were paired were edited (CallAlignment.h).
// Find what became of those that contexts go through.
//
// First, the calls of then and of now are read in their order, and each has to
// be the same, or of another callee, or part of a function that was inlined or
// extracted. If there is one way to do so, it is taken. Otherwise calls are
// looked at one by one, in any order: what became of one is known if there is
// one way for it, and that takes no call which another one may have become.
//
// In either case no text must speak against it (CallEvidence.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ANNOTATE_EDITS_GAPEXPLAINER_H
#define THERMOCLINE_LIB_ANNOTATE_EDITS_GAPEXPLAINER_H

#include "FunctionOrigins.h"
#include "thermocline/Annotate/Edits/SourceFrame.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <vector>

namespace thermocline::annotate {

inline SourceFrame frameOf(llvm::GlobalValue::GUID Function,
                           const profile::SourceCall &Call) {
  return {Function, static_cast<uint32_t>(Call.Line) & 0xffff, Call.Column};
}

/// What became of calls of then.
struct Claim {
  enum class Kind : uint8_t {
    Same,
    /// It goes to a function that the program did not have.
    OtherCallee,
    /// What it called was inlined by hand.
    Inlined,
    /// They are in a function that the program did not have, and is called.
    Extracted,
  } Is;
  /// Numbers of calls, of which there are several of one kind alone.
  llvm::SmallVector<size_t, 4> Old;
  llvm::SmallVector<size_t, 4> New;
  /// The numbers of the calls inside of what was inlined or extracted, one for
  /// each of New or Old.
  llvm::SmallVector<size_t, 4> Inside = {};
};

/// The calls of the function \p Function.
struct CallsNow : SourceCalls {
  CallsNow(SourceCalls Calls, llvm::GlobalValue::GUID Function)
      : SourceCalls(Calls), Function(Function) {}

  llvm::GlobalValue::GUID Function;
};

/// Calls of functions that the program did not have, each in its function.
using WrapperCalls = std::vector<
    std::pair<const profile::SourceFunction *, const profile::SourceCall *>>;

class GapExplainer {
public:
  /// All must outlive this object.
  GapExplainer(const profile::CallTable &Then, const FunctionOrigins &Origins,
               IsProfiledCall IsProfiled)
      : Then(Then), Origins(Origins), IsProfiled(IsProfiled) {}

  /// What became of calls in \p Gap, between those of \p Was and \p Calls.
  std::vector<Claim> explain(const profile::SourceFunction &Was,
                             const CallsNow &Calls, const CallGap &Gap) const;

  /// The calls of new functions by which one of \p Wrapper leads to one of \p
  /// Callee, if there is one way. There may be several through what makes a
  /// smart pointer: each is for that. Else none.
  WrapperCalls callsThrough(uint64_t Wrapper, uint64_t Callee) const;

private:
  std::vector<Claim> nextInOrder(const profile::SourceFunction &Was,
                                 const CallsNow &Calls,
                                 llvm::ArrayRef<size_t> Old,
                                 llvm::ArrayRef<size_t> New) const;
  std::vector<Claim> explainInOrder(const profile::SourceFunction &Was,
                                    const CallsNow &Calls,
                                    const CallGap &Gap) const;
  std::vector<Claim> explainOneByOne(const profile::SourceFunction &Was,
                                     const CallsNow &Calls,
                                     const CallGap &Gap) const;
  bool keepsForItself(const profile::SourceCall &Wrapper,
                      uint64_t Callee) const;
  bool becomesOther(const profile::SourceCall &Before,
                    const profile::SourceCall &After,
                    llvm::GlobalValue::GUID Caller) const;
  /// Whether the call \p Inside of \p Helper, a new function that \p Outside
  /// of \p Caller calls, names what \p Before did, as far as is known: a
  /// parameter is what it gets.
  bool namesTheSame(const profile::SourceCall &Before,
                    const profile::SourceFunction &Helper,
                    const profile::SourceCall &Inside,
                    const profile::SourceCall &Outside,
                    llvm::GlobalValue::GUID Caller) const;
  void claimInlined(SourceCalls Was, SourceCalls Calls, size_t Old,
                    llvm::ArrayRef<size_t> Among, std::vector<Claim> &To) const;
  void claimExtracted(const profile::SourceFunction &Was, const CallsNow &Calls,
                      llvm::ArrayRef<size_t> Among, size_t New,
                      std::vector<Claim> &To) const;
  /// The calls between a function and another one.
  struct Ways {
    /// By each function, how many lead on.
    std::map<const profile::SourceFunction *, unsigned> Known = {};
    WrapperCalls Calls = {};
    /// Each call hands its result on, as far as is known.
    bool HandOn = true;
  };
  unsigned findCalls(const profile::SourceFunction &F, uint64_t Callee,
                     unsigned Depth, Ways &Found) const;

  const profile::CallTable &Then;
  const FunctionOrigins &Origins;
  const IsProfiledCall IsProfiled;
};

} // namespace thermocline::annotate

#endif
