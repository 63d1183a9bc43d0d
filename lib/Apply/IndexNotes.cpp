//===- Apply/IndexNotes.cpp - What an index says beyond records -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/IndexNotes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace thermocline;

static void note(FunctionSummary &Summary, GlobalValue::GUID GUID) {
  if (!is_contained(Summary.type_tests(), GUID))
    Summary.addTypeTest(GUID);
}

void apply::noteName(ModuleSummaryIndex &Index, FunctionSummary &User,
                     ValueInfo Target) {
  StringRef Name = Target.name();
  if (Name.empty() ||
      GlobalValue::getGUIDAssumingExternalLinkage(Name) != Target.getGUID())
    return;
  Index.getOrInsertTypeIdSummary(Name);
  note(User, Target.getGUID());
}

StringRef apply::notedName(const ModuleSummaryIndex &Index,
                           GlobalValue::GUID GUID) {
  auto [First, Last] = Index.typeIds().equal_range(GUID);
  return First == Last ? StringRef() : StringRef(First->second.first);
}

void apply::noteExport(FunctionSummary &Definition, GlobalValue::GUID Target) {
  note(Definition, Target);
}

bool apply::isNotedExport(const FunctionSummary &Definition,
                          GlobalValue::GUID Target) {
  return is_contained(Definition.type_tests(), Target);
}

/// No type identifier starts like this.
static constexpr char Mark[] = "thermocline: ";

/// Notes the line \p Text for \p Summary.
static void noteText(ModuleSummaryIndex &Index, FunctionSummary &Summary,
                     const Twine &Text) {
  std::string Entry = (Mark + Text).str();
  Index.getOrInsertTypeIdSummary(Entry);
  note(Summary, GlobalValue::getGUIDAssumingExternalLinkage(Entry));
}

/// The rest of the first line noted for \p Summary that starts with \p Key.
static StringRef notedText(const ModuleSummaryIndex &Index,
                           const FunctionSummary &Summary, StringRef Key) {
  for (GlobalValue::GUID GUID : Summary.type_tests())
    if (StringRef Text = apply::notedName(Index, GUID);
        Text.consume_front(Mark) && Text.consume_front(Key))
      return Text;
  return "";
}

static std::string localTargetKey(GlobalValue::GUID Target) {
  return "target " + utohexstr(Target) + " ";
}
static constexpr char LocalExportKey[] = "export ";

void apply::noteLocalTarget(ModuleSummaryIndex &Index, FunctionSummary &User,
                            GlobalValue::GUID Target, StringRef Name) {
  noteText(Index, User, localTargetKey(Target) + Name);
}

StringRef apply::notedLocalTarget(const ModuleSummaryIndex &Index,
                                  const FunctionSummary &User,
                                  GlobalValue::GUID Target) {
  return notedText(Index, User, localTargetKey(Target));
}

void apply::noteLocalExport(ModuleSummaryIndex &Index,
                            FunctionSummary &Definition, StringRef Name) {
  noteText(Index, Definition, LocalExportKey + Name);
}

StringRef apply::notedLocalExport(const ModuleSummaryIndex &Index,
                                  const FunctionSummary &Definition) {
  return notedText(Index, Definition, LocalExportKey);
}

static GlobalValue::GUID copyNote() {
  return GlobalValue::getGUIDAssumingExternalLinkage(
      (Mark + Twine("records of the prevailing copy")).str());
}

void apply::noteCopy(FunctionSummary &Copy) { note(Copy, copyNote()); }

bool apply::isNotedCopy(const FunctionSummary &Summary) {
  return is_contained(Summary.type_tests(), copyNote());
}

static GlobalValue::GUID comparedNote() {
  return GlobalValue::getGUIDAssumingExternalLinkage(
      (Mark + Twine("pointers are compared with it")).str());
}

void apply::noteCompared(FunctionSummary &Target) {
  note(Target, comparedNote());
}

bool apply::isNotedCompared(const FunctionSummary &Summary) {
  return is_contained(Summary.type_tests(), comparedNote());
}

void apply::noteSettings(ModuleSummaryIndex &Index, StringRef Settings) {
  std::string Entry = (Mark + Twine("settings ") + Settings).str();
  Index.getOrInsertTypeIdSummary(Entry);
  for (const auto &[GUID, Info] : Index)
    for (const auto &S : Info.getSummaryList())
      if (auto *FS = dyn_cast<FunctionSummary>(S.get()))
        note(*FS, GlobalValue::getGUIDAssumingExternalLinkage(Entry));
}

std::optional<StringRef> apply::notedSettings(const ModuleSummaryIndex &Index) {
  for (const auto &[GUID, Entry] : Index.typeIds())
    if (StringRef Text = Entry.first;
        Text.consume_front(Mark) && Text.consume_front("settings "))
      return Text;
  return std::nullopt;
}

void apply::noteMissed(ModuleSummaryIndex &Index, FunctionSummary &Function,
                       ArrayRef<MissedHints> Missed) {
  for (auto [Record, Hints] : enumerate(Missed))
    for (const MissedHint &Hint : Hints) {
      std::string Entry = (Mark + Twine("missed ") + Twine(Record) + " " +
                           Twine(Hint.Contexts) + " " +
                           Twine(Hint.Size.count()) + " " + Hint.Reason)
                              .str();
      Index.getOrInsertTypeIdSummary(Entry);
      note(Function, GlobalValue::getGUIDAssumingExternalLinkage(Entry));
    }
}

std::vector<apply::MissedHints>
apply::notedMissed(const ModuleSummaryIndex &Index,
                   const FunctionSummary &Function) {
  std::vector<MissedHints> Result;
  for (GlobalValue::GUID GUID : Function.type_tests()) {
    StringRef Text = notedName(Index, GUID), Record, Contexts, Size;
    if (!Text.consume_front(Mark) || !Text.consume_front("missed "))
      continue;
    std::tie(Record, Text) = Text.split(' ');
    std::tie(Contexts, Text) = Text.split(' ');
    std::tie(Size, Text) = Text.split(' ');
    size_t Position;
    uint64_t Count, Bytes;
    if (Record.getAsInteger(10, Position) ||
        Position >= Function.allocs().size() ||
        Contexts.getAsInteger(10, Count) || Size.getAsInteger(10, Bytes))
      continue;
    Result.resize(Function.allocs().size());
    Result[Position].push_back({Text.str(), Count, thermocline::Bytes(Bytes)});
  }
  return Result;
}
