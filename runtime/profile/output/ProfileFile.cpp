//===- output/ProfileFile.cpp - A file that appears whole or not at all ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileFile.h"
#include "DumpPages.h"
#include "platform/Files.h"
#include "platform/Memory.h"
#include "platform/System.h"
#include "process/Environment.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>

using namespace thermocline;
using namespace thermocline::runtime;

static long address(const void *Pointer) {
  return reinterpret_cast<long>(Pointer);
}

/// The mode of a new file. In a program with more rights only its owner may
/// read it, because a profile shows where a program's code is.
static long newFileMode() { return hasMoreRights() ? 0600 : 0666; }

FileWriter::FileWriter(int Fd)
    : Fd(Fd), Buffer(static_cast<char *>(dumppages::take(BufferBytes))) {
  if (!Buffer)
    Error = -ENOMEM;
}

FileWriter::~FileWriter() {
  if (Buffer)
    dumppages::give(Buffer, BufferBytes);
}

void FileWriter::write(const void *Data, size_t Size) {
  auto *Next = static_cast<const char *>(Data);
  Written += Size;
  while (Size && !Error) {
    if (Used == BufferBytes)
      flush();
    size_t Part = BufferBytes - Used < Size ? BufferBytes - Used : Size;
    copyBytes(Buffer + Used, Next, Part);
    Used += Part;
    Next += Part;
    Size -= Part;
  }
}

void FileWriter::addToHash() {
  if (Hash)
    Hash->add(Buffer + Hashed, Used - Hashed);
  Hashed = Used;
}

void FileWriter::hashInto(format::RunningHash *Digest) {
  addToHash();
  Hash = Digest;
}

bool FileWriter::flush() {
  addToHash();
  if (!Error)
    Error = sys::writeAll(Fd, Buffer, Used);
  Used = Hashed = 0;
  return !Error;
}

bool FileWriter::seek(uint64_t Offset) {
  if (flush())
    if (long Result =
            sys::call(SYS_lseek, Fd, static_cast<long>(Offset), SEEK_SET);
        Result < 0)
      Error = Result;
  return !Error;
}

//===-- Names -------------------------------------------------------------===//

void ProfileFile::setPath(const char *Path) {
  Final.clear();
  Directory.clear();
  Written.clear();
  HasComplained = false;
  // The program may change its directory.
  if (*Path != '/') {
    char Current[4096];
    if (sys::call(SYS_getcwd, address(Current), sizeof(Current)) > 0 &&
        *Current == '/')
      Final << (Current[1] ? Current : "") << "/";
  }
  Final << Path;
  size_t Name = Final.size();
  while (Name && Final.text()[Name - 1] != '/')
    --Name;
  Directory.append(Final.text(), Name);
  // Hidden, so that nobody takes it for a profile if the program is killed.
  Temporary.clear();
  Temporary << (Name ? Directory.text() : "./") << "." << (Final.text() + Name)
            << ".tmp";
  if (!Name)
    Directory << "./";
}

void ProfileFile::complain(const FixedString &Path, long Error) {
  if (HasComplained)
    return;
  HasComplained = true;
  Message() << "cannot write " << Path.text() << ": " << sys::errorText(Error)
            << (Written.empty() ? "; this profile is lost\n"
                                : "; the file keeps what was written before\n");
}

// System calls that every architecture has.

static void removeFile(const char *Path) {
  sys::call(SYS_unlinkat, AT_FDCWD, address(Path), 0);
}

/// The path by which a file without a name is linked.
static void nameDescriptor(int Fd, FixedString &Name) {
  Name << "/proc/thread-self/fd/" << static_cast<uint64_t>(Fd);
}

static long linkDescriptor(int Fd, const FixedString &To) {
  FixedString From;
  nameDescriptor(Fd, From);
  return sys::call(SYS_linkat, AT_FDCWD, address(From.text()), AT_FDCWD,
                   address(To.text()), AT_SYMLINK_FOLLOW);
}

int ProfileFile::create() {
  // Room for a number.
  if (Temporary.size() + 16 > 4095 || Temporary.overflowed()) {
    complain(Final, -ENAMETOOLONG);
    return -1;
  }
  HasTemporaryName = false;
  long Fd = sys::call(SYS_openat, AT_FDCWD, address(Directory.text()),
                      O_TMPFILE | O_WRONLY | O_CLOEXEC, newFileMode());
  if (Fd >= 0) {
    // It can only get a name through /proc.
    FixedString Self;
    nameDescriptor(static_cast<int>(Fd), Self);
    if (sys::exists(Self.text()))
      return static_cast<int>(Fd);
    sys::call(SYS_close, Fd);
  }
  // A file system that has no files without names.
  HasTemporaryName = true;
  // What a killed process of the same number left there goes; what somebody
  // else put there, a link to another file for one, is not written to.
  removeFile(Temporary.text());
  Fd = sys::call(SYS_openat, AT_FDCWD, address(Temporary.text()),
                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, newFileMode());
  if (Fd < 0) {
    complain(Final, Fd);
    return -1;
  }
  return static_cast<int>(Fd);
}

void ProfileFile::discard() {
  if (HasTemporaryName)
    removeFile(Temporary.text());
  HasTemporaryName = false;
}

/// Renames a file, but not over one that exists.
static long renameIfFree(const char *From, const char *To) {
  long Result = sys::call(SYS_renameat2, AT_FDCWD, address(From), AT_FDCWD,
                          address(To), RENAME_NOREPLACE);
  if (Result != -EINVAL && Result != -ENOSYS)
    return Result;
  // A file system that does not know the flag.
  Result =
      sys::call(SYS_linkat, AT_FDCWD, address(From), AT_FDCWD, address(To), 0);
  if (Result == 0)
    removeFile(From);
  return Result;
}

long ProfileFile::giveName(int Fd, const FixedString &To) {
  if (!HasTemporaryName)
    return linkDescriptor(Fd, To);
  long Result = renameIfFree(Temporary.text(), To.text());
  if (Result == 0)
    HasTemporaryName = false;
  return Result;
}

long ProfileFile::replaceWritten(int Fd) {
  if (!HasTemporaryName) {
    // What a killed process of the same number may have left there.
    removeFile(Temporary.text());
    if (long Result = linkDescriptor(Fd, Temporary); Result < 0)
      return Result;
    HasTemporaryName = true;
  }
  long Result = sys::call(SYS_renameat2, AT_FDCWD, address(Temporary.text()),
                          AT_FDCWD, address(Written.text()));
  if (Result == 0)
    HasTemporaryName = false;
  return Result;
}

bool ProfileFile::finish(int Fd, long Error) {
  const FixedString *Path = &Final;
  if (!Error && !Written.empty()) {
    Path = &Written;
    Error = replaceWritten(Fd);
  } else if (!Error) {
    constexpr uint64_t MaxNumber = 1000000;
    FixedString Name;
    uint64_t Number = 0;
    do {
      Name.clear();
      Name << Final.text();
      if (Number)
        Name << "." << Number;
      Error = giveName(Fd, Name);
    } while (Error == -EEXIST && ++Number != MaxNumber);
    if (!Error)
      Written = Name;
  }
  sys::call(SYS_close, Fd);
  if (Error) {
    discard();
    complain(*Path, Error);
    return false;
  }
  HasComplained = false;
  return true;
}
