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
      for (const DILocation *At = I.getDebugLoc(); At; At = At->getInlinedAt())
        if (const DISubprogram *In = At->getScope()->getSubprogram()) {
          const StringRef Name = Stacks.nameOf(*In);
          Names.add(Name);
          Names.addPlace(
              profile::sourceGUID(Name),
              {profile::displayPath(In->getFilename()), In->getLine()});
        }
      if (!Frames)
        continue;
      for (const annotate::SourceFrame &At : Stacks.read(I))
        Frames->add(memprof::Frame(At.Function, At.LineOffset, At.Column,
                                   /*IsInlineFrame=*/false));
    }
  }
}
