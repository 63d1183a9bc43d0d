//===- plugin/LinkerArguments.h - What no callback tells ------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker's own command line is read for what no callback tells. Only gold
// tells plugins of --wrap, and none tells them of --defsym. mold does not take
// --undefined or --entry for a reference, nor -r for an output of another kind.
// A function that one of these options names must not be inlined, hinted or
// dropped.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_LINKERARGUMENTS_H
#define THERMOCLINE_LTO_PLUGIN_LINKERARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace thermocline::lto::plugin {

struct LinkerArguments {
  /// --wrap.
  std::vector<std::string> Wrapped;
  /// The left sides of --defsym.
  std::vector<std::string> Defined;
  /// --undefined, --require-defined, --entry, -init, -fini, and what --defsym
  /// has on its right.
  std::vector<std::string> Referred;
  /// -r.
  bool Relocatable = false;
  /// All of them.
  std::vector<std::string> Words;
  /// The arguments, with response files by their names.
  std::vector<std::string> Unexpanded;
  /// What is to be said of the allocator in the link (AllocatorLink.h).
  std::vector<std::string> Problems;

  /// \p Arguments without the program, response files expanded.
  static LinkerArguments parse(llvm::ArrayRef<llvm::StringRef> Arguments);

  /// Empty where the system does not tell a process its command line.
  static LinkerArguments ofThisProcess();
};

} // namespace thermocline::lto::plugin

#endif
