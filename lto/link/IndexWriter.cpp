//===- lto/link/IndexWriter.cpp - Where LLVM writes indexes ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's LTO writes the indexes of modules itself, in parallel, and a
// distributor reads them before the link is over. So its calls of
// writeIndexToFile() are redirected here by the linker's --wrap, which is part
// of how this library is linked.
//
//===----------------------------------------------------------------------===//

#include "LinkSession.h"
#include "program/IndexChecksum.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeWriter.h"

using namespace llvm;
using namespace thermocline::lto;

// The names that --wrap gives to LLVM's function and to what stands in its
// place.
void writeIndexByLLVM(
    const ModuleSummaryIndex &Index, raw_ostream &OS,
    const ModuleToSummariesForIndexTy *Summaries,
    const GVSummaryPtrSet *Declarations) asm("__real_" THERMOCLINE_WRITE_INDEX);
void writeIndexHere(
    const ModuleSummaryIndex &Index, raw_ostream &OS,
    const ModuleToSummariesForIndexTy *Summaries,
    const GVSummaryPtrSet *Declarations) asm("__wrap_" THERMOCLINE_WRITE_INDEX);

void writeIndexHere(const ModuleSummaryIndex &Index, raw_ostream &OS,
                    const ModuleToSummariesForIndexTy *Summaries,
                    const GVSummaryPtrSet *Declarations) {
  if (!LinkSession::get().hasDecided()) {
    writeIndexByLLVM(Index, OS, Summaries, Declarations);
    return;
  }
  SmallString<0> Bitcode;
  raw_svector_ostream Buffer(Bitcode);
  writeIndexByLLVM(Index, Buffer, Summaries, Declarations);
  if (Error E = writeWithChecksum(Bitcode, OS))
    LinkSession::get().fail(toString(std::move(E)));
}
