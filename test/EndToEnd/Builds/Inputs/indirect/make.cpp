// Who makes buffers: one helper for all, so that only the caller tells them
// apart.
#include "make.h"
#include <cstdlib>
#include <cstring>

static std::atomic<int> Sum;

__attribute__((noinline)) static char *fill(char *Buffer, size_t Size) {
  memset(Buffer, 1, Size);
  return Buffer;
}

__attribute__((noinline)) static char *allocate(size_t Size) {
  return fill(static_cast<char *>(malloc(Size)), Size);
}

char *makePlain(size_t Size) {
  char *Result = allocate(Size);
  Sum += Result[0];
  return Result;
}

char *Bytes::make(size_t Size) {
  char *Result = allocate(Size);
  Sum += Result[Size - 1];
  return Result;
}

char *Letters::make(size_t Size) {
  char *Result = fill(new char[Size], Size);
  Sum += Result[Size / 2];
  return Result;
}
