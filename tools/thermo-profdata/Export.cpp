//===- thermo-profdata/Export.cpp - The export command --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ContextList.h"
#include "thermocline/Profile/RawProfile.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

/// Ids are strings: most JSON readers hold numbers as doubles.
static std::string hex(uint64_t Id) {
  return "0x" + utohexstr(Id, /*LowerCase=*/true);
}

static StringRef ruleName(ColdRule Rule) {
  switch (Rule) {
  case ColdRule::Relative:
    return "relative";
  case ColdRule::RelativeApproximate:
    return "relative, accesses estimated";
  case ColdRule::LLVM:
    return "llvm";
  }
  llvm_unreachable("all rules are named");
}

static void writeFrame(json::OStream &J, const Frame &F,
                       const FunctionNames &Names) {
  J.object([&] {
    J.attribute("function", hex(F.Function));
    StringRef Name = Names.lookup(F.Function);
    if (!Name.empty())
      J.attribute("name", json::fixUTF8(Name));
    J.attribute("lineOffset", F.LineOffset);
    J.attribute("column", F.Column);
    J.attribute("inlined", F.IsInlineFrame);
    J.attribute("stackId", hex(raw(computeStackId(F))));
  });
}

/// The measures by LLVM's names, as far as \p Schema has them.
static void writeMeasures(json::OStream &J, const MemInfoBlock &Info,
                          const MemProfSchema &Schema) {
#define MIBEntryDef(NameTag, Name, Type)                                       \
  if (Meta::Name < Meta::AccessHistogramSize &&                                \
      is_contained(Schema, Meta::Name))                                        \
    J.attribute(#Name, static_cast<uint64_t>(Info.Name));
#include "llvm/ProfileData/MIBEntryDef.inc"
#undef MIBEntryDef
}

static void writeJson(const ExportCommand &Command, const ContextList &List,
                      const FunctionNames &Names, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  const IndexedProfile &Profile = *List.Profile;
  J.object([&] {
    J.attribute("profile", json::fixUTF8(Command.Input));
    J.attribute("memprofVersion", Profile.memProfVersion());
    J.attributeObject("runs", [&] {
      if (const std::optional<RunInfo> &Runs = Profile.runInfo()) {
        J.attribute("recorded", Runs->Origin == RunInfoOrigin::Recorded);
        J.attribute("count", Runs->Runs);
        J.attribute("totalMs", Runs->TotalLength.count());
        J.attribute("shortestMs", Runs->Shortest.count());
        J.attribute("longestMs", Runs->Longest.count());
      }
    });
    J.attributeObject("cold", [&] {
      J.attribute("rule", ruleName(List.Rule));
      J.attribute("minLifetimeFraction",
                  Command.Thresholds.MinLifetimeFraction);
      J.attribute("accessesPerByte", Command.Thresholds.AccessesPerByte);
      J.attribute("accessesPerBytePerSecond",
                  Command.Thresholds.AccessesPerBytePerSecond);
    });
    J.attributeArray("contexts", [&] {
      for (const ListedContext &C : List.Contexts)
        J.object([&] {
          J.attribute("id", hex(C.Id));
          J.attribute("cold", C.Cold);
          J.attributeObject(
              "measures", [&] { writeMeasures(J, C.Info, Profile.schema()); });
          J.attributeArray("frames", [&] {
            for (const Frame &F : C.Frames)
              writeFrame(J, F, Names);
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

static void writeCsv(const ContextList &List, const FunctionNames &Names,
                     raw_ostream &OS) {
  const MemProfSchema &Schema = List.Profile->schema();
  OS << "id,class";
#define MIBEntryDef(NameTag, Name, Type)                                       \
  if (Meta::Name < Meta::AccessHistogramSize &&                                \
      is_contained(Schema, Meta::Name))                                        \
    OS << "," #Name;
#include "llvm/ProfileData/MIBEntryDef.inc"
#undef MIBEntryDef
  OS << ",frames\n";
  for (const ListedContext &C : List.Contexts) {
    OS << hex(C.Id) << ',' << className(C.Cold);
#define MIBEntryDef(NameTag, Name, Type)                                       \
  if (Meta::Name < Meta::AccessHistogramSize &&                                \
      is_contained(Schema, Meta::Name))                                        \
    OS << ',' << static_cast<uint64_t>(C.Info.Name);
#include "llvm/ProfileData/MIBEntryDef.inc"
#undef MIBEntryDef
    std::string Frames;
    for (const Frame &F : C.Frames) {
      if (!Frames.empty())
        Frames += "; ";
      Frames += Names.display(F.Function) + " " +
                describePlace(F.LineOffset, F.Column);
    }
    OS << ',' << quoted(Frames) << '\n';
  }
}

Error profdata::runExport(const ExportCommand &Command) {
  if (RawProfile::isRaw(Command.Input))
    return runExportRaw(Command);
  if (Error E = refuseLibraries(Command.Libraries))
    return E;
  return writeContexts(Command.Input, Command.Thresholds, Command.Binary,
                       Command.Output,
                       [&](const ContextList &List, const FunctionNames &Names,
                           raw_ostream &OS) {
                         if (Command.Format == ExportFormat::Csv)
                           writeCsv(List, Names, OS);
                         else
                           writeJson(Command, List, Names, OS);
                         return Error::success();
                       });
}
