//===- profile/output/FileName.h - Patterns in profile names ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The name of a profile may have the patterns of LLVM's counters:
//
//   %p  process id          %h  host name         %t  the directory $TMPDIR
//   %b  build id of the program, in hexadecimal   %%  a per cent sign
//   %m, %1m ... %9m  its first 16 digits          %c  nothing: continuous mode
//
// Profiles of several processes cannot share a file, as each has addresses of
// its own: so %m is no pool of merged files, and a name without %p gets ".PID".
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_FILENAME_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_FILENAME_H

#include "platform/Text.h"

namespace thermocline::runtime {

/// What the patterns stand for in this process.
struct NameParts {
  uint64_t ProcessId = 0;
  const char *HostName = "";
  /// Null if not set.
  const char *TemporaryDirectory = nullptr;
  const uint8_t *BuildId = nullptr;
  size_t BuildIdBytes = 0;
  /// This is added in front of the process id, if it is not null.
  const char *ProgramName = nullptr;
  /// This is added at the end.
  const char *Suffix = "";
};

/// Puts the name that \p Pattern stands for into \p Name, and sets \p
/// Continuous if it asks for that. \returns false, with the reason written to
/// \p Error as the end of a sentence about the pattern, if it stands for none.
bool expandFileName(const char *Pattern, const NameParts &Parts,
                    FixedString &Name, bool &Continuous, TextWriter &Error);

/// Whether \p Name is in \p List, of names that are separated by blanks, commas
/// or colons. In these, '*' stands for any text.
bool isListed(const char *Name, const char *List);

} // namespace thermocline::runtime

#endif
