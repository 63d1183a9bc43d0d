// Loaded before libc: every write to a regular file fails as on a full disk.

#define _GNU_SOURCE
#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int isRegular(int FD) {
  struct stat Status;
  return !fstat(FD, &Status) && S_ISREG(Status.st_mode);
}

ssize_t write(int FD, const void *Data, size_t Size) {
  if (!isRegular(FD))
    return syscall(SYS_write, FD, Data, Size);
  errno = ENOSPC;
  return -1;
}

int posix_fallocate(int FD, off_t Offset, off_t Length) { return ENOSPC; }
int posix_fallocate64(int FD, off64_t Offset, off64_t Length) { return ENOSPC; }

int ftruncate(int FD, off_t Length) {
  errno = ENOSPC;
  return -1;
}
int ftruncate64(int FD, off64_t Length) { return ftruncate(FD, Length); }
