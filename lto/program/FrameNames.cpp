//===- lto/program/FrameNames.cpp - Names of inlined functions ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameNames.h"
#include "thermocline/Annotate/InlinedStack.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;

void thermocline::lto::addFrameNames(const Module &M,
                                     profile::FunctionNames &Names,
                                     profile::FrameTable *Frames) {
  annotate::InlinedStackReader Stacks(M);
  for (const Function &F : M) {
    Names.add(F.getName());
    for (const Instruction &I : instructions(F)) {
      // A call whose contexts are all alike may have none of them.
      if (!I.hasMetadata(LLVMContext::MD_callsite) &&
          !I.hasMetadata(LLVMContext::MD_memprof) &&
          !(Frames && isa<CallBase>(I)))
        continue;
      for (const DILocation *Location = I.getDebugLoc(); Location;
           Location = Location->getInlinedAt())
        if (const DISubprogram *Subprogram =
                Location->getScope()->getSubprogram()) {
          const StringRef Name = Stacks.nameOf(*Subprogram);
          Names.add(Name);
          Names.addPlace(profile::sourceGUID(Name),
                         {profile::displayPath(Subprogram->getFilename()),
                          Subprogram->getLine()});
        }
      if (!Frames)
        continue;
      for (const annotate::SourceFrame &Frame : Stacks.read(I))
        Frames->add(memprof::Frame(Frame.Function, Frame.LineOffset,
                                   Frame.Column,
                                   /*IsInlineFrame=*/false));
    }
  }
}
