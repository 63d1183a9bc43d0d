//===- Indexed/YamlProfile.h - LLVM's YAML of memory profiles ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form in which people write memory profiles by hand, as LLVM's own tests
// do. llvm-profdata show --memory prints it, and merge reads it. LLVM's traits
// (llvm/ProfileData/MemProfYAML.h) define it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_YAMLPROFILE_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_YAMLPROFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace thermocline::profile {

/// Whether \p Contents begins as LLVM's YAML profiles do.
bool isYaml(llvm::StringRef Contents);

/// Makes an indexed profile of the YAML \p Contents of the file \p Path, by
/// LLVM's writer. Errors name the file, and the line or the record.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
indexYaml(llvm::StringRef Path, llvm::StringRef Contents,
          llvm::function_ref<void(const llvm::Twine &)> Warn);

/// The YAML of the indexed profile \p Contents, as llvm-profdata show --memory
/// prints it. LLVM's reader trusts the bytes, so they must be those of a
/// writer of this process.
llvm::Expected<std::string> toYaml(llvm::StringRef Contents);

} // namespace thermocline::profile

#endif
