//===- thermo-profdata/ExportRaw.cpp - A raw profile as JSON or CSV -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an indexed profile loses is the reason to export a raw one: calls in
// shared libraries, and access histograms.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "RawCalls.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

/// Ids and addresses are strings: most JSON readers hold numbers as doubles.
static std::string hex(uint64_t Number) {
  return "0x" + utohexstr(Number, /*LowerCase=*/true);
}

/// Calls \p Visit with LLVM's name and the value of each measure.
static void forEachMeasure(const MemInfoBlock &Info,
                           function_ref<void(StringRef, uint64_t)> Visit) {
#define MIBEntryDef(NameTag, Name, Type)                                       \
  if (Meta::Name < Meta::AccessHistogramSize)                                  \
    Visit(#Name, static_cast<uint64_t>(Info.Name));
#include "llvm/ProfileData/MIBEntryDef.inc"
#include <cmath>
#undef MIBEntryDef
}

static void writeCall(json::OStream &J, const RawCall &Call) {
  J.object([&] {
    J.attribute("address", hex(Call.Address));
    if (Call.IsInObject) {
      J.attribute("buildId", Call.BuildId);
      J.attribute("offset", hex(Call.Offset));
    }
    if (!Call.File.empty())
      J.attribute("file", json::fixUTF8(Call.File));
    if (!Call.Functions.empty())
      J.attributeArray("functions", [&] {
        for (const std::string &Function : Call.Functions)
          J.value(json::fixUTF8(Function));
      });
  });
}

/// How well the measures are known: standard errors of totals.
static void writeSampling(json::OStream &J, const RawSampling &S) {
  J.attribute("measured", S.Measured);
  J.attribute("hasGaps", S.HasGaps);
  J.attribute("placeTouched", S.PlaceTouched);
  J.attribute("allocCountError", std::sqrt(S.AllocCountVariance));
  J.attribute("totalSizeError", std::sqrt(S.SizeVariance));
  J.attribute("totalAccessCountError", std::sqrt(S.AccessesVariance));
  J.attribute("totalLifetimeError", std::sqrt(S.LifetimeVariance));
  J.attribute("lifetimeAccessDensity", S.Density);
  J.attribute("lifetimeAccessDensityError", std::sqrt(S.DensityVariance));
}

static void writeJson(const RawProfile &Raw, ArrayRef<const RawContext *> Order,
                      const RawCalls &Calls, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("profile", json::fixUTF8(Raw.file()));
    J.attribute("raw", true);
    J.attribute("sampleInterval", Raw.sampleInterval());
    J.attributeArray("contexts", [&] {
      for (const RawContext *C : Order)
        J.object([&] {
          J.attribute("callStack", hex(C->CallStackId));
          J.attributeObject("measures", [&] {
            forEachMeasure(C->Info, [&](StringRef Name, uint64_t Value) {
              J.attribute(Name, Value);
            });
          });
          if (Raw.isSampled())
            J.attributeObject("sampling",
                              [&] { writeSampling(J, C->Sampling); });
          if (!C->Histogram.empty())
            J.attributeArray("histogram", [&] {
              for (uint64_t Counter : C->Histogram)
                J.value(Counter);
            });
          J.attributeArray("calls", [&] {
            for (uint64_t Address : Raw.addresses(*C))
              writeCall(J, Calls.at(Address));
          });
        });
    });
  });
  OS << '\n';
}

/// A field in quotes, as RFC 4180 has them.
static std::string quoted(StringRef Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '"')
      Result += '"';
    Result += C;
  }
  return Result + '"';
}

static void writeCsv(const RawProfile &Raw, ArrayRef<const RawContext *> Order,
                     const RawCalls &Calls, raw_ostream &OS) {
  OS << "callStack";
  forEachMeasure(MemInfoBlock(),
                 [&](StringRef Name, uint64_t) { OS << ',' << Name; });
  OS << ",histogram,calls\n";
  for (const RawContext *C : Order) {
    OS << hex(C->CallStackId);
    forEachMeasure(C->Info,
                   [&](StringRef, uint64_t Value) { OS << ',' << Value; });
    OS << ',';
    interleave(C->Histogram, OS, " ");
    std::string Names;
    for (uint64_t Address : Raw.addresses(*C)) {
      RawCall Call = Calls.at(Address);
      if (!Names.empty())
        Names += "; ";
      if (!Call.Functions.empty())
        Names += join(Call.Functions, "; ");
      else if (Call.IsInObject)
        Names += Call.BuildId + "+" + hex(Call.Offset);
      else
        Names += hex(Address);
    }
    OS << ',' << quoted(Names) << '\n';
  }
}

Error profdata::runExportRaw(const ExportCommand &Command) {
  Expected<RawProfile> Raw = RawProfile::read(Command.Input);
  if (!Raw)
    return Raw.takeError();
  Expected<RawCalls> Calls =
      RawCalls::open(*Raw, Command.Binary, Command.Libraries);
  if (!Calls)
    return Calls.takeError();
  // Bytes descending, as in all lists of contexts.
  std::vector<const RawContext *> Order;
  for (const RawContext &C : Raw->contexts())
    Order.push_back(&C);
  llvm::sort(Order, [](const RawContext *A, const RawContext *B) {
    return std::make_pair(B->Info.TotalSize + 0, A->CallStackId) <
           std::make_pair(A->Info.TotalSize + 0, B->CallStackId);
  });
  return writeFileAtomically(Command.Output, [&](raw_ostream &OS) {
    if (Command.Format == ExportFormat::Csv)
      writeCsv(*Raw, Order, *Calls, OS);
    else
      writeJson(*Raw, Order, *Calls, OS);
    return Error::success();
  });
}
