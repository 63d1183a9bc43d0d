//===- Plugin/Plugin.cpp - Entry point of Thermocline.so ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point that stock clang calls after `-fpass-plugin=Thermocline.so`.
// The passes do nothing unless their options ask for it.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "thermocline/Annotate/Register.h"
#include "thermocline/Instrument/Register.h"
#include "thermocline/Support/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

/// Whether the passes of \p PB are not registered yet: two config files may
/// both load the plugin. What lives as long as the compile remembers it.
static bool isFirst(PassBuilder &PB) {
  static constexpr StringLiteral Mark = "thermocline::plugin";
  PassInstrumentationCallbacks *Names = PB.getPassInstrumentationCallbacks();
  if (!Names)
    return true;
  if (!Names->getPassNameForClassName(Mark).empty())
    return false;
  Names->addClassToPassName(Mark, "thermocline");
  return true;
}

static_assert(LLVM_VERSION_MAJOR == 22 && LLVM_VERSION_MINOR == 1,
              "Thermocline is made for LLVM 22.1");

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  static const std::string Version = thermocline::version().str();
  return {LLVM_PLUGIN_API_VERSION, "Thermocline", Version.c_str(),
          [](PassBuilder &PB) {
            if (!isFirst(PB))
              return;
            thermocline::instrument::registerPasses(
                PB, thermocline::plugin::instrumentOptions());
            thermocline::annotate::registerPasses(
                PB, thermocline::plugin::annotateOptions());
          }};
}
