//===- Profile/Program/SourceFrames.cpp - Frames of the source ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/SourceFrames.h"
#include "thermocline/Format/NativeCalls.h"
#include "thermocline/Profile/Program/ProgramFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <tuple>

using namespace llvm;
using namespace thermocline::profile;

/// Calls \p Add with each part of the code of \p Die.
static void forEachRange(DWARFDie Die,
                         function_ref<void(uint64_t, uint64_t)> Add) {
  Expected<DWARFAddressRangesVector> Ranges = Die.getAddressRanges();
  if (!Ranges) {
    consumeError(Ranges.takeError());
    return;
  }
  for (const DWARFAddressRange &Range : *Ranges)
    if (Range.LowPC < Range.HighPC)
      Add(Range.LowPC, Range.HighPC);
}

static void forEachInlined(DWARFDie Outer, function_ref<void(DWARFDie)> Visit) {
  for (DWARFDie Child : Outer.children()) {
    if (Child.getTag() == dwarf::DW_TAG_inlined_subroutine)
      Visit(Child);
    forEachInlined(Child, Visit);
  }
}

const SourceFrames::Unit &SourceFrames::unitOf(DWARFCompileUnit &CU) {
  auto [Known, New] = Units.try_emplace(&CU);
  Unit &Result = Known->second;
  if (!New)
    return Result;
  Result.Entries = unitWithEntries(CU);
  if (!Result.Entries)
    return Result;
  Result.Lines = Context.getLineTableForUnit(&CU);
  Result.HasColumns =
      Result.Lines && any_of(Result.Lines->Rows,
                             [](const auto &Row) { return Row.Column != 0; });
  for (const DWARFDebugInfoEntry &E : Result.Entries->dies())
    if (E.getTag() == dwarf::DW_TAG_subprogram)
      forEachRange({Result.Entries, &E}, [&](uint64_t Begin, uint64_t End) {
        Result.Functions.push_back({Begin, End, &E});
      });
  // Of functions with the same code, the last counts.
  sort(Result.Functions, [](const Code &A, const Code &B) {
    return std::tie(A.Begin, A.Die) < std::tie(B.Begin, B.Die);
  });
  return Result;
}

DWARFDie SourceFrames::innermostAt(const Unit &U, uint64_t Address) {
  auto Function = partition_point(
      U.Functions, [&](const Code &C) { return C.Begin <= Address; });
  if (Function == U.Functions.begin() || !(--Function)->contains(Address))
    return DWARFDie();
  const DWARFDie Outermost(U.Entries, Function->Die);
  auto [Known, New] = Inlined.try_emplace(Function->Die);
  if (New)
    forEachInlined(Outermost, [&, &Codes = Known->second](DWARFDie Die) {
      forEachRange(Die, [&](uint64_t Begin, uint64_t End) {
        Codes.push_back({Begin, End, Die.getDebugInfoEntry()});
      });
    });
  for (const Code &C : reverse(Known->second))
    if (C.contains(Address))
      return {U.Entries, C.Die};
  return Outermost;
}

void SourceFrames::countName(DWARFDie Inlined) {
  const auto Language = dwarf::toUnsigned(
      Inlined.getDwarfUnit()->getUnitDIE().find(dwarf::DW_AT_language));
  if (Language == dwarf::DW_LANG_Rust &&
      !Inlined.findRecursively(
          {dwarf::DW_AT_linkage_name, dwarf::DW_AT_MIPS_linkage_name}))
    ++RustWithoutNames;
}

const SourceFrames::Subroutine &SourceFrames::subroutine(DWARFDie Die) {
  auto [Known, New] = Subroutines.try_emplace(Die.getDebugInfoEntry());
  Subroutine &Result = Known->second;
  if (!New)
    return Result;
  Result.Name =
      Die.getSubroutineName(DILineInfoSpecifier::FunctionNameKind::LinkageName);
  if (!Result.Name)
    Result.Name = DILineInfo::BadString;
  Result.StartLine = static_cast<uint32_t>(Die.getDeclLine());
  Result.IsOfSource = Die.getShortName() != nullptr;
  if (Die.isSubprogramDIE())
    return Result;
  countName(Die);
  uint32_t File = 0, Discriminator = 0;
  Die.getCallerFrame(File, Result.CallLine, Result.CallColumn, Discriminator);
  do
    Die = Die.getParent();
  while (Die && !Die.isSubroutineDIE());
  Result.Caller = Die;
  return Result;
}

bool SourceFrames::isDamagedAt(uint64_t Address) {
  DWARFCompileUnit *CU = Context.getCompileUnitForCodeAddress(Address);
  return CU && !unitOf(*CU).Entries;
}

SmallVector<SourceFrame, 4> SourceFrames::at(uint64_t Address,
                                             SourcePlace &Place) {
  SmallVector<SourceFrame, 4> Result;
  DWARFCompileUnit *CU = Context.getCompileUnitForCodeAddress(Address);
  if (!CU)
    return Result;
  const Unit &U = unitOf(*CU);
  DWARFDie Die = innermostAt(U, Address);
  DILineInfo Innermost;
  if (Die && U.Lines)
    U.Lines->getFileLineInfoForAddress(
        {Address, object::SectionedAddress::UndefSection},
        /*Approximate=*/false, CU->getCompilationDir(),
        DILineInfoSpecifier::FileLineInfoKind::RawValue, Innermost);
  uint32_t Line = Innermost.Line, Column = Innermost.Column;
  while (Die) {
    const Subroutine &Is = subroutine(Die);
    const bool HasPlace = Line && (Column || !U.HasColumns);
    Result.push_back({Is.Name, Line, Column, Is.StartLine,
                      U.Lines && Is.IsOfSource && !HasPlace});
    Line = Is.CallLine;
    Column = Is.CallColumn;
    Die = Is.Caller;
  }
  Place.File = std::move(Innermost.FileName);
  Place.CallsNative =
      DILocation::getBaseDiscriminatorFromDiscriminator(
          Innermost.Discriminator) == format::NativeCallDiscriminator;
  return Result;
}
