//===- lto/lld/LinkInputs.h - What else the link defines ------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a hint may be lowered to a function of the program's own only if the
// link has that function. Otherwise the link would fail. But lld does not tell
// LTO about symbols in shared libraries, or about undefined ones. So the inputs
// on the command line are searched, and only if no bitcode defines such a
// function.
//
// Libraries are found as lld finds them. Files that linker scripts name, and
// symbols that scripts define, are not searched. A function that only those
// have is taken for undefined, which costs its hints and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LLD_LINKINPUTS_H
#define THERMOCLINE_LTO_LLD_LINKINPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>
#include <vector>

namespace thermocline::lto {

class LinkInputs {
public:
  /// \p Arguments for lld without the program, response files expanded.
  static LinkInputs parse(llvm::ArrayRef<const char *> Arguments);

  /// Objects, archives and libraries, and other files on the command line.
  llvm::ArrayRef<std::string> files() const { return Files; }

  /// Whether any of them defines \p Symbol for others. Reads them all when it
  /// is first called. What cannot be read is lld's to complain of.
  bool defines(llvm::StringRef Symbol);

private:
  std::vector<std::string> Files;
  std::optional<llvm::StringSet<>> Defined;
};

} // namespace thermocline::lto

#endif
