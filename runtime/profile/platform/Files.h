//===- profile/platform/Files.h - Files below stdio -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files without stdio, by system calls as in System.h.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_FILES_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_FILES_H

#include "Base.h"

namespace thermocline::runtime::sys {

/// Whether there is a file or directory \p Path, which this process may look
/// up.
bool exists(const char *Path);

/// Reads a whole file of unknown size into fresh pages. \returns null if it
/// cannot be read, otherwise \p Size bytes and a final zero, to be given back
/// with unmapPages(\p MappedSize).
char *readFile(const char *Path, size_t &Size, size_t &MappedSize);

/// \returns 0, or -errno if not everything was written.
long writeAll(int Fd, const void *Data, size_t Size);

/// What errno \p -Result means, for messages: libc's own may allocate.
const char *errorText(long Result);

/// Gives this thread file descriptors of its own, none of which are the
/// program's: what it opens is never seen by the program, and it keeps nothing
/// open that the program closes. \returns false if the kernel cannot.
bool separateDescriptors();
/// A descriptor for the file that the program has open as \p Number, to be
/// given back with returnDescriptor(). It is \p Number itself except in a
/// thread with descriptors of its own. Otherwise -errno: EBADF if there is
/// none.
int borrowDescriptor(int Number);
/// Borrows a descriptor for standard error, by nothing that filters of system
/// calls forbid. EPERM if there is no way.
int borrowStandardError();
void returnDescriptor(int Borrowed);

/// While it lives, writing to a closed pipe or beyond the limit of a file's
/// size is an error only, and no signal.
class QuietWrites {
public:
  QuietWrites();
  ~QuietWrites();
  QuietWrites(const QuietWrites &) = delete;
  QuietWrites &operator=(const QuietWrites &) = delete;

private:
  uint64_t OldMask = 0;
  uint64_t PendingBefore = 0;
};

} // namespace thermocline::runtime::sys

#endif
