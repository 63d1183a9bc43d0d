//===- plugin/OutputFiles.h - What LTO hands to the linker ---- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The objects that LTO makes for the linker, one file for each task. Temporary
// files are removed when the linker has read them. Linkers read at different
// times, and some do not ask for the removal if the link fails. So the end of
// the process removes them, too.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_OUTPUTFILES_H
#define THERMOCLINE_LTO_PLUGIN_OUTPUTFILES_H

#include "llvm/Support/Caching.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace thermocline::lto::plugin {

class OutputFiles {
public:
  ~OutputFiles();

  /// \p Kept: the file of the first task, others get their number behind it;
  /// empty for temporary files.
  void begin(unsigned NumTasks, std::string Kept);

  /// Opens the file of a task. Each is asked for once; several threads may ask.
  llvm::Expected<std::unique_ptr<llvm::CachedFileStream>> open(unsigned Task);

  /// The files that were written, by task.
  std::vector<std::string> written() const;

  /// Removes the temporary ones.
  void removeTemporaries();

private:
  std::string Kept;
  std::vector<std::string> Paths;
};

} // namespace thermocline::lto::plugin

#endif
