//===- Annotate/InlinedStack.cpp - Where a call is in the source ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/InlinedStack.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/MemProf.h"

using namespace llvm;
using namespace thermocline::annotate;

InlinedStackReader::InlinedStackReader(const Module &M) {
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    ++Definitions;
    const DISubprogram *Subprogram = F.getSubprogram();
    if (!Subprogram)
      continue;
    ++WithDebugInfo;
    FunctionNames.try_emplace(Subprogram, F.getName());
    if (Subprogram->getLinkageName().empty() &&
        Subprogram->getName() != F.getName())
      ++WithoutLinkageName;
  }
}

StringRef InlinedStackReader::nameOf(const DISubprogram &Subprogram) const {
  StringRef Name = Subprogram.getLinkageName();
  if (Name.empty())
    Name = FunctionNames.lookup(&Subprogram);
  if (Name.empty())
    Name = Subprogram.getName();
  // Names given by asm("name") in the source; symbol tables have them without.
  Name.consume_front("\1");
  return Name;
}

GlobalValue::GUID InlinedStackReader::guidOf(const DISubprogram &Subprogram) {
  auto [Entry, Inserted] = GUIDs.try_emplace(&Subprogram);
  if (Inserted)
    Entry->second = profile::sourceGUID(nameOf(Subprogram));
  return Entry->second;
}

InlinedStack InlinedStackReader::read(const Instruction &I) {
  InlinedStack Frames;
  for (const DILocation *Location = I.getDebugLoc(); Location;
       Location = Location->getInlinedAt()) {
    const DISubprogram &Subprogram = *Location->getScope()->getSubprogram();
    uint32_t LineOffset =
        (Location->getLine() - Subprogram.getLine()) & profile::LineOffsetMask;
    Frames.push_back({guidOf(Subprogram), LineOffset, Location->getColumn()});
  }
  return Frames;
}

StringRef thermocline::annotate::flagsForNames(const Module &M) {
  return any_of(M.debug_compile_units(),
                [](const DICompileUnit *Unit) {
                  return Unit->getSourceLanguage().getUnversionedName() ==
                         dwarf::DW_LANG_Rust;
                })
             ? "-Cdebuginfo=1"
             : "-fdebug-info-for-profiling";
}
