//===- lto/Polly.cpp - LLVM without Polly ---------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LTOBackend registers Polly's passes if it was built with Polly, as Debian's
// was. Polly is off unless asked for by an option that is then unknown.
//
//===----------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "absent",
          [](llvm::PassBuilder &) {}};
}
