//===- Report/ExplainContext.cpp - One context, in words ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainContext.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

StringRef report::unmatchedAdvice() {
  return "Either the source has changed since the profile, or the caller was "
         "built without it: profile again and build all of the link with that "
         "profile. A call through a pointer without a value profile leaves no "
         "record either: give PGO counters and heap profile together.";
}

namespace {

/// The way that a context takes, from the allocation upwards.
struct Way {
  /// Indices of stops, and of the step from each but the last to the next.
  std::vector<size_t> Stops;
  std::vector<size_t> Steps;
  /// Whether others are possible: copies of a call, or several tail calls.
  bool IsOneOfSeveral = false;
};

/// Chooses a way that is complete, if there is one; else the one that goes
/// furthest.
Way chooseWay(const ContextWalk &Walk) {
  // The step by which each stop is reached first, from a stop of those that
  // count: a search from the allocation that knows the way back.
  bool Matched = Walk.Judged.Matched;
  std::vector<size_t> Via(Walk.Stops.size(), SIZE_MAX);
  std::vector<bool> Seen(Walk.Stops.size());
  std::vector<size_t> Queue = {0};
  Seen[0] = true;
  Way Result;
  for (size_t Next = 0; Next != Queue.size(); ++Next) {
    size_t Above = 0;
    for (auto [I, S] : enumerate(Walk.Steps)) {
      if (S.Below != Queue[Next] || S.Above == S.Below ||
          (Matched && !Walk.Stops[S.Above].Alive))
        continue;
      if (!Seen[S.Above]) {
        Seen[S.Above] = true;
        Via[S.Above] = I;
        Queue.push_back(S.Above);
      }
      ++Above;
    }
    Result.IsOneOfSeveral |= Above > 1;
  }
  auto isTop = [&](size_t S) {
    return Walk.Stops[S].Begins || Walk.Stops[S].Unrecorded;
  };
  size_t Top = 0;
  for (size_t S : Queue)
    if (Walk.Stops[S].Frame > Walk.Stops[Top].Frame ||
        (isTop(S) && !isTop(Top)))
      Top = S;
  for (size_t S = Top;; S = Walk.Steps[Via[S]].Below) {
    Result.Stops.push_back(S);
    if (S == 0)
      break;
    Result.Steps.push_back(Via[S]);
  }
  std::reverse(Result.Stops.begin(), Result.Stops.end());
  std::reverse(Result.Steps.begin(), Result.Steps.end());
  return Result;
}

class ContextExplainer {
public:
  ContextExplainer(const LinkView &View, const PartView &Part, ContextId Id,
                   raw_ostream &OS)
      : View(View), Part(Part), Program(Part.program()), Id(Id),
        IsCold(Program[Id].Profiled == Temperature::Cold), OS(OS),
        Walk(ContextWalker(Program, Part.from().Decided)
                 .walk(Id,
                       Part.from().Audited.Contexts[Id.index()].RanElsewhere)),
        Chosen(chooseWay(Walk)) {}

  void run(const ReportContext &Reported) {
    writeHeadline(Reported);
    writeWay();
    writeReason(Reported);
  }

private:
  void writeHeadline(const ReportContext &Reported);
  void writeWay();
  void writeReason(const ReportContext &Reported);
  std::string engineReason(Outcome Why, const ReportContext &Reported) const;
  std::string whyNotClonable() const;
  std::string whyEnteredAgain() const;
  std::string whyInlined() const;
  std::string whyUnmatched() const;
  std::string whyEntered() const;
  std::string whyColliding(const ReportContext &Reported) const;
  /// \returns the first step of the way that matches, or null.
  const ContextWalk::Step *
  firstStep(function_ref<bool(const ContextWalk::Step &)> Matches) const;
  std::string placeOfCall(Redirect Kind) const;
  std::string versionsOf(const ContextWalk::Stop &S) const;
  std::set<uint32_t> others(const ContextWalk::Stop &S) const;
  std::string frame(size_t Index) const {
    return frameText(describeFrame(Part.from(), Program.stackIds(Id)[Index]));
  }
  /// The last stop of the way.
  const ContextWalk::Stop &top() const {
    return Walk.Stops[Chosen.Stops.back()];
  }
  /// \returns whether no frame is above the way.
  bool isWhole() const { return top().Frame == Program.stackIds(Id).size(); }
  StringRef opposite() const { return IsCold ? "not-cold" : "cold"; }

  const LinkView &View;
  const PartView &Part;
  const ContextProgram &Program;
  const ContextId Id;
  const bool IsCold;
  raw_ostream &OS;
  const ContextWalk Walk;
  const Way Chosen;
};

void ContextExplainer::writeHeadline(const ReportContext &Reported) {
  OS << "context " << Reported.Id.index() << ": "
     << (IsCold ? "cold" : "not cold") << ", " << formatBytes(Reported.Size);
  if (Reported.FullStackId)
    OS << ", id " << hexText(Reported.FullStackId);
  OS << ", allocated in " << Reported.Owner;
  if (!Reported.Place.empty())
    OS << ", at " << framesText(Reported.Place);
  OS << '\n';
  OS << "  " << (IsCold ? "profiled cold, " : "profiled not cold, ")
     << (Reported.hintedCold() ? "and hinted cold" : "and not hinted");
  if (IsCold && !Reported.hintedCold())
    OS << ": " << Reported.Outcome;
  OS << '\n';
}

std::string ContextExplainer::versionsOf(const ContextWalk::Stop &S) const {
  if (S.Versions.count() == 1)
    return versionText(S.Versions.find_first());
  std::string Result;
  for (unsigned V : S.Versions.set_bits())
    Result += (Result.empty() ? "versions " : ", ") + std::to_string(V);
  return Result.empty() ? "no version" : Result;
}

/// The contexts of the same allocation, of the other temperature, that run in a
/// version of \p S that this context runs in.
std::set<uint32_t> ContextExplainer::others(const ContextWalk::Stop &S) const {
  std::set<uint32_t> Result;
  for (unsigned V : S.Versions.set_bits())
    for (uint32_t Number : Part.through(S.Function, V).Contexts) {
      const Context &C = Program[Part.context(Number)];
      if (C.Allocation == Program[Id].Allocation &&
          (C.Profiled == Temperature::Cold) != IsCold)
        Result.insert(Number);
    }
  return Result;
}

void ContextExplainer::writeWay() {
  if (Chosen.IsOneOfSeveral)
    OS << "  One of several ways that match its frames";
  else
    OS << "  Its path";
  OS << ", from the outermost known call down to the allocation:\n";
  std::set<uint32_t> Before;
  for (size_t I = Chosen.Stops.size(); I-- > 0;) {
    const ContextWalk::Stop &S = Walk.Stops[Chosen.Stops[I]];
    OS << "    " << Part.name(S.Function) << ", " << versionsOf(S);
    if (S.Begins)
      OS << ", whoever calls it";
    else if (S.Unrecorded && I + 1 == Chosen.Stops.size())
      OS << ", by a call without a record";
    if (I == 0)
      OS << ", where it is allocated";
    OS << '\n';
    std::set<uint32_t> Here = others(S);
    std::vector<uint32_t> Parted;
    for (uint32_t Number : Before)
      if (!Here.count(Number))
        Parted.push_back(Number);
    if (!Parted.empty()) {
      OS << "      here it parts from "
         << formatCount(Parted.size(), (opposite() + " context").str())
         << " of the same allocation:\n";
      listContexts(View, Parted, "        ", OS);
    }
    Before = std::move(Here);
    if (I)
      OS << "      calls, at "
         << Part.place(Walk.Steps[Chosen.Steps[I - 1]].Via) << ",\n";
  }
  if (!Before.empty())
    OS << "  In the same version of the allocation: "
       << formatCount(Before.size(), (opposite() + " context").str())
       << " of it\n";
}

void ContextExplainer::writeReason(const ReportContext &Reported) {
  if (const EngineResult *Engine = Part.from().Engine) {
    const std::string Why =
        engineReason(Engine->Outcomes[Id.index()], Reported);
    if (!Why.empty())
      OS << "  Why: " << Why << '\n';
    return;
  }
  if (!IsCold || Reported.hintedCold())
    return;
  OS << "  Why: these decisions are not those that Thermocline makes with the "
        "given options, so their reasons are not known. ";
  if (Reported.Audited.ReachesCold)
    OS << "Some of the ways that match its frames reach the hint, others do "
          "not.";
  else if (Reported.Audited.Separable)
    OS << "All its calls may be redirected: a better decision exists.";
  else
    OS << "One of its calls cannot be redirected, or is not in the link.";
  OS << '\n';
}

const ContextWalk::Step *ContextExplainer::firstStep(
    function_ref<bool(const ContextWalk::Step &)> Matches) const {
  for (size_t S : Chosen.Steps)
    if (Matches(Walk.Steps[S]))
      return &Walk.Steps[S];
  return nullptr;
}

/// \returns where the first call of the way is that is redirected so.
std::string ContextExplainer::placeOfCall(Redirect Kind) const {
  if (const auto *Found = firstStep([&](const ContextWalk::Step &S) {
        return Program[S.Via].Redirectable == Kind;
      }))
    return Part.place(Found->Via);
  // The call itself has no known callee: the way ends below it.
  return isWhole() ? "a call" : frame(top().Frame);
}

std::string ContextExplainer::whyNotClonable() const {
  for (size_t S : Chosen.Stops)
    if (FunctionId F = Walk.Stops[S].Function; !Program[F].Clonable)
      return Part.name(F) +
             " cannot be cloned: another definition may replace it at run "
             "time, or its body cannot be repeated.";
  return "a function on its way cannot be cloned.";
}

std::string ContextExplainer::whyEnteredAgain() const {
  const ContextWalk::Step *Again = firstStep(
      [&](const ContextWalk::Step &S) { return Program[S.Via].MayEnterAgain; });
  if (!Again)
    return "";
  return Part.name(Program[Again->Via].Callee) +
         " may be entered again by a tail call through a pointer, which leaves "
         "no frame and reaches the original.";
}

std::string ContextExplainer::whyInlined() const {
  return Part.name(top().Function) + " is inline, and its call" +
         (isWhole() ? "" : " at " + frame(top().Frame)) +
         " has no record: where that is native code, or was edited since, it "
         "may have the function inlined, which then calls originals. Build "
         "the caller with -flto=thin and the profile.";
}

std::string ContextExplainer::whyUnmatched() const {
  const std::string Missing = isWhole()
                                  ? "above " + Part.name(top().Function)
                                  : frame(top().Frame) + ", which would call " +
                                        Part.name(top().Function);
  return "no call in the link has its frame " + Missing + ". " +
         unmatchedAdvice().str();
}

std::string ContextExplainer::whyEntered() const {
  const std::string Place = isWhole() ? "" : ", at " + frame(top().Frame);
  return "another binary of the process calls " + Part.name(top().Function) +
         Place +
         ". This link cannot redirect that call, and contexts that are not "
         "cold come in from there as well. Let the callers use two functions, "
         "or link both binaries into one.";
}

std::string
ContextExplainer::whyColliding(const ReportContext &Reported) const {
  std::string Other = "contexts that are not cold";
  if (Reported.CollidesWith) {
    const std::string Number = std::to_string(Reported.CollidesWith.index());
    Other = "context " + Number + ", which is not cold (thermo-lto explain " +
            Number + ")";
  }
  return "its frames do not tell it from " + Other +
         ". Deeper stacks in the profile may "
         "(MEMPROF_OPTIONS=malloc_context_size=N), or allow as many not-cold "
         "bytes to be hinted with --thinlto-memprof-max-false-cold=BYTES.";
}

/// \returns the reason as a clause; empty if there is nothing to explain.
std::string
ContextExplainer::engineReason(Outcome Why,
                               const ReportContext &Reported) const {
  switch (Why) {
  case Outcome::KeptNotCold:
  case Outcome::HintedCold:
    return "";
  case Outcome::HintedIfPointer:
    return "it allocates through a pointer, which the program compares with "
           "the allocation functions of its type, and the profile does not say "
           "that it leads to one of them; or by an operator new that the "
           "program may have defined itself.";
  case Outcome::HintedIfNotAgain:
    return whyEnteredAgain();
  case Outcome::HintedIfNotInlined:
    return whyInlined();
  case Outcome::Redefined:
    return "--wrap, --defsym or a linker script redefines the allocation "
           "function, and a hinted call would bypass that.";
  case Outcome::NoVariant:
    return "the link does not define the cold variant that the program names.";
  case Outcome::OwnHint:
    return "the program passes a hint to operator new itself. "
           "--thinlto-memprof-own-hints=cold lets the profile decide.";
  case Outcome::ChosenAtStart:
    return Part.name(top().Function) +
           " is one of several functions that the resolver of an ifunc "
           "(target_clones) chooses from when the program starts, so its calls "
           "cannot be redirected.";
  case Outcome::TakesNoHint:
    return "the call keeps its function: it is a musttail call, or the program "
           "defines the function itself.";
  case Outcome::UnmatchedFrame:
    return whyUnmatched();
  case Outcome::CopyWithoutProfile:
    return "the call " + (isWhole() ? "" : frame(top().Frame) + " ") +
           "is in an inline function, of which the linker takes the copy of a "
           "module without the profile. A warning of the link names both.";
  case Outcome::RanInOtherBinary:
    return "another binary of the process has a copy of " +
           Part.name(top().Function) +
           ", which ran. The link of that binary decides.";
  case Outcome::EntersFromElsewhere:
    return whyEntered();
  case Outcome::IndirectCall:
    return "the call at " + placeOfCall(Redirect::Indirect) +
           " goes through a pointer whose targets are not known, so it cannot "
           "be redirected. A PGO profile beside the heap profile names the "
           "targets of such calls.";
  case Outcome::OutsideLink:
    return "what is called at " + placeOfCall(Redirect::OutsideLink) +
           " is defined outside this part of the link, or may be replaced "
           "there. Compile it with -flto=thin and link it in.";
  case Outcome::NotClonable:
    return whyNotClonable();
  case Outcome::AmbiguousTailCall:
    return "tail calls leave no frame, and several chains of them could have "
           "been on its way. Profile a build with -fno-optimize-sibling-calls.";
  case Outcome::Collides:
    return whyColliding(Reported);
  case Outcome::OverBudget:
    return "the clones that it needs do not fit what "
           "--thinlto-memprof-max-growth allows, and others are worth more for "
           "their size. Raise it, or give none for no limit.";
  case Outcome::WorthTooLittle:
    return "it has fewer bytes than --thinlto-memprof-min-context asks for a "
           "clone.";
  case Outcome::FalseCold:
    return "--thinlto-memprof-max-false-cold allows it, for the cold bytes "
           "that this saves.";
  case Outcome::RanElsewhere:
    return "the call was inlined with its allocation, and the context ran in "
           "that copy.";
  }
  llvm_unreachable("not an outcome");
}

} // namespace

void report::explainContext(const LinkView &View, const PartView &Part,
                            ContextId C, raw_ostream &OS) {
  const uint32_t Number = Part.number(C);
  // A copy is explained by the one that counts.
  if (const ReportContext *Reported = View.context(Number))
    ContextExplainer(View, Part, Part.context(Number), OS).run(*Reported);
}
