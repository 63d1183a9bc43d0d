//===- Report/CodeList.h - Versions and hints in finished code -- -*- C++
//-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of decisions in code, where there are no contexts any more: the
// versions of functions that a file defines, and which functions call versions
// and allocation functions that take hints. lto/inspect/ObjectInspector.h reads
// it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_CODELIST_H
#define THERMOCLINE_REPORT_CODELIST_H

#include "thermocline/Report/Writers.h"
#include <map>
#include <string>
#include <vector>

namespace thermocline::report {

/// A definition, by symbol name.
struct CodeFunction {
  std::string Name;
  /// Its calls of versions other than the original, and of functions that take
  /// hints: how often by symbol name.
  std::map<std::string, uint64_t> Calls;
};

struct CodeList {
  std::string File;
  /// All of the file, in any order.
  std::vector<CodeFunction> Functions;
};

/// A symbol name as the name of a version: "f.memprof.2" is version 2 of "f",
/// as is "f.memprof.2.cold", a part of it. What is no version is version 0.
struct VersionSymbol {
  std::string Function;
  uint32_t Version = 0;

  static VersionSymbol parse(llvm::StringRef Symbol);
};

/// The functions that have versions, call versions, or call what takes hints,
/// by name. As text or JSON; docs/decisions.md describes both.
void write(const CodeList &List, Format As, llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
