//===- Annotate/PGOProfileFile.h - The profile clang was given --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_PGOPROFILEFILE_H
#define THERMOCLINE_ANNOTATE_PGOPROFILEFILE_H

#include <string>

namespace llvm {
class PassBuilder;
}

namespace thermocline::annotate {

/// The file given to clang's -fmemory-profile-use= or, failing that,
/// -fprofile-use=; empty if neither was given.
std::string pgoProfileFile(const llvm::PassBuilder &PB);

} // namespace thermocline::annotate

#endif
