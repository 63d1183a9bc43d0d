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

/// A raw memory profile is damaged, or a file is empty: what a program that was
/// killed leaves behind. The text names the file.
class DamagedInput : public llvm::ErrorInfo<DamagedInput> {
public:
  static char ID;
  explicit DamagedInput(std::string Text) : Text(std::move(Text)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string Text;
};

/// A profile of any kind. Raw memory profiles, of which there may be many, can
/// be parsed before it is their turn.
struct MergeInput {
  /// Opens the file. Errors name it, and are DamagedInput if it is empty. To be
  /// called by one thread only.
  static llvm::Expected<MergeInput> open(llvm::StringRef Path);

  /// Opens and parses a raw memory profile. Errors name it, and are
  /// DamagedInput if it is empty or damaged.
  static llvm::Expected<MergeInput> openRaw(llvm::StringRef Path);

  /// Parses the file, if it is a raw memory profile that was not parsed yet.
  /// An error is DamagedInput. Any thread may do so.
  llvm::Error parse();

  std::string Path;
  /// Raw needs it.
  std::unique_ptr<llvm::MemoryBuffer> File;
  std::optional<RawProfile> Raw;
};

} // namespace thermocline::profile

#endif
