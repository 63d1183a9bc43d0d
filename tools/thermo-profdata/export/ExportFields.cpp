//===- thermo-profdata/export/ExportFields.cpp - What all share -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExportFields.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

void profdata::forEachMeasure(const MemInfoBlock &Info,
                              const MemProfSchema &Schema,
                              function_ref<void(StringRef, uint64_t)> Visit) {
#define MIBEntryDef(NameTag, Name, Type)                                       \
  if (Meta::Name < Meta::AccessHistogramSize &&                                \
      is_contained(Schema, Meta::Name))                                        \
    Visit(#Name, static_cast<uint64_t>(Info.Name));
#include "llvm/ProfileData/MIBEntryDef.inc"
#undef MIBEntryDef
}

void profdata::forEachNumber(
    function_ref<void(StringRef, uint64_t WindowTouches::*)> Visit) {
  Visit("live", &WindowTouches::Live);
  Visit("liveBytes", &WindowTouches::LiveBytes);
  Visit("touched", &WindowTouches::Touched);
  Visit("touchedInBurst", &WindowTouches::TouchedInBurst);
  Visit("far", &WindowTouches::Far);
  Visit("farInBurst", &WindowTouches::FarInBurst);
  Visit("born", &WindowTouches::Born);
  Visit("bornInBurst", &WindowTouches::BornInBurst);
  Visit("amongBorn", &WindowTouches::AmongBorn);
  Visit("amongBornInBurst", &WindowTouches::AmongBornInBurst);
}

void profdata::writeTouches(json::OStream &J, const ContextTouches &Touches,
                            StringRef First) {
  auto Write = [&](StringRef Name, const UnitTouches &T) {
    if (T.empty())
      return;
    J.attributeObject(Name, [&] {
      J.attribute(First, static_cast<uint64_t>(T.First));
      J.attribute("granules", T.Granules);
      J.attribute("touchedGranules", T.TouchedGranules);
      if (T.Estimated)
        J.attribute("estimated", T.Estimated);
      if (T.Variance)
        J.attribute("variance", T.Variance);
      forEachNumber([&](StringRef Number, uint64_t WindowTouches::*Field) {
        J.attributeArray(Number, [&] {
          for (const WindowTouches &W : T.Windows)
            J.value(W.*Field);
        });
      });
    });
  };
  Write("objects", Touches.Objects);
  Write("pages", Touches.Pages);
}
