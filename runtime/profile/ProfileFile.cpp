//===- profile/ProfileFile.cpp - A file that appears whole or not at all --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileFile.h"
#include "Memory.h"
#include "System.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

static long address(const void *Pointer) {
  return reinterpret_cast<long>(Pointer);
}

FileWriter::FileWriter(int Fd)
    : Fd(Fd), Buffer(static_cast<char *>(sys::mapPages(BufferBytes))) {
  Failed = !Buffer;
}

FileWriter::~FileWriter() {
  if (Buffer)
    sys::unmapPages(Buffer, BufferBytes);
}

void FileWriter::write(const void *Data, size_t Size) {
  auto *Next = static_cast<const char *>(Data);
  Written += Size;
  while (Size && !Failed) {
    if (Used == BufferBytes)
      flush();
    size_t Part = BufferBytes - Used < Size ? BufferBytes - Used : Size;
    copyBytes(Buffer + Used, Next, Part);
    Used += Part;
    Next += Part;
    Size -= Part;
  }
}

bool FileWriter::flush() {
  if (!Failed && !sys::writeAll(Fd, Buffer, Used))
    Failed = true;
  Used = 0;
  return !Failed;
}

static void complain(const char *What, const FixedString &Path, long Error) {
  TextWriter Message(2);
  Message << "Thermocline: " << What << " " << Path.text();
  if (Error < 0)
    Message << " (error " << static_cast<uint64_t>(-Error) << ")";
  Message << "; this profile is lost\n";
}

void ProfileFile::setPath(const char *Path, int ProcessId) {
  Final.clear();
  Final << Path << "." << static_cast<uint64_t>(ProcessId);
  Written.clear();
}

void ProfileFile::startNew() { Written.clear(); }

int ProfileFile::open() {
  Temporary.clear();
  Temporary << Final.text() << ".tmp";
  // Room for ".tmp" and a number.
  if (Temporary.size() + 16 > 4095 || Temporary.overflowed()) {
    complain("path too long:", Final, 0);
    return -1;
  }
  long Fd = sys::call(SYS_openat, AT_FDCWD, address(Temporary.text()),
                      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (Fd < 0)
    complain("cannot write", Temporary, Fd);
  return static_cast<int>(Fd);
}

/// Renames, but not over a file that exists.
static long renameIfFree(const char *From, const char *To) {
  long Result = sys::call(SYS_renameat2, AT_FDCWD, address(From), AT_FDCWD,
                          address(To), RENAME_NOREPLACE);
  if (Result != -EINVAL && Result != -ENOSYS)
    return Result;
  // A file system that does not know the flag.
  Result = sys::call(SYS_link, address(From), address(To));
  if (Result == 0)
    sys::call(SYS_unlink, address(From));
  return Result;
}

bool ProfileFile::close(int Fd, bool Complete) {
  sys::call(SYS_close, Fd);
  if (!Complete) {
    complain("cannot write all of", Temporary, 0);
    sys::call(SYS_unlink, address(Temporary.text()));
    return false;
  }
  if (!Written.empty()) {
    long Result = sys::call(SYS_rename, address(Temporary.text()),
                            address(Written.text()));
    if (Result < 0)
      complain("cannot replace", Written, Result);
    return Result == 0;
  }
  constexpr uint64_t MaxNumber = 1000000;
  for (uint64_t Number = 0; Number != MaxNumber; ++Number) {
    Written.clear();
    Written << Final.text();
    if (Number)
      Written << "." << Number;
    long Result = renameIfFree(Temporary.text(), Written.text());
    if (Result == 0)
      return true;
    if (Result != -EEXIST) {
      complain("cannot write", Written, Result);
      break;
    }
  }
  sys::call(SYS_unlink, address(Temporary.text()));
  Written.clear();
  return false;
}
