//===- thermo-lto/Resolutions.h - Which definition counts ----- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbol resolutions, as a linker would make them: from the command line, or
// from the file that lld and the linker plugins save with --save-temps
// (OUTPUT.resolution.txt), by which their link can be repeated.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_LTO_RESOLUTIONS_H
#define THERMOCLINE_TOOLS_THERMO_LTO_RESOLUTIONS_H

#include "llvm/LTO/LTO.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace thermocline::tools {

/// Symbol resolutions by file and symbol, each to be used once or more.
class ResolutionTable {
public:
  /// Adds \p Text, which is "FILE,SYMBOL,FLAGS" with flags out of p, l, x, r.
  llvm::Error add(llvm::StringRef Text);

  /// Adds what the resolution file \p Name says, and its inputs to \p Inputs,
  /// in their order. The error names file and line.
  llvm::Error addFile(llvm::StringRef Name, std::vector<std::string> &Inputs);

  /// The resolutions of the symbols of \p Input in their order. A symbol that
  /// occurs several times (as in module assembly) takes one after the other.
  llvm::Expected<std::vector<llvm::lto::SymbolResolution>>
  take(llvm::StringRef File, llvm::lto::InputFile &Input);

  /// Returns an error for each resolution whose symbol no file had.
  llvm::Error unused() const;

private:
  llvm::Error add(const llvm::Twine &Where, llvm::StringRef File,
                  llvm::StringRef Symbol, llvm::StringRef Flags);

  std::map<std::pair<std::string, std::string>,
           std::vector<llvm::lto::SymbolResolution>>
      Given;
};

} // namespace thermocline::tools

#endif
