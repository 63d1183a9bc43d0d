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
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

LLD_HAS_DRIVER(elf)

/// Whether stock compilers do the backends' work: written indexes are all that
/// they get.
static bool compilesElsewhere(llvm::ArrayRef<const char *> Arguments) {
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  llvm::SmallVector<const char *, 256> Expanded(Arguments.drop_front());
  llvm::cl::ExpandResponseFiles(Saver, llvm::cl::TokenizeGNUCommandLine,
                                Expanded);
  return llvm::any_of(Expanded, [](llvm::StringRef Argument) {
    if (!Argument.consume_front("--"))
      Argument.consume_front("-");
    Argument.consume_front("plugin-opt=");
    return Argument == "thinlto-index-only" ||
           Argument.starts_with("thinlto-index-only=") ||
           Argument == "thinlto-distributor" ||
           Argument.starts_with("thinlto-distributor=");
  });
}

int main(int argc, char **argv) {
  llvm::InitLLVM Init(argc, argv);
  llvm::sys::Process::UseANSIEscapeCodes(true);

  llvm::SmallVector<const char *, 256> Arguments(argv, argv + argc);
  if (compilesElsewhere(Arguments))
    thermocline::lto::LinkSession::get().setCompilesElsewhere();
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
