//===- thermo-profdata/Progress.h - Progress on a terminal ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shows progress in one line on standard error that is overwritten. Shows
// nothing if that is no terminal.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_PROGRESS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_PROGRESS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace thermocline::profdata {

class Progress {
public:
  Progress() : Shown(llvm::errs().is_displayed()) {}
  ~Progress() { clear(); }

  void step(const llvm::Twine &What) {
    if (!Shown)
      return;
    clear();
    llvm::errs() << What;
    llvm::errs().flush();
  }

  void clear() {
    if (Shown)
      llvm::errs() << "\r\x1b[K";
  }

private:
  const bool Shown;
};

} // namespace thermocline::profdata

#endif
