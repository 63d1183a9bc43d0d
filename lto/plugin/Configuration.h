//===- plugin/Configuration.h - LTO as the options ask -------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_CONFIGURATION_H
#define THERMOCLINE_LTO_PLUGIN_CONFIGURATION_H

#include "Linker.h"
#include "PluginOptions.h"
#include "llvm/LTO/Config.h"
#include <functional>

namespace thermocline::lto::plugin {

/// \p OnError gets what LTO's diagnostics and hooks have to say of failures,
/// from several threads.
llvm::Expected<llvm::lto::Config>
makeConfiguration(const PluginOptions &Options, const Linker &For,
                  std::function<void(const llvm::Twine &)> OnError);

} // namespace thermocline::lto::plugin

#endif
