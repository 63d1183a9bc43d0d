//===- lto/link/LinkSetup.cpp - What a driver knows of a link -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkSetup.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;

lto::Backends lto::compilerOfIndexes(StringRef RemoteCompiler) {
  return sys::path::filename(RemoteCompiler).starts_with("thermo-backend")
             ? Backends::Thermocline
             : Backends::Stock;
}
