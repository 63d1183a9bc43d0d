//===- lto/lld/Main.cpp - ld.lld with the engine inside -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LinkSession.h"
#include "lld/Common/Driver.h"
#include "lld/Common/ErrorHandler.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"

LLD_HAS_DRIVER(elf)

int main(int argc, char **argv) {
  llvm::InitLLVM Init(argc, argv);
  llvm::sys::Process::UseANSIEscapeCodes(true);

  llvm::SmallVector<const char *, 256> Arguments(argv, argv + argc);
  bool Linked = lld::elf::link(Arguments, llvm::outs(), llvm::errs(),
                               /*exitEarly=*/true, /*disableOutput=*/false);
  int Status = Linked ? 0 : 1;
  if (Linked)
    if (llvm::Error E = thermocline::lto::LinkSession::get().finish("ld.lld"))
      Status = thermocline::reportFatal("ld.lld", std::move(E));
  // As stock lld does: the linked program is written, and freeing what the link
  // used takes longer than leaving it.
  lld::exitLld(Status);
}
