//===- lto/link/report/FoundOfProfile.cpp - How much of a profile is here -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoundOfProfile.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <set>
#include <unordered_map>
#include <unordered_set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

namespace {

using Part = annotate::BinaryShares::Part;

/// What is known of one context in all its copies.
struct Best {
  enum class How : uint8_t { Salvaged, Exact };
  How Is = How::Salvaged;
  bool IsHinted = false, IsHintedPerhaps = false;
  uint64_t Size = 0;
};

} // namespace

/// Whether all frames of a context in other binaries are above such as calls of
/// \p Program have: \p Known are those.
static bool entersFrom(const std::set<uint64_t> &OtherFrames,
                       const std::unordered_set<uint64_t> &Known,
                       const ContextProgram &Program, ContextId Id) {
  for (StackId Frame : Program.stackIds(Id))
    if (!Known.contains(raw(Frame)))
      return OtherFrames.contains(raw(Frame));
  return false;
}

/// The stack ids of all calls of a link.
static std::unordered_set<uint64_t> callsOf(const LinkResults &Results) {
  std::unordered_set<uint64_t> Known;
  for (const LinkPart &P : Results.Parts)
    for (size_t I = 0; I != P.Program.numCallsites(); ++I)
      for (StackId Frame : P.Program.stackIds(CallsiteId(I)))
        Known.insert(raw(Frame));
  return Known;
}

/// The contexts that count for the link's part \p Own, by id.
static std::unordered_map<uint64_t, Best>
contextsOf(const LinkResults &Results, const Part &Own, bool IsPart) {
  std::unordered_map<uint64_t, Best> ById;
  const std::set<uint64_t> &Salvaged = Results.Bases.salvaged();
  const std::unordered_set<uint64_t> Known =
      IsPart ? callsOf(Results) : std::unordered_set<uint64_t>();
  for (const LinkPart &P : Results.Parts)
    for (size_t I = 0; I != P.Program.numContexts(); ++I) {
      const ContextId Id(static_cast<uint32_t>(I));
      const Context &C = P.Program[Id];
      const Outcome Got = P.Result.Outcomes[I];
      if (C.Profiled != Temperature::Cold || !C.FullStackId ||
          Own.OtherContexts.contains(C.profileId()))
        continue;
      if ((Got == Outcome::UnmatchedFrame || Got == Outcome::RanElsewhere ||
           Got == Outcome::CopyWithoutProfile ||
           Got == Outcome::RanInOtherBinary) &&
          !entersFrom(Own.OtherFrames, Known, P.Program, Id))
        continue;
      const bool IsSalvaged =
          !Salvaged.empty() && (Salvaged.contains(C.FullStackId) ||
                                any_of(P.Program.stackIds(Id), [&](StackId F) {
                                  return Salvaged.contains(raw(F));
                                }));
      Best &Entry = ById[C.FullStackId];
      Entry.Is = std::max(Entry.Is,
                          IsSalvaged ? Best::How::Salvaged : Best::How::Exact);
      Entry.IsHinted |= Got == Outcome::HintedCold;
      Entry.IsHintedPerhaps |= isHinted(Got);
      Entry.Size = C.Size.count();
    }
  return ById;
}

FoundOfProfile FoundOfProfile::in(const LinkResults &Results) {
  FoundOfProfile Found;
  const annotate::Basis *Common = Results.Bases.common();
  const annotate::BinaryShares &Shares = Results.Bases.shares();
  // A link that has lost all contexts has no basis.
  const std::optional<uint64_t> Checksum =
      Common ? Common->ProfileChecksum : Shares.onlyProfile();
  Found.All = Results.Bases.coldBytes();
  Found.IsKnown = Common || Found.All;
  Part Own;
  Found.IsPart = Checksum && Shares.tellsOf(*Checksum);
  if (Found.IsPart) {
    Found.All = 0;
    Found.IsKnown = true;
    if (!Shares.anyCold(*Checksum))
      return Found;
    auto Told = Shares.part(*Checksum);
    Found.IsKnown = Told.has_value();
    Found.IsPartUnknown = !Told;
    if (!Told)
      return Found;
    Own = std::move(*Told);
    Found.All = Own.ColdBytes;
  }
  if (!Found.All)
    return Found;
  for (const auto &[Id, Entry] : contextsOf(Results, Own, Found.IsPart)) {
    (Entry.Is == Best::How::Exact ? Found.Exact : Found.Edited) += Entry.Size;
    if (Entry.IsHinted)
      Found.Hinted += Entry.Size;
    else if (Entry.IsHintedPerhaps)
      Found.HintedPerhaps += Entry.Size;
  }
  return Found;
}

static std::string percentText(double Percent) {
  std::string Result;
  raw_string_ostream(Result) << format("%g", Percent);
  return Result + " %";
}

Error FoundOfProfile::check(const LinkGates &Gates) const {
  Error Result = Error::success();
  auto Fail = [&](const Twine &Text) {
    Result = joinErrors(std::move(Result), createStringError(Text));
  };
  if (Gates.MaxLostPercent) {
    if (!IsKnown)
      Fail("--thinlto-memprof-max-lost: it is not known what of a heap profile "
           "this link should have");
    else if (static_cast<double>(lost()) * 100 >
             *Gates.MaxLostPercent * static_cast<double>(All))
      Fail(formatPercent(lost(), All) + " of the profile's cold " +
           formatBytes(Bytes(All)) + " is lost, which is more than the " +
           percentText(*Gates.MaxLostPercent) +
           " of --thinlto-memprof-max-lost");
  }
  if (Gates.MinHinted && Hinted < Gates.MinHinted->count())
    Fail(formatBytes(Bytes(Hinted)) +
         " of the profile's cold memory is hinted, which is less than the " +
         formatBytes(*Gates.MinHinted) + " of --thinlto-memprof-min-hinted");
  return Result;
}
