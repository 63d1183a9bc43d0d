//===- Annotate/ClangsPass.cpp - When clang's own pass is in vain ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/ClangsPass.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace thermocline;

/// Whether an option of LLVM's own stage was given, which is to have its
/// effect: most of them print something.
static bool anyOptionGiven() {
  return any_of(cl::getRegisteredOptions(), [](const auto &Known) {
    return Known.second->getNumOccurrences() &&
           Known.first.starts_with("memprof-");
  });
}

void thermocline::annotate::leaveOutCallees() {
  auto Found = cl::getRegisteredOptions().find("memprof-attach-calleeguids");
  if (Found != cl::getRegisteredOptions().end() &&
      !Found->second->getNumOccurrences())
    static_cast<cl::opt<bool> *>(Found->second)->setValue(false);
}

bool thermocline::annotate::isClangsPassInVain(const Module &M,
                                               StringRef ProfileFile) {
  const DiagnosticHandler &Handler = *M.getContext().getDiagHandlerPtr();
  // A file of remarks has all of them.
  if (Handler.isAnyRemarkEnabled("memprof") ||
      M.getContext().getLLVMRemarkStreamer() || anyOptionGiven())
    return false;
  auto Profile = profile::IndexedProfile::open(ProfileFile);
  if (!Profile) {
    consumeError(Profile.takeError());
    return false;
  }
  return (*Profile)->hasMemProf() && !(*Profile)->hasDataAccessProfile();
}
