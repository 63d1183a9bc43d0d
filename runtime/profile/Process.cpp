//===- profile/Process.cpp - Ends of a process that run no exit handlers --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// _exit() and the exec family: the profile is written first. An exec that fails
// goes on, and a later profile takes the file's place; one that succeeds and is
// profiled too finds the file there and takes another name. A child of vfork()
// shares its parent's memory and writes nothing (Runtime::dumpAtEnd).
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "System.h"
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace thermocline::runtime;

THERMOCLINE_INTERFACE void _exit(int Status) {
  Runtime::get().dumpAtEnd();
  sys::exitProcess(Status);
}

THERMOCLINE_INTERFACE void _Exit(int Status) { _exit(Status); }

static int replaceProcess(const char *Path, char *const *Arguments,
                          char *const *Environment) {
  Runtime::get().dumpAtEnd();
  long Result = sys::call(SYS_execve, reinterpret_cast<long>(Path),
                          reinterpret_cast<long>(Arguments),
                          reinterpret_cast<long>(Environment));
  errno = static_cast<int>(-Result);
  return -1;
}

THERMOCLINE_INTERFACE int execve(const char *Path, char *const Arguments[],
                                 char *const Environment[]) {
  return replaceProcess(Path, Arguments, Environment);
}

THERMOCLINE_INTERFACE int execv(const char *Path, char *const Arguments[]) {
  return replaceProcess(Path, Arguments, environ);
}

/// libc does the search of PATH.
THERMOCLINE_INTERFACE int execvp(const char *File, char *const Arguments[]) {
  Runtime::get().dumpAtEnd();
  return execvpe(File, Arguments, environ);
}

namespace {

/// The arguments of execl() and its kin as an array. Lives on the stack of the
/// function that makes it.
struct ArgumentCount {
  size_t Value = 1;
  ArgumentCount(const char *First, va_list Rest) {
    va_list Copy;
    va_copy(Copy, Rest);
    for (const char *Next = First; Next; Next = va_arg(Copy, const char *))
      ++Value;
    va_end(Copy);
  }
};

void collectArguments(char **Array, const char *First, va_list &Rest) {
  for (const char *Next = First;; Next = va_arg(Rest, const char *)) {
    *Array++ = const_cast<char *>(Next);
    if (!Next)
      return;
  }
}

} // namespace

#define THERMOCLINE_COLLECT_ARGUMENTS(First, Rest)                             \
  va_list Rest;                                                                \
  va_start(Rest, First);                                                       \
  auto **Arguments = static_cast<char **>(                                     \
      __builtin_alloca(ArgumentCount(First, Rest).Value * sizeof(char *)));    \
  collectArguments(Arguments, First, Rest)

THERMOCLINE_INTERFACE int execl(const char *Path, const char *First, ...) {
  THERMOCLINE_COLLECT_ARGUMENTS(First, Rest);
  va_end(Rest);
  return execv(Path, Arguments);
}

THERMOCLINE_INTERFACE int execlp(const char *File, const char *First, ...) {
  THERMOCLINE_COLLECT_ARGUMENTS(First, Rest);
  va_end(Rest);
  return execvp(File, Arguments);
}

THERMOCLINE_INTERFACE int execle(const char *Path, const char *First, ...) {
  THERMOCLINE_COLLECT_ARGUMENTS(First, Rest);
  char *const *Environment = va_arg(Rest, char *const *);
  va_end(Rest);
  return execve(Path, Arguments, Environment);
}
