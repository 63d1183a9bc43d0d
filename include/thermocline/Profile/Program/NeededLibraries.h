//===- Program/NeededLibraries.h - Libraries of a program -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw profile knows the objects of a process by their build ids alone. Those
// that its program was linked with can be found as the dynamic linker would
// find them, by name, and have the build id if they have not changed since.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_PROGRAM_NEEDEDLIBRARIES_H
#define THERMOCLINE_PROFILE_PROGRAM_NEEDEDLIBRARIES_H

#include "thermocline/Profile/Program/ProgramReader.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>

namespace thermocline::profile {

/// The shared libraries that \p Programs need, and those that these need: paths
/// by build id, in small hexadecimal digits. They are looked for in the
/// run paths of who needs them, and in the system's directories. What is not
/// found, or cannot be read, is left out.
std::map<std::string, std::string>
neededLibraries(llvm::ArrayRef<std::string> Programs, ProgramReader &Reader);

} // namespace thermocline::profile

#endif
