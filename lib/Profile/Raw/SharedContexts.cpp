//===- Profile/Raw/SharedContexts.cpp - Contexts that look alike ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/SharedContexts.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Support/Units.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

void SharedContexts::note(uint64_t FullStackId,
                          ArrayRef<const ProfiledBinary *> Binaries,
                          const MemInfoBlock &Info) {
  auto [Known, New] = Contexts[FullStackId].try_emplace(Binaries.vec(), Info);
  if (!New)
    mergeBlocks(Known->second, Info);
}

bool SharedContexts::isMixed(uint64_t FullStackId,
                             const std::optional<RunInfo> &Run) const {
  auto Known = Contexts.find(FullStackId);
  if (Known == Contexts.end() || Known->second.size() < 2)
    return false;
  return !Run || any_of(Known->second, [&](const auto &Of) {
    return classify(PortableMemInfoBlock(Of.second, getFullSchema()), Run,
                    ColdThresholds()) != AllocationType::Cold;
  });
}

/// What belongs to \p Count if \p Rate belongs to one.
static uint64_t scaled(double Rate, uint64_t Count) {
  return truncated(std::ceil(Rate * static_cast<double>(Count)));
}

/// Every unit was touched, always.
static void touchAll(UnitTouches &Units) {
  for (WindowTouches &W : Units.Windows) {
    W.Touched = W.TouchedInBurst = W.Live;
    W.Far = W.FarInBurst = 0;
  }
}

void SharedContexts::makeHot(uint64_t FullStackId, MemInfoBlock &Info,
                             ContextTouches &Touches) const {
  touchAll(Touches.Objects);
  touchAll(Touches.Pages);
  // That nobody knows the accesses is enough.
  if (accessesAreUnknown(Info) || !Info.AllocCount)
    return;
  double Accesses = 0, Density = 0;
  double Lifetime = static_cast<double>(Info.TotalLifetime) / Info.AllocCount;
  for (const auto &[Binaries, Of] : Contexts.at(FullStackId)) {
    const double Count = std::max<uint32_t>(Of.AllocCount, 1);
    Accesses = std::max(
        Accesses, static_cast<double>(Of.TotalAccessCount) /
                      std::max<double>(static_cast<double>(Of.TotalSize), 1));
    Density = std::max(
        Density, static_cast<double>(Of.TotalLifetimeAccessDensity) / Count);
    Lifetime =
        std::min(Lifetime, static_cast<double>(Of.TotalLifetime) / Count);
  }
  Info.TotalAccessCount =
      std::max(+Info.TotalAccessCount, scaled(Accesses, Info.TotalSize));
  Info.TotalLifetimeAccessDensity = std::max(+Info.TotalLifetimeAccessDensity,
                                             scaled(Density, Info.AllocCount));
  Info.TotalLifetime =
      static_cast<uint64_t>(Lifetime * static_cast<double>(Info.AllocCount));
}
