//===- Indexed/MergeInput.h - A file to be merged ---------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_INDEXED_MERGEINPUT_H
#define THERMOCLINE_PROFILE_INDEXED_MERGEINPUT_H

#include "thermocline/Profile/Raw/RawProfile.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>

namespace thermocline::profile {

/// A profile of any kind. Raw memory profiles, of which there may be many, can
/// be parsed before it is their turn.
struct MergeInput {
  /// Opens the file. Errors name it. To be called by one thread only.
  static llvm::Expected<MergeInput> open(llvm::StringRef Path);

  /// Parses the file, if it is a raw memory profile that was not parsed yet.
  /// Errors name it. Any thread may do so.
  llvm::Error parse();

  std::string Path;
  /// Raw needs it.
  std::unique_ptr<llvm::MemoryBuffer> File;
  std::optional<RawProfile> Raw;
};

} // namespace thermocline::profile

#endif
