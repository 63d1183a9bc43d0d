//===- Plugin/Options.h - The plugin's command line -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All options of Thermocline.so, filled into the plain structs that the stages
// take. clang parses them (-Xclang -mllvm -Xclang -thermocline-...) after it
// has loaded the plugin and before the plugin's passes are registered.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PLUGIN_OPTIONS_H
#define THERMOCLINE_LIB_PLUGIN_OPTIONS_H

#include "thermocline/Annotate/Options.h"
#include "thermocline/Instrument/Options.h"

namespace thermocline::plugin {

/// What the command line asks of the Instrument stage.
instrument::InstrumentOptions instrumentOptions();

/// What the command line asks of the Annotate stage.
annotate::AnnotateOptions annotateOptions();

} // namespace thermocline::plugin

#endif
