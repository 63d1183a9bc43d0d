//===- Annotate/Metadata/Basis.cpp - By what contexts were classified -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/Basis.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "llvm/ADT/STLExtras.h"
#include <climits>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using profile::ColdRule;
using profile::ColdThresholds;

static constexpr unsigned RuleShift = Basis::ChecksumBits + 5;
static constexpr unsigned PredictionShift = RuleShift + 2;
static constexpr unsigned GoalShift = PredictionShift + 5;
static constexpr unsigned ArchitecturesShift = GoalShift + 1;
static constexpr unsigned EndOfBits = ArchitecturesShift + 1;
static constexpr uint64_t Tag = uint64_t(1) << 63;

/// The thresholds, in the order of their bits.
static constexpr double ColdThresholds::*Fields[] = {
    &ColdThresholds::MinLifetimeFraction, &ColdThresholds::AccessesPerByte,
    &ColdThresholds::AccessesPerBytePerSecond,
    &ColdThresholds::LLVMAccessDensity, &ColdThresholds::LLVMLifetimeSeconds};

/// The predictions and the cold bytes, likewise.
static constexpr double Basis::*Predictions[] = {
    &Basis::WorkingSetBefore, &Basis::WorkingSetAfter, &Basis::ColdBytes,
    &Basis::OtherBefore, &Basis::OtherAfter};

/// The architectures of \p Profile as a basis has them, if \p Own is not among
/// them.
static Expected<uint64_t> otherThan(Triple::ArchType Own,
                                    const profile::IndexedProfile &Profile) {
  Expected<profile::Architectures> All = Profile.architectures();
  if (!All)
    return All.takeError();
  uint64_t Result = 0;
  for (const std::string &Name : reverse(All->names())) {
    const Triple::ArchType Each = Triple(Name + "-unknown-linux").getArch();
    if (Each == Own)
      return 0;
    if (Each != Triple::UnknownArch)
      Result = Result << CHAR_BIT | Each;
  }
  return Result;
}

static bool areArchitectures(uint64_t Word) {
  for (; Word != 0; Word >>= CHAR_BIT)
    if (const uint64_t Each = Word & UCHAR_MAX;
        Each == Triple::UnknownArch || Each > Triple::LastArchType)
      return false;
  return true;
}

std::string Basis::otherArchitectures() const {
  profile::Architectures Result;
  for (uint64_t Left = OtherArchitectures; Left != 0; Left >>= CHAR_BIT)
    Result.add(Triple::getArchTypeName(
        static_cast<Triple::ArchType>(Left & UCHAR_MAX)));
  return Result.text();
}

Expected<Basis> Basis::of(const profile::IndexedProfile &Profile,
                          ColdThresholds Thresholds,
                          Triple::ArchType Architecture) {
  Expected<uint64_t> Other = otherThan(Architecture, Profile);
  if (!Other)
    return Other.takeError();
  Expected<uint64_t> Checksum = Profile.checksum();
  if (!Checksum)
    return Checksum.takeError();
  Expected<uint64_t> Cold = Profile.coldBytes(Thresholds);
  if (!Cold)
    return Cold.takeError();
  const ColdRule Rule = Profile.rule(Thresholds);
  Thresholds.forgetAllBut(Rule);
  Basis Result{Rule, Thresholds, *Checksum & Basis::ChecksumMask};
  Result.ColdBytes = static_cast<double>(*Cold);
  Result.OtherArchitectures = *Other;
  if (Rule == ColdRule::Pages) {
    const placement::Prediction Predicted = *Profile.predicted();
    Result.WorkingSetBefore = Predicted.atGoal().Before;
    Result.WorkingSetAfter = Predicted.atGoal().After;
    Result.Goal = Predicted.Goal;
    if (Profile.touchGrid().hasBursts()) {
      Result.OtherBefore = Predicted.atOther().Before;
      Result.OtherAfter = Predicted.atOther().After;
    }
  }
  return Result;
}

SmallVector<uint64_t, 8> Basis::encode() const {
  SmallVector<uint64_t, 8> Words = {Tag | ProfileChecksum |
                                    static_cast<uint64_t>(Rule) << RuleShift |
                                    static_cast<uint64_t>(Goal) << GoalShift};
  const ColdThresholds Defaults;
  for (auto [I, Field] : enumerate(Fields))
    if (Thresholds.*Field != Defaults.*Field) {
      Words.front() |= uint64_t(1) << (ChecksumBits + I);
      Words.push_back(bit_cast<uint64_t>(Thresholds.*Field) + 1);
    }
  for (auto [I, Field] : enumerate(Predictions))
    if (this->*Field != 0) {
      Words.front() |= uint64_t(1) << (PredictionShift + I);
      Words.push_back(bit_cast<uint64_t>(this->*Field) + 1);
    }
  if (OtherArchitectures) {
    Words.front() |= uint64_t(1) << ArchitecturesShift;
    Words.push_back(OtherArchitectures);
  }
  return Words;
}

bool Basis::isTold(NamedContexts Named) {
  std::optional<ContextMark> Mark = ContextMark::of(Named);
  return Mark && Mark->NumBasisWords;
}

std::optional<Basis> Basis::in(NamedContexts Named) {
  std::optional<ContextMark> Mark = ContextMark::of(Named);
  if (!Mark || !Mark->NumBasisWords)
    return std::nullopt;
  NamedContexts Words = Mark->basisIn(Named);
  const uint64_t First = Words.consume_front().FullStackId;
  if (!(First & Tag) || (First & ~Tag) >> EndOfBits)
    return std::nullopt;
  const unsigned Rule = First >> RuleShift & 3;
  Basis Result{static_cast<ColdRule>(Rule), {}, First & Basis::ChecksumMask};
  Result.Thresholds.ByTotals = Result.Rule != ColdRule::Pages;
  Result.Goal = static_cast<placement::Horizon>(First >> GoalShift & 1);
  for (auto [I, Field] : enumerate(Fields))
    if (First >> (ChecksumBits + I) & 1) {
      if (Words.empty())
        return std::nullopt;
      Result.Thresholds.*Field =
          bit_cast<double>(Words.consume_front().FullStackId - 1);
    }
  for (auto [I, Field] : enumerate(Predictions))
    if (First >> (PredictionShift + I) & 1) {
      if (Words.empty())
        return std::nullopt;
      Result.*Field = bit_cast<double>(Words.consume_front().FullStackId - 1);
      if (!placement::isPredictable(Result.*Field))
        return std::nullopt;
    }
  if (First >> ArchitecturesShift & 1) {
    if (Words.empty())
      return std::nullopt;
    Result.OtherArchitectures = Words.consume_front().FullStackId;
    if (!areArchitectures(Result.OtherArchitectures))
      return std::nullopt;
  }
  if (!Words.empty())
    return std::nullopt;
  if (Error E = Result.Thresholds.validate()) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return Result;
}
