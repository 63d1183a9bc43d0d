//===- Annotate/Register.cpp - Hooks the stage into clang
//-------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Register.h"
#include "llvm/Passes/PassBuilder.h"

void thermocline::annotate::registerPasses(llvm::PassBuilder &PB) {}
