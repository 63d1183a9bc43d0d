//===- Raw/ProfiledBinaries.h - All binaries of a process -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw profile holds a whole process: addresses of the program and of its
// libraries, with the build id of each. Here are those of these binaries that
// the user named. Build ids tell which is which. So several processes may have
// run different ones of them, at any addresses.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_PROFILEDBINARIES_H
#define THERMOCLINE_PROFILE_RAW_PROFILEDBINARIES_H

#include "thermocline/Profile/Program/BinaryFiles.h"
#include "thermocline/Profile/Raw/ProfiledBinary.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace thermocline::profile {

class ProfiledBinaries {
public:
  /// Returns the errors of BinaryFiles::list() and ProfiledBinary::open().
  static llvm::Expected<std::unique_ptr<ProfiledBinaries>>
  open(const BinaryOptions &Options);

  /// Finds the binaries that \p Raw's process ran. An error if it ran none of
  /// them, unless that may be: then they are the wrong ones. To be called
  /// before symbolize, again for every raw profile.
  llvm::Error locate(const RawProfile &Raw);

  /// Returns an error if a file that was given, or all files of a directory
  /// that was given, were in none of the processes that were located.
  llvm::Error checkAllRan() const;

  /// Looks up \p Addresses of the located process, all of a binary at once, so
  /// that symbolize() need not ask for each.
  void prepare(llvm::ArrayRef<uint64_t> Addresses) {
    forEachIn(Addresses, &ProfiledBinary::prepare);
  }
  /// Does the same for ProfiledBinary::linesAt().
  void prepareLines(llvm::ArrayRef<uint64_t> Addresses) {
    forEachIn(Addresses, &ProfiledBinary::prepareLines);
  }

  /// The frames of the call at \p Address of the located process. The result
  /// stays valid until locate.
  const SymbolizedAddress &symbolize(uint64_t Address);

  /// The binary of the located process that \p Address is in; null if it is in
  /// none, or in several.
  ProfiledBinary *at(uint64_t Address) const;

  /// Whether any of the files cannot be read, or only in part.
  bool anyDamaged() const;

  /// All that any process ran, in the order in which they were met: those that
  /// were given, then those found in directories. Owned by this object.
  std::vector<ProfiledBinary *> all() const;
  /// Whether one file was given, and nothing else.
  bool isOneFile() const {
    return Files.sources().size() == 1 && !Files.sources().front().IsDirectory;
  }

  /// Libraries with debug information that any process ran and that were not
  /// given, as far as the binaries that were given need them: their paths.
  std::vector<std::string> notGiven();

  /// Names of all functions that symbolize met.
  FunctionNames names() const;
  /// Problems of files, one sentence for each: debug files of another build,
  /// files of directories that cannot be read.
  std::vector<std::string> problems() const;

  /// "PROGRAM", "PROGRAM and 2 more": for messages.
  std::string describe() const;

private:
  ProfiledBinaries();
  llvm::Error openOne(const BuildId &Id, const ChosenBinary &File);
  llvm::Error openGiven();
  void findShared(const RawProfile &Raw);
  void forEachIn(llvm::ArrayRef<uint64_t> Addresses,
                 void (ProfiledBinary::*Prepare)(llvm::ArrayRef<uint64_t>));

  BinaryOptions Options;
  std::shared_ptr<ReaderProcess> Process;
  ProgramReader Reader;
  BinaryFiles Files;
  std::vector<std::unique_ptr<ProfiledBinary>> Opened;
  /// Null for those that cannot be opened.
  std::map<BuildId, ProfiledBinary *> ById;
  /// Why these cannot, one sentence for each.
  std::vector<std::string> Unopened;
  /// Where the located process ran them, by address, and addresses that several
  /// objects had.
  struct Place {
    uint64_t Begin, End;
    ProfiledBinary *Binary;
  };
  std::vector<Place> Places, Shared;
  /// The build ids that any process ran, and the first such process: its
  /// profile, and the build id of its program.
  std::set<BuildId> Ran;
  /// The build ids of other objects that processes ran.
  std::set<BuildId> Others;
  std::string FirstProfile, FirstProgram;
};

} // namespace thermocline::profile

#endif
