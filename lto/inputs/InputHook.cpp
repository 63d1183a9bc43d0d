//===- lto/inputs/InputHook.cpp - Where LLVM takes modules ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever links, lld, the plugin or thermo-lto, gives each module of bitcode
// to lto::InputFile::create(), and asks the result for the module's symbols. So
// that call is redirected here by the linker's --wrap, which is part of how
// this library is linked. A module that is changed here may have more symbols
// than in its file: the functions that give cold memory.
//
//===----------------------------------------------------------------------===//

#include "ChangedModule.h"
#include "link/LinkSession.h"
#include "options/LinkOptions.h"
#include "llvm/LTO/LTO.h"
#include <mutex>

using namespace llvm;
using namespace thermocline;
using thermocline::lto::LinkSession;

using Input = Expected<std::unique_ptr<llvm::lto::InputFile>>;

// The names that --wrap gives to LLVM's function and to what stands in its
// place.
Input createInputByLLVM(MemoryBufferRef File) asm(
    "__real_" THERMOCLINE_CREATE_INPUT);
Input createInputHere(MemoryBufferRef File) asm(
    "__wrap_" THERMOCLINE_CREATE_INPUT);

Input createInputHere(MemoryBufferRef File) {
  // What is given to LLVM is read until the link is over.
  static std::vector<std::unique_ptr<MemoryBuffer>> Changed;
  static std::mutex Lock;
  const thermocline::lto::InputOptions Options =
      thermocline::lto::inputOptions();
  if (Options.isNothing())
    return createInputByLLVM(File);
  std::lock_guard<std::mutex> Guard(Lock);
  Expected<std::unique_ptr<MemoryBuffer>> Result =
      thermocline::lto::changedModule(File, Options, [](const Twine &Text) {
        LinkSession::get().warn(Text);
      });
  if (!Result)
    return Result.takeError();
  if (!*Result)
    return createInputByLLVM(File);
  Changed.push_back(std::move(*Result));
  return createInputByLLVM(Changed.back()->getMemBufferRef());
}
