//===- plugin/Onload.cpp - Where linkers enter ----------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugin.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using thermocline::lto::plugin::Plugin;

static ld_plugin_status claimFile(const ld_plugin_input_file *File,
                                  int *Claimed) {
  bool IsOurs = false;
  ld_plugin_status Status = Plugin::get().claimFile(*File, IsOurs);
  *Claimed = IsOurs;
  return Status;
}

static ld_plugin_status allSymbolsRead() {
  return Plugin::get().allSymbolsRead();
}

static ld_plugin_status cleanup() { return Plugin::get().cleanup(); }

/// LLVM's fatal errors are the link's. If the linker does not end here, LLVM
/// ends the process.
static void onFatalError(void *, const char *Reason, bool) {
  Plugin::get().linker().fatal(Reason);
}

extern "C" ld_plugin_status onload(ld_plugin_tv *Vector);
ld_plugin_status onload(ld_plugin_tv *Vector) {
  static bool IsInitialized = false;
  if (!std::exchange(IsInitialized, true)) {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers();
    install_fatal_error_handler(onFatalError);
  }
  return Plugin::get().load(Vector, {claimFile, allSymbolsRead, cleanup});
}
