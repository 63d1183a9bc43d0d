//===- plugin/OtherPlugins.h - Who else would claim bitcode --- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds other plugins that would claim bitcode. Clang gives `-plugin
// LLVMgold.so` to GNU ld and gold whenever -flto is on the link line. These
// linkers ask one plugin after the other, and the first takes all bitcode. The
// program would then silently get no hints.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_OTHERPLUGINS_H
#define THERMOCLINE_LTO_PLUGIN_OTHERPLUGINS_H

#include <string>

namespace thermocline::lto::plugin {

/// The path of LLVM's own plugin, if the linker has loaded it to link with;
/// else empty.
std::string loadedLLVMPlugin();

} // namespace thermocline::lto::plugin

#endif
