//===- thermo-profdata/RawCalls.h - Calls of a raw profile ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names the calls of a raw profile. It has all calls, including those in shared
// libraries, which an indexed profile cannot hold. A call is named by its
// function if the program or library is given, or else by its offset in the
// object with that build id.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_RAWCALLS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_RAWCALLS_H

#include "thermocline/Profile/Raw/ProfiledBinaries.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include <memory>

namespace thermocline::profdata {

struct ProfileSettings;

/// The place of a call.
struct RawCall {
  /// The address in the profiled process.
  uint64_t Address = 0;
  /// Whether an object of the profile has it; the next two are of that object.
  bool IsInObject = false;
  /// The build id in hexadecimal digits; empty if the object has none.
  std::string BuildId;
  /// The offset from where the object was loaded.
  uint64_t Offset = 0;
  /// The name of the given file that has it, without directory; else empty.
  std::string File;
  /// Whether that is the program or a library of its own.
  bool IsOwn = false;
  /// Innermost first; empty if \c File does not tell.
  llvm::SmallVector<profile::SourceLine, 2> Lines;
};

class RawCalls {
public:
  /// \p Own are the program and libraries of its own, \p Others further
  /// libraries; \p MayBeUnused are some that nobody named. Each may be none. \p
  /// OfSeveral processes, each need not have run any of \p Others.
  /// \returns an error if a file cannot be read.
  static llvm::Expected<RawCalls>
  open(const profile::BinaryOptions &Own, llvm::ArrayRef<std::string> Others,
       bool OfSeveral = false, llvm::ArrayRef<std::string> MayBeUnused = {});

  /// Opens them for the process of \p Raw alone, to which it turns, and in
  /// which each file that is named must have been.
  static llvm::Expected<RawCalls> of(const profile::RawProfile &Raw,
                                     const profile::BinaryOptions &Own,
                                     llvm::ArrayRef<std::string> Others);

  /// Turns to \p Profile, which must outlive its use, as often as there are
  /// processes. Debug information is read once for all of them. \returns an
  /// error if the process ran nothing of \c Own, or of \c Others.
  llvm::Error locate(const profile::RawProfile &Profile);
  /// Is called when all were located. \returns an error if a file that was
  /// named was in none of the processes, and warns of what is wrong with files.
  llvm::Error finish() const;

  /// Looks up all calls of the located process at once, for who asks for most
  /// of them.
  void prepareAll();

  RawCall at(uint64_t Address) const;

  /// The program and its own libraries; null if none is given. They stay
  /// located, for who symbolizes stacks.
  profile::ProfiledBinaries *own() const { return Own.get(); }

private:
  RawCalls() = default;

  const profile::RawProfile *Raw = nullptr;
  /// The program and its libraries, others, and those nobody named; null
  /// without such.
  std::unique_ptr<profile::ProfiledBinaries> Own, Others, Found;
};

/// Reads the raw profile of a command. \returns an error also if the settings
/// ask for what only merged profiles have, or if an option of the command alone
/// does so: then \p Refusal says it, a sentence without its end. Else it is
/// empty.
llvm::Expected<profile::RawProfile> readRaw(const ProfileSettings &Settings,
                                            llvm::StringRef Refusal);

/// The contexts by their bytes, as all lists have them.
std::vector<const profile::RawContext *>
bytesDescending(const profile::RawProfile &Raw);

} // namespace thermocline::profdata

#endif
