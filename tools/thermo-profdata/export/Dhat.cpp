//===- thermo-profdata/export/Dhat.cpp - A profile for DHAT's viewer ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Viewers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;

/// As valgrind prints calls, without their addresses.
static std::string describe(const ViewFrame &F) {
  std::string Result = F.Name;
  if (F.Line)
    Result += " (" + F.File + ":" + std::to_string(F.Line) + ")";
  return Result;
}

// How many accesses were reads is not known, so there are none in the file.
void profdata::writeDhat(const ViewProfile &View, raw_ostream &OS) {
  json::OStream J(OS);
  J.object([&] {
    J.attribute("dhatFileVersion", 2);
    J.attribute("mode", "heap");
    J.attribute("verb", "Allocated");
    J.attribute("bklt", View.HasLive);
    J.attribute("bkacc", false);
    J.attribute("tu", "ms");
    J.attribute("Mtu", "ks");
    if (View.HasLive) {
      J.attribute("tuth", 1);
      J.attribute("tg", View.PeakMs);
    }
    J.attribute("cmd", json::fixUTF8(View.Path));
    J.attribute("pid", 0);
    J.attribute("te", View.LengthMs);
    J.attributeArray("pps", [&] {
      for (const ViewContext &C : View.Contexts)
        J.object([&] {
          J.attribute("tb", C[ViewValue::Bytes]);
          J.attribute("tbk", C[ViewValue::Objects]);
          if (View.HasLive) {
            J.attribute("tl", C.LifetimeMs);
            J.attribute("mb", C.AtMost.Bytes);
            J.attribute("mbk", C.AtMost.Objects);
            J.attribute("gb", C.AtPeak.Bytes);
            J.attribute("gbk", C.AtPeak.Objects);
            J.attribute("eb", C.AtEnd.Bytes);
            J.attribute("ebk", C.AtEnd.Objects);
          }
          J.attributeArray("fs", [&] {
            // The first one is the root.
            for (uint32_t F : C.Frames)
              J.value(F + 1);
          });
        });
    });
    J.attributeArray("ftbl", [&] {
      J.value("[root]");
      for (const ViewFrame &F : View.Frames)
        J.value(json::fixUTF8(describe(F)));
    });
  });
  OS << '\n';
}
