//===- thermo-profdata/export/Export.cpp - The export command -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Commands.h"
#include "../ContextFilter.h"
#include "../ContextList.h"
#include "ExportFields.h"
#include "LinkOutcomes.h"
#include "Sarif.h"
#include "StackTables.h"
#include "Viewers.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

static StringRef ruleName(ColdRule Rule) {
  switch (Rule) {
  case ColdRule::Relative:
    return "relative";
  case ColdRule::RelativeApproximate:
    return "relative, accesses estimated";
  case ColdRule::LLVM:
    return "llvm";
  case ColdRule::Pages:
    return "pages";
  }
  llvm_unreachable("all rules are named");
}

static void writePhase(json::OStream &J, const TouchPhase &P) {
  J.attribute("name", json::fixUTF8(P.Name));
  J.attribute("runs", P.Runs);
  J.attribute("windows", P.Windows);
  J.attribute("windowUs", P.WindowUs);
  J.attribute("bursts", P.Bursts);
  J.attribute("burstUs", P.BurstUs);
  J.attribute("watchedRuns", P.WatchedRuns);
}

/// The version of the keys. A greater one has others in place of some.
static constexpr unsigned JsonVersion = 2;

namespace {

/// Writes contexts, and what they refer to, in tables.
class ContextWriter {
public:
  /// \p Links may be null.
  ContextWriter(const ContextList &List, const LinkOutcomes *Links)
      : List(List), Links(Links) {
    for (const ListedContext &C : List.Contexts) {
      StackOf.push_back(Stacks.add(C.Frames));
      if (C.Type.Why == TypeKnowledge::Known &&
          TypeNumbers.try_emplace(C.Type.Name, Types.size()).second)
        Types.push_back(C.Type.Name);
    }
  }

  void write(const FunctionNames &Names, json::OStream &J) const;

private:
  void writeContext(const ListedContext &C, int64_t Stack,
                    json::OStream &J) const;

  const ContextList &List;
  const LinkOutcomes *Links;
  StackTables Stacks;
  /// By context.
  std::vector<int64_t> StackOf;
  std::vector<std::string> Types;
  std::map<std::string, size_t> TypeNumbers;
};

} // namespace

void ContextWriter::writeContext(const ListedContext &C, int64_t Stack,
                                 json::OStream &J) const {
  J.attribute("id", hexText(C.Id));
  J.attribute("cold", C.Cold);
  J.attribute("stack", Stack);
  if (Links)
    J.attribute("lostBytes", Links->lostBytes(C));
  if (C.Type.Why == TypeKnowledge::Known)
    J.attribute("type", static_cast<int64_t>(TypeNumbers.at(C.Type.Name)));
  if (List.Binaries.hasSeveral())
    J.attributeArray("allocatedIn", [&] {
      for (const auto &[Number, Binary] : enumerate(List.Binaries.binaries()))
        if (Binary.second.Contexts.count(C.Id))
          J.value(static_cast<int64_t>(Number));
    });
  J.attributeArray("measures", [&] {
    forEachMeasure(C.Info, List.Profile->schema(),
                   [&](StringRef, uint64_t Value) { J.value(Value); });
  });
  if (!C.Samples.isExact())
    J.attributeObject("sampling", [&] {
      J.attribute("estimated", C.Samples.Estimated);
      J.attribute("allocCountError", std::round(C.Samples.countError()));
      J.attribute("totalSizeError", std::round(C.Samples.sizeError()));
    });
  if (C.TooFew)
    J.attribute("tooFewSamples", true);
  writeTouches(J, C.Touches, "firstBin");
}

void ContextWriter::write(const FunctionNames &Names, json::OStream &J) const {
  Stacks.write(Names, J);
  if (!Types.empty())
    J.attributeArray("types", [&] {
      for (const std::string &Type : Types)
        J.value(json::fixUTF8(Type));
    });
  J.attributeArray("measures", [&] {
    forEachMeasure(MemInfoBlock(), List.Profile->schema(),
                   [&](StringRef Name, uint64_t) { J.value(Name); });
  });
  J.attributeArray("contexts", [&] {
    for (auto [C, Stack] : zip_equal(List.Contexts, StackOf))
      writeInOneLine(J, [&, &C = C, Stack = Stack](json::OStream &Line) {
        Line.object([&] { writeContext(C, Stack, Line); });
      });
  });
}

/// \p Links may be null.
static void writeJson(const ExportCommand &Command, const ContextList &List,
                      const FunctionNames &Names, const LinkOutcomes *Links,
                      const placement::OrderVerdict &Order,
                      const Architectures &RanOn, const RecordedRuns &Recorded,
                      raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  const IndexedProfile &Profile = *List.Profile;
  J.object([&] {
    J.attribute("version", JsonVersion);
    J.attribute("profile", json::fixUTF8(Command.Input));
    J.attribute("memprofVersion", Profile.memProfVersion());
    J.attributeObject("runs", [&] {
      if (const std::optional<RunInfo> &Runs = Profile.runInfo()) {
        J.attribute("recorded", Runs->Origin == RunInfoOrigin::Recorded);
        J.attribute("count", Runs->Runs);
        J.attribute("totalMs", Runs->TotalLength.count());
        J.attribute("shortestMs", Runs->Shortest.count());
        J.attribute("longestMs", Runs->Longest.count());
        J.attribute("comparedMs", Runs->comparedLengthMs());
        J.attribute("estimated", Runs->Estimated);
      }
    });
    if (!RanOn.empty())
      J.attributeArray("architectures", [&] {
        for (const std::string &Name : RanOn.names())
          J.value(Name);
      });
    if (!Recorded.empty())
      J.attributeArray("recorded", [&] {
        for (const RecordedRun &Each : Recorded.all())
          J.object([&] {
            J.attribute("time", Each.Time);
            J.attribute("version", json::fixUTF8(Each.Version));
            J.attribute("command", json::fixUTF8(Each.Command));
          });
      });
    J.attributeObject("cold", [&] {
      J.attribute("rule", ruleName(List.Rule));
      J.attribute("minLifetimeFraction",
                  Command.Thresholds.MinLifetimeFraction);
      J.attribute("accessesPerByte", Command.Thresholds.AccessesPerByte);
      J.attribute("accessesPerBytePerSecond",
                  Command.Thresholds.AccessesPerBytePerSecond);
    });
    const TouchGrid &Grid = Profile.touchGrid();
    if (!Grid.empty()) {
      J.attribute("pageBytes", Grid.PageBytes);
      J.attributeArray("phases", [&] {
        for (const TouchPhase &P : Grid.Phases)
          J.object([&] { writePhase(J, P); });
      });
    }
    if (const std::optional<placement::Prediction> Predicted =
            Profile.predicted())
      J.attributeObject("predicted", [&] {
        auto WorkingSet = [&](StringRef Name,
                              const placement::WorkingSet &Set) {
          J.attributeObject(Name, [&] {
            J.attribute("before", std::round(Set.Before));
            J.attribute("after", std::round(Set.After));
            if (Set.isExact())
              return;
            J.attribute("beforeError", std::round(Set.Errors.Before));
            J.attribute("afterError", std::round(Set.Errors.After));
            J.attribute("savedError", std::round(Set.Errors.Saved));
            J.attribute("savedShareError", Set.Errors.SavedPart);
          });
        };
        WorkingSet("burst", Predicted->AtBurst);
        WorkingSet("window", Predicted->AtWindow);
        J.attribute("goal", nameOf(Predicted->Goal));
        J.attribute("smallBytes", std::round(Predicted->SmallBytes));
        J.attribute("liveBytes", std::round(Predicted->LiveBytes));
      });
    if (Order.Choice != placement::OrderChoice::CannotTell)
      J.attributeObject("smallObjects", [&] {
        J.attribute("choice", placement::nameOf(Order.Choice));
        J.attribute("pagesRatio", Order.Pages);
        J.attribute("pairsRatio", Order.Pairs);
        J.attribute("replacedShare", Order.Replaced);
      });
    if (List.Binaries.hasSeveral())
      J.attributeArray("binaries", [&] {
        for (const auto &[Id, Has] : List.Binaries.binaries())
          J.object([&, &Id = Id, &Has = Has] {
            J.attribute("name", json::fixUTF8(Has.Name));
            J.attribute("buildId", toHex(Id, /*LowerCase=*/true));
          });
      });
    ContextWriter(List, Links).write(Names, J);
  });
  OS << '\n';
}

/// Writes a row per context. \p Links may be null.
static void writeCsv(const ContextList &List, const FunctionNames &Names,
                     const LinkOutcomes *Links, raw_ostream &OS) {
  Table Rows = {.Columns = {{"", "id", ColumnKind::Id}, {"", "class"}}};
  auto AddColumn = [&](std::string Key) {
    Rows.Columns.push_back({"", std::move(Key), ColumnKind::Count});
  };
  if (Links)
    AddColumn("lostBytes");
  const MemProfSchema &Schema = List.Profile->schema();
  forEachMeasure(MemInfoBlock(), Schema,
                 [&](StringRef Name, uint64_t) { AddColumn(Name.str()); });
  const bool HasWindows = !List.Profile->touchGrid().empty();
  if (HasWindows)
    for (std::string Units : {"objects.", "pages."}) {
      AddColumn(Units + "firstBin");
      forEachNumber([&](StringRef Name, uint64_t WindowTouches::*) {
        AddColumn(Units + Name.str());
      });
    }
  const bool IsSampled = any_of(List.Contexts, [](const ListedContext &C) {
    return C.TooFew || !C.Samples.isExact();
  });
  if (IsSampled)
    for (StringRef Key : {"allocCountError", "totalSizeError", "tooFewSamples"})
      AddColumn(Key.str());
  Rows.Columns.push_back({"", "frames"});
  Rows.Columns.push_back({"", "type"});
  Rows.writeCsv(OS);
  for (const ListedContext &C : List.Contexts) {
    std::vector<Cell> Row = {C.Id, className(C.Cold)};
    if (Links)
      Row.push_back(Links->lostBytes(C));
    forEachMeasure(C.Info, Schema,
                   [&](StringRef, uint64_t Value) { Row.push_back(Value); });
    if (HasWindows)
      for (const UnitTouches *T : {&C.Touches.Objects, &C.Touches.Pages}) {
        Row.push_back(T->First);
        forEachNumber([&](StringRef, uint64_t WindowTouches::*Field) {
          std::vector<uint64_t> Values;
          for (const WindowTouches &W : T->Windows)
            Values.push_back(W.*Field);
          Row.push_back(Values);
        });
      }
    if (IsSampled)
      for (uint64_t Number :
           {truncated(std::round(C.Samples.countError())),
            truncated(std::round(C.Samples.sizeError())), uint64_t(C.TooFew)})
        Row.push_back(Number);
    Row.push_back(frameTexts(C.Frames, Names));
    Row.push_back(C.Type.Name);
    Rows.writeCsvRow(Row, OS);
  }
}

Error profdata::runExport(const ExportCommand &Command) {
  if (RawProfile::isRaw(Command.Input))
    return runExportRaw(Command);
  const bool IsOurs =
      Command.As == ExportFormat::Json || Command.As == ExportFormat::Csv;
  return writeContexts(
      Command,
      [&](ContextList &List, const FunctionNames &Names,
          raw_ostream &OS) -> Error {
        // By all contexts, also those that are then left out.
        std::optional<LinkOutcomes> Outcomes;
        if (!Command.Links.empty())
          if (Error E = LinkOutcomes::read(Command.Links, List)
                            .moveInto(Outcomes.emplace()))
            return E;
        const LinkOutcomes *Links = Outcomes ? &*Outcomes : nullptr;
        if (Error E = filterContexts(Command, Names, Command.Top, List))
          return E;
        if (Command.As == ExportFormat::Csv) {
          writeCsv(List, Names, Links, OS);
        } else if (Command.As == ExportFormat::Sarif) {
          return writeSarif(List, Names, *Links, OS);
        } else if (Command.As == ExportFormat::Json) {
          Expected<placement::OrderVerdict> Order =
              List.Profile->orderVerdict();
          if (!Order)
            return Order.takeError();
          Expected<Architectures> RanOn = List.Profile->architectures();
          if (!RanOn)
            return RanOn.takeError();
          Expected<RecordedRuns> Recorded = List.Profile->recordedRuns();
          if (!Recorded)
            return Recorded.takeError();
          writeJson(Command, List, Names, Links, *Order, *RanOn, *Recorded, OS);
        } else {
          Expected<ViewProfile> View = viewOf(List, Names, Links);
          if (!View)
            return View.takeError();
          return writeView(*View, Command.As, Command.Value, OS);
        }
        return Error::success();
      },
      IsOurs ? NameDetail::All : NameDetail::AllWithPlaces);
}
