//===- thermo-profdata/merge/ReadAhead.h - Read the next input -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raw profiles are parsed in a second thread while the one before is merged.
// That is one file ahead, so that no more than two are in memory.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_READAHEAD_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_READAHEAD_H

#include "thermocline/Profile/Indexed/MergeInput.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ThreadPool.h"
#include <optional>
#include <string>

namespace thermocline::profdata {

class ReadAhead {
public:
  /// \p Inputs are the files, in order.
  explicit ReadAhead(llvm::ArrayRef<std::string> Inputs) : Inputs(Inputs) {}
  ~ReadAhead();

  /// The next file, parsed if it is a raw profile, or what is wrong with it.
  /// There must be one.
  llvm::Expected<profile::MergeInput> take();

private:
  void begin();

  llvm::ArrayRef<std::string> Inputs;
  /// The file that is read at present.
  std::optional<llvm::Expected<profile::MergeInput>> Ahead;
  llvm::DefaultThreadPool Reader{llvm::hardware_concurrency(1)};
};

} // namespace thermocline::profdata

#endif
