//===- Report/Tables.cpp - The tables of a report -------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

namespace {

/// Contexts and bytes, with \p Leading columns in front.
Table countTable(std::string Key, std::vector<Column> Leading) {
  Table Result = {.Key = std::move(Key), .Columns = std::move(Leading)};
  Result.Columns.push_back({"contexts", "contexts", ColumnKind::Count});
  Result.Columns.push_back({"bytes", "bytes", ColumnKind::Bytes});
  return Result;
}

/// A table of cells that each have a name for people and a key in the object
/// around them.
class CellTable {
public:
  CellTable(std::string Heading, Audience For)
      : For(For),
        Rows(countTable(
            "", {{std::move(Heading), "", ColumnKind::Text, Audience::People},
                 {"", "outcome", ColumnKind::Text, Audience::Programs}})) {
    Rows.As = Table::Shape::ByFirst;
  }

  void add(StringRef Name, StringRef Key, const AuditCell &Cell) {
    Rows.add({Name, Key, Cell.Contexts, Cell.Size});
  }
  void addRare(StringRef Name, StringRef Key, const AuditCell &Cell) {
    if (For == Audience::Programs || Cell.Contexts)
      add(Name, Key, Cell);
  }
  Table take() { return std::move(Rows); }

private:
  const Audience For;
  Table Rows;
};

} // namespace

Table report::contextsTable(const ReportModel &Model, Audience For) {
  CellTable Result("profiled -> hinted", For);
  Result.add("cold -> cold", "coldToCold", Model.ColdToCold);
  Result.addRare("cold -> perhaps", "coldIfPointer", Model.ColdIfPointer);
  Result.add("cold -> not cold", "coldToNotCold", Model.ColdToNotCold);
  Result.add("not cold -> cold", "notColdToCold", Model.NotColdToCold);
  Result.add("not cold -> not cold", "notColdToNotCold",
             Model.NotColdToNotCold);
  // A part of the others: the recall says it to people.
  if (For == Audience::Programs)
    Result.add("", "coldNotSeparable", Model.ColdNotSeparable);
  return Result.take();
}

Table report::coverageTable(const ProfileCoverage &Coverage, Audience For) {
  CellTable Rows("", For);
  Rows.add("cold", "cold", Coverage.Cold);
  Rows.add("cold, lost", "coldLost", Coverage.ColdLost);
  Rows.addRare("cold, not so compiled", "coldAsNotCold",
               Coverage.ColdAsNotCold);
  Rows.add("not cold", "notCold", Coverage.NotCold);
  Rows.add("not cold, lost", "notColdLost", Coverage.NotColdLost);
  Rows.addRare("not cold, not so compiled", "notColdAsCold",
               Coverage.NotColdAsCold);
  Table Result = Rows.take();
  Result.Title = "Contexts of " + Coverage.Profile +
                 (Coverage.Elsewhere.empty() ? "" : ", the link's part of it");
  return Result;
}

Table report::elsewhereTable(const BinaryShare &Other) {
  CellTable Rows("", Audience::Everyone);
  Rows.add("cold", "cold", Other.Cold);
  Rows.add("not cold", "notCold", Other.NotCold);
  Table Result = Rows.take();
  Result.Title = "In " + Other.Name + ", for its own link";
  return Result;
}

Table report::lossTable(const ProfileCoverage &Coverage) {
  Table Result = countTable(
      "reasons", {{"lost, because", "", ColumnKind::Text, Audience::People},
                  {"", "reason", ColumnKind::Text, Audience::Programs}});
  for (const LossCount &Loss : Coverage.Reasons)
    Result.add({(describe(Loss.Reason) + ". " + advice(Loss.Reason)).str(),
                describe(Loss.Reason), Loss.Count.Contexts, Loss.Count.Size});
  return Result;
}

Table report::machineCodeTable(const ProfileCoverage &Coverage) {
  Table Result = countTable(
      "machineCode",
      {{"lost in machine code of", "", ColumnKind::Text, Audience::People},
       {"", "file", ColumnKind::Text, Audience::Programs},
       {"", "function", ColumnKind::Text, Audience::Programs},
       {"", "functions", ColumnKind::Count, Audience::Programs}});
  for (const MachineCodeLoss &Loss : Coverage.MachineCode)
    Result.add({describe(Loss), Loss.File, Loss.Function, Loss.Functions,
                Loss.Count.Contexts, Loss.Count.Size});
  return Result;
}

Table report::workingSetTable(const ReportModel &Model) {
  Table Result = {.Title = "Predicted working set",
                  .Columns = {{"hints", "hints"},
                              {"bytes", "bytes", ColumnKind::Bytes},
                              {"part", "part", ColumnKind::Share}}};
  for (const WorkingSetLine &Line : workingSetLines(Model))
    Result.add(
        {Line.Name, Line.Size,
         Cell::share(Line.Size.count(), Model.WorkingSet->Before.count())});
  return Result;
}

Table report::hintsTable(const ReportModel &Model) {
  Table Result = {.Key = "hints",
                  .Columns = {{"kind of call", "kind"},
                              {"cold hints", "cold", ColumnKind::Count}}};
  for (const auto &[Kind, Count] : Model.HintsByKind)
    Result.add({Kind, Count});
  return Result;
}

Table report::reasonsTable(const ReportModel &Model) {
  Table Result =
      countTable("reasons", {{"cold without a hint, because", "outcome"}});
  for (const ReportReason &Reason : Model.Reasons)
    Result.add({Reason.Outcome, Reason.Count.Contexts, Reason.Count.Size});
  return Result;
}

Table report::contextList(const ReportModel &Model) {
  Table Result = {.Key = "contexts",
                  .Columns = {{"", "context", ColumnKind::Count},
                              {"", "id", ColumnKind::Id},
                              {"", "owner"},
                              {"", "bytes", ColumnKind::Bytes},
                              {"", "savedBytes", ColumnKind::Bytes},
                              {"", "cold"},
                              {"", "hintedCold"},
                              {"", "separable"},
                              {"", "outcome"},
                              {"", "collidesWith", ColumnKind::Count},
                              {"", "place"},
                              {"", "frames"}}};
  auto Texts = [](ArrayRef<ReportFrame> Frames) {
    std::vector<std::string> Each;
    for (const ReportFrame &F : Frames)
      Each.push_back(frameText(F));
    return Each;
  };
  for (const ReportContext &C : Model.Contexts) {
    const bool IsCold = C.Profiled == Temperature::Cold;
    Result.add({C.Id.index(), C.FullStackId ? Cell(C.FullStackId) : Cell(),
                C.Owner, C.Size, IsCold ? Cell(C.Saved) : Cell(), IsCold,
                C.hintedCold(), C.Audited.Separable, C.Outcome,
                C.CollidesWith ? Cell(C.CollidesWith.index()) : Cell(),
                Texts(C.Place), Texts(C.Frames)});
  }
  return Result;
}
