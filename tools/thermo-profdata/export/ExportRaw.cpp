//===- thermo-profdata/export/ExportRaw.cpp - Raw profiles as JSON or CSV -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raw profiles are exported for what indexed ones do not have: calls in shared
// libraries, and access histograms.
//
//===----------------------------------------------------------------------===//

#include "../Commands.h"
#include "../ContextFilter.h"
#include "../RawCalls.h"
#include "ExportFields.h"
#include "Viewers.h"
#include "thermocline/Support/OutputFile.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

/// The version of the keys, which are not those of indexed profiles. A greater
/// one has others in place of some.
static constexpr unsigned RawJsonVersion = 1;

static void writeCall(json::OStream &J, const RawCall &Call) {
  J.object([&] {
    J.attribute("address", hexText(Call.Address));
    if (Call.IsInObject) {
      J.attribute("buildId", Call.BuildId);
      J.attribute("offset", hexText(Call.Offset));
    }
    if (!Call.File.empty())
      J.attribute("file", json::fixUTF8(Call.File));
    if (!Call.Lines.empty())
      J.attributeArray("functions", [&] {
        for (const SourceLine &L : Call.Lines)
          J.value(json::fixUTF8(L.Function));
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

static void writeWindows(json::OStream &J, ArrayRef<RawWindow> Windows) {
  auto Column = [&](StringRef Name, auto Field) {
    J.attributeArray(Name, [&] {
      for (const RawWindow &W : Windows)
        J.value(Field(W));
    });
  };
  Column("windowsUs", [](const RawWindow &W) { return W.LengthUs; });
  Column("burstsUs", [](const RawWindow &W) { return W.BurstUs; });
  if (any_of(Windows, [](const RawWindow &W) { return !W.Phase.empty(); }))
    Column("phases", [](const RawWindow &W) { return json::fixUTF8(W.Phase); });
}

static void writeJson(const RawProfile &Raw, ArrayRef<const RawContext *> Order,
                      const RawCalls &Calls, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("version", RawJsonVersion);
    J.attribute("profile", json::fixUTF8(Raw.file()));
    J.attribute("raw", true);
    J.attribute("sampleInterval", Raw.sampleInterval());
    if (Raw.run())
      J.attributeObject("run", [&] {
        J.attribute("beginMs", Raw.run()->BeginMs);
        J.attribute("endMs", Raw.run()->EndMs);
      });
    if (!Raw.windows().empty()) {
      J.attribute("pageBytes", Raw.pageBytes());
      writeWindows(J, Raw.windows());
    }
    J.attributeArray("contexts", [&] {
      for (const RawContext *C : Order)
        J.object([&] {
          J.attribute("callStack", hexText(C->CallStackId));
          J.attributeObject("measures", [&] {
            forEachMeasure(C->Info, getFullSchema(),
                           [&](StringRef Name, uint64_t Value) {
                             J.attribute(Name, Value);
                           });
          });
          if (Raw.isSampled())
            J.attributeObject("sampling",
                              [&] { writeSampling(J, Raw.sampling(*C)); });
          writeTouches(J, C->Touches, "firstWindow");
          if (!C->Histogram.empty())
            J.attributeArray("histogram", [&] {
              for (uint64_t Counter : C->Histogram)
                J.value(Counter);
            });
          J.attributeArray("calls", [&] {
            for (uint64_t Address : C->Calls)
              writeCall(J, Calls.at(Address));
          });
        });
    });
  });
  OS << '\n';
}

/// Writes a row per context.
static void writeCsv(ArrayRef<const RawContext *> Order, const RawCalls &Calls,
                     raw_ostream &OS) {
  Table Rows = {.Columns = {{"", "callStack", ColumnKind::Id}}};
  forEachMeasure(MemInfoBlock(), getFullSchema(),
                 [&](StringRef Name, uint64_t) {
                   Rows.Columns.push_back({"", Name.str(), ColumnKind::Count});
                 });
  Rows.Columns.push_back({"", "histogram", ColumnKind::Count});
  Rows.Columns.push_back({"", "calls"});
  Rows.writeCsv(OS);
  for (const RawContext *C : Order) {
    std::vector<Cell> Row = {C->CallStackId};
    forEachMeasure(C->Info, getFullSchema(),
                   [&](StringRef, uint64_t Value) { Row.push_back(Value); });
    Row.push_back(std::vector<uint64_t>(C->Histogram));
    std::vector<std::string> Names;
    for (uint64_t Address : C->Calls) {
      const RawCall Call = Calls.at(Address);
      for (const SourceLine &L : Call.Lines)
        Names.push_back(L.Function);
      if (Call.Lines.empty())
        Names.push_back(Call.IsInObject
                            ? Call.BuildId + "+" + hexText(Call.Offset)
                            : hexText(Address));
    }
    Row.push_back(Names);
    Rows.writeCsvRow(Row, OS);
  }
}

Error profdata::runExportRaw(const ExportCommand &Command) {
  const bool IsOfLink =
      !Command.Links.empty() || Command.As == ExportFormat::Sarif;
  Expected<RawProfile> Raw =
      readRaw(Command, IsOfLink ? "a raw memory profile is of no link" : "");
  if (!Raw)
    return Raw.takeError();
  Expected<RawCalls> Calls =
      RawCalls::of(*Raw, Command.Binaries, Command.Libraries);
  if (!Calls)
    return Calls.takeError();
  Calls->prepareAll();
  Expected<FunctionFilter> Filter = FunctionFilter::create(Command.Function);
  if (!Filter)
    return Filter.takeError();
  std::vector<const RawContext *> Order = bytesDescending(*Raw);
  llvm::erase_if(Order, [&](const RawContext *C) {
    return !Filter->matches(C->Calls, *Calls);
  });
  if (Command.Top && Order.size() > *Command.Top)
    Order.resize(*Command.Top);
  return writeFileAtomically(Command.Output, [&](raw_ostream &OS) -> Error {
    switch (Command.As) {
    case ExportFormat::Json:
      writeJson(*Raw, Order, *Calls, OS);
      return Error::success();
    case ExportFormat::Csv:
      writeCsv(Order, *Calls, OS);
      return Error::success();
    default:
      return writeView(viewOf(*Raw, Order, *Calls), Command.As, Command.Value,
                       OS);
    }
  });
}
