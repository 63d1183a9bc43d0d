//===- Support/Version.cpp - What version this is -------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Version.h"
#include "llvm/Config/llvm-config.h"

using namespace llvm;

StringRef thermocline::version() { return THERMOCLINE_VERSION; }

void thermocline::printVersion(raw_ostream &OS, StringRef Tool) {
  OS << Tool << " (Thermocline " << version() << ", LLVM " LLVM_VERSION_STRING
     << ")\n";
}
