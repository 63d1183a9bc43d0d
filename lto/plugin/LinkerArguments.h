//===- plugin/LinkerArguments.h - What no callback tells ------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker's own command line is read for what no callback tells. Only gold
// tells plugins of --wrap, and none tells them of --defsym or of what scripts
// assign. mold does not take --undefined or --entry for a reference, nor -r for
// an output of another kind. A function that one of these options names must
// not be inlined, hinted or dropped.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_LINKERARGUMENTS_H
#define THERMOCLINE_LTO_PLUGIN_LINKERARGUMENTS_H

#include "link/LinkLine.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace thermocline::lto::plugin {

struct LinkerArguments {
  /// --wrap.
  std::vector<std::string> Wrapped;
  /// What --defsym and linker scripts define.
  std::vector<std::string> Defined;
  /// --undefined, --require-defined, --entry, -init, -fini, and what --defsym
  /// has on its right.
  std::vector<std::string> Referred;
  /// -r.
  bool Relocatable = false;
  /// All of them, response files expanded, without the program.
  std::vector<const char *> Words;
  std::vector<LinkArgument> Line;
  /// All words, with response files by their names, and with the program.
  std::vector<const char *> Unexpanded;
  /// What is to be said of the allocator in the link (AllocatorLink.h).
  std::vector<std::string> Problems;

  /// \p Words without the program, response files expanded. They must outlive
  /// the result.
  static LinkerArguments parse(std::vector<const char *> Words);

  /// Empty where the system does not tell a process its command line.
  static LinkerArguments ofThisProcess();
};

} // namespace thermocline::lto::plugin

#endif
