//===- Instrument/KeepFrames.h - A frame for each call ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime finds calling contexts by frame pointers, and a frame's function
// and line by debug information. The config file asks clang for both, but
// flags of the project come after it: -fomit-frame-pointer,
// -foptimize-sibling-calls, -fno-asynchronous-unwind-tables, -g0.
//
// What is an attribute of functions is set here whatever the flags say. There
// is no debug information to be had from a module without it, so that is
// reported.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_KEEPFRAMES_H
#define THERMOCLINE_INSTRUMENT_KEEPFRAMES_H

#include "llvm/IR/PassManager.h"

namespace thermocline::instrument {

/// The first of all passes: lets each function of a module that calls another
/// have a frame pointer, make its calls as calls, and have unwind tables. Warns
/// if nothing in the module can be found again by its debug information.
class KeepFramesPass : public llvm::PassInfoMixin<KeepFramesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace thermocline::instrument

#endif
