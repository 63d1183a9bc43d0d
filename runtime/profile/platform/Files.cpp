//===- profile/platform/Files.cpp - Files below stdio ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Files.h"
#include "Memory.h"
#include "System.h"
#include "Thread.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

using namespace thermocline::runtime;
using sys::asLong;

bool sys::exists(const char *Path) {
  return sys::call(SYS_faccessat, AT_FDCWD, asLong(Path), 0) == 0;
}

char *sys::readFile(const char *Path, size_t &Size, size_t &MappedSize) {
  long Fd = sys::call(SYS_openat, AT_FDCWD, asLong(Path), O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return nullptr;
  MappedSize = 16 * pageBytes();
  char *Data = static_cast<char *>(sys::mapPages(MappedSize));
  Size = 0;
  while (Data) {
    if (Size + 1 == MappedSize) {
      auto *Larger = static_cast<char *>(sys::mapPages(2 * MappedSize));
      if (Larger)
        copyBytes(Larger, Data, Size);
      sys::unmapPages(Data, MappedSize);
      Data = Larger;
      if (!Data)
        break;
      MappedSize *= 2;
    }
    long Count = sys::call(SYS_read, Fd, asLong(Data + Size),
                           static_cast<long>(MappedSize - Size - 1));
    if (Count == 0)
      break;
    if (Count < 0) {
      sys::unmapPages(Data, MappedSize);
      Data = nullptr;
      break;
    }
    Size += static_cast<size_t>(Count);
  }
  sys::call(SYS_close, Fd);
  return Data;
}

long sys::writeAll(int Fd, const void *Data, size_t Size) {
  const char *Next = static_cast<const char *>(Data);
  while (Size) {
    long Count =
        sys::call(SYS_write, Fd, asLong(Next), static_cast<long>(Size));
    if (Count == -EINTR)
      continue;
    if (Count <= 0)
      return Count ? Count : -EIO;
    Next += Count;
    Size -= static_cast<size_t>(Count);
  }
  return 0;
}

const char *sys::errorText(long Result) {
  switch (-Result) {
  case EPERM:
    return "Operation not permitted";
  case ENOENT:
    return "No such file or directory";
  case EIO:
    return "Input/output error";
  case EACCES:
    return "Permission denied";
  case EEXIST:
    return "File exists";
  case ENOTDIR:
    return "Not a directory";
  case EISDIR:
    return "Is a directory";
  case EMFILE:
  case ENFILE:
    return "Too many open files";
  case EFBIG:
    return "File too large";
  case ENOSPC:
    return "No space left on device";
  case EROFS:
    return "Read-only file system";
  case EPIPE:
    return "Broken pipe";
  case ENAMETOOLONG:
    return "File name too long";
  case EDQUOT:
    return "Disk quota exceeded";
  case EBADF:
    return "The descriptor is closed";
  case EAFNOSUPPORT:
    return "Address family not supported";
  case EADDRINUSE:
    return "Address already in use";
  default:
    return "The system reports an error";
  }
}

bool sys::separateDescriptors() {
  if (sys::call(SYS_close_range, 0, UINT32_MAX, CLOSE_RANGE_UNSHARE) != 0)
    return false;
  thisThread().HasOwnDescriptors = true;
  return true;
}

int sys::borrowDescriptor(int Number) {
  if (!thisThread().HasOwnDescriptors)
    return Number;
  int Process =
      static_cast<int>(sys::call(SYS_pidfd_open, sys::processId(), 0));
  if (Process < 0)
    return Process;
  int Result = static_cast<int>(sys::call(SYS_pidfd_getfd, Process, Number, 0));
  sys::call(SYS_close, Process);
  return Result;
}

/// Opens the program's standard error, if it is a pipe or a terminal. In a file
/// text would lie where the program goes on to write.
static long openErrorAgain() {
  // Whoever reads a pipe may be gone.
  const long Result =
      sys::call(SYS_openat, AT_FDCWD, asLong("/proc/self/fd/2"),
                O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  struct stat Kind = {};
  if (Result < 0)
    return Result;
  if (sys::call(SYS_fstat, Result, asLong(&Kind)) == 0 &&
      (S_ISFIFO(Kind.st_mode) || S_ISCHR(Kind.st_mode))) {
    sys::call(SYS_fcntl, Result, F_SETFL, O_APPEND);
    return Result;
  }
  sys::call(SYS_close, Result);
  return -EPERM;
}

int sys::borrowStandardError() {
  // A filter of system calls may end the process that borrows a descriptor:
  // that of systemd for services does.
  if (thisThread().HasOwnDescriptors &&
      sys::call(SYS_prctl, PR_GET_SECCOMP) != 0)
    return static_cast<int>(openErrorAgain());
  return borrowDescriptor(2);
}

void sys::returnDescriptor(int Borrowed) {
  if (Borrowed >= 0 && thisThread().HasOwnDescriptors)
    sys::call(SYS_close, Borrowed);
}

//===-- Signals of writes -------------------------------------------------===//

static constexpr uint64_t maskOf(int Signal) {
  return uint64_t(1) << (Signal - 1);
}
static constexpr uint64_t WriteSignals = maskOf(SIGPIPE) | maskOf(SIGXFSZ);

sys::QuietWrites::QuietWrites() {
  OldMask = sys::blockSignals(WriteSignals);
  sys::call(SYS_rt_sigpending, asLong(&PendingBefore), sizeof(PendingBefore));
}

sys::QuietWrites::~QuietWrites() {
  // The kernel sent them to this thread; whoever blocks one already has at most
  // one of each pending.
  uint64_t Ours = WriteSignals & ~PendingBefore;
  timespec Now = {0, 0};
  while (sys::call(SYS_rt_sigtimedwait, asLong(&Ours), 0, asLong(&Now),
                   sizeof(Ours)) > 0) {
  }
  sys::setBlockedSignals(OldMask);
}
