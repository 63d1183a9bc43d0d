//===- entry/Process.cpp - Ends of a process that run no exit handlers ----===//
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
// All forms end in a system call made here, because libc's own functions call
// each other inside libc, where nothing can be put in between.
//
// dlclose(): keeps what it unloads known to the profile.
//
// dlopen(): leaves out RTLD_DEEPBIND, by which a plugin looks up malloc and
// free in libc first, and frees there what the program got from the runtime.
//
// pthread_atfork(): waits while another thread forks.
//
// mlockall(): does not touch all the memory that the runtime has reserved.
//
//===----------------------------------------------------------------------===//

#include "lifecycle/Runtime.h"
#include "platform/LibcFunctions.h"
#include "platform/Lock.h"
#include "platform/System.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace thermocline::runtime;

THERMOCLINE_INTERFACE void _exit(int Status) {
  Runtime::get().dumpAtEnd();
  sys::exitProcess(Status);
}

THERMOCLINE_INTERFACE void _Exit(int Status) { _exit(Status); }

/// A shell gets "sh" and the script before the arguments.
static constexpr size_t MaxScriptArguments = 1 << 20;

static int fail(long Result) {
  Runtime::get().goOn();
  errno = static_cast<int>(-Result);
  return -1;
}

static long execute(const char *Path, char *const *Arguments,
                    char *const *Environment) {
  return sys::call(SYS_execve, reinterpret_cast<long>(Path),
                   reinterpret_cast<long>(Arguments),
                   reinterpret_cast<long>(Environment));
}

THERMOCLINE_INTERFACE int execve(const char *Path, char *const Arguments[],
                                 char *const Environment[]) {
  Runtime::get().dumpAtEnd();
  return fail(execute(Path, Arguments, Environment));
}

THERMOCLINE_INTERFACE int execv(const char *Path, char *const Arguments[]) {
  return execve(Path, Arguments, environ);
}

THERMOCLINE_INTERFACE int execveat(int Directory, const char *Path,
                                   char *const Arguments[],
                                   char *const Environment[], int Flags) {
  Runtime::get().dumpAtEnd();
  return fail(sys::call(SYS_execveat, Directory, reinterpret_cast<long>(Path),
                        reinterpret_cast<long>(Arguments),
                        reinterpret_cast<long>(Environment), Flags));
}

THERMOCLINE_INTERFACE int fexecve(int Fd, char *const Arguments[],
                                  char *const Environment[]) {
  if (Fd < 0) {
    errno = EINVAL;
    return -1;
  }
  return execveat(Fd, "", Arguments, Environment, AT_EMPTY_PATH);
}

/// Runs \p Path, through the shell if it is a script that does not name one.
static long executeOrInterpret(const char *Path, char *const *Arguments,
                               char *const *Environment) {
  long Result = execute(Path, Arguments, Environment);
  if (Result != -ENOEXEC)
    return Result;
  size_t Count = 0;
  while (Arguments[Count])
    if (++Count == MaxScriptArguments)
      return -E2BIG;
  auto **ForShell = static_cast<const char **>(
      __builtin_alloca((Count + 3) * sizeof(char *)));
  size_t Used = 0;
  ForShell[Used++] = "/bin/sh";
  ForShell[Used++] = Path;
  for (size_t I = 1; I < Count; ++I)
    ForShell[Used++] = Arguments[I];
  ForShell[Used] = nullptr;
  return execute("/bin/sh", const_cast<char *const *>(ForShell), Environment);
}

THERMOCLINE_INTERFACE int execvpe(const char *File, char *const Arguments[],
                                  char *const Environment[]) {
  if (!*File) {
    errno = ENOENT;
    return -1;
  }
  Runtime::get().dumpAtEnd();
  bool IsPath = false;
  for (const char *C = File; *C; ++C)
    IsPath |= *C == '/';
  if (IsPath)
    return fail(executeOrInterpret(File, Arguments, Environment));

  const char *Path = getenv("PATH");
  if (!Path)
    Path = "/bin:/usr/bin";
  bool Forbidden = false;
  long Result = -ENOENT;
  for (bool More = true; More;) {
    const char *End = Path;
    while (*End && *End != ':')
      ++End;
    FixedString Candidate;
    Candidate.append(Path, static_cast<size_t>(End - Path));
    // An empty entry is the working directory.
    Candidate << (End == Path ? "" : "/") << File;
    More = *End;
    Path = End + 1;
    if (Candidate.overflowed()) {
      Result = -ENAMETOOLONG;
      continue;
    }
    Result = executeOrInterpret(Candidate.text(), Arguments, Environment);
    switch (-Result) {
    case EACCES:
      Forbidden = true;
      break;
    case ENOENT:
    case ESTALE:
    case ENOTDIR:
    case ENODEV:
    case ETIMEDOUT:
      break;
    default:
      return fail(Result);
    }
  }
  return fail(Forbidden ? -EACCES : Result);
}

THERMOCLINE_INTERFACE int execvp(const char *File, char *const Arguments[]) {
  return execvpe(File, Arguments, environ);
}

namespace {

/// The arguments of execl() and similar functions as an array. It lives on the
/// stack of the function that makes it.
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

//===-- Libraries ---------------------------------------------------------===//

THERMOCLINE_INTERFACE int dlclose(void *Library) {
  static int (*LibcDlclose)(void *);
  if (!LibcDlclose)
    resolveAs(LibcDlclose, definitionBelow("dlclose"));
  // A static program has no other dlclose(), and what it loads stays.
  if (!LibcDlclose)
    return 0;
  return Runtime::get().unloadLibrary(LibcDlclose, Library);
}

#ifndef __PIE__
/// A program that has the archive may be static, and has libc's.
THERMOCLINE_INTERFACE void *dlopen(const char *File, int Mode) noexcept {
  using Function = void *(const char *, int);
  // Not definitionBelow(), which calls this function.
  static Function *Next;
  if (!Next)
    Next = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, "dlopen"));
  if (!Runtime::get().options().DeepBind && !Runtime::get().isAbsent())
    Mode &= ~RTLD_DEEPBIND;
  // libc asks who called: that must not be this function.
  THERMOCLINE_JUMP Next(File, Mode);
}
#endif

//===-- Fork --------------------------------------------------------------===//

/// What pthread_atfork() calls. libc's own allocates with a lock that fork()
/// takes when it has called the handlers, with the runtime's locks. So it waits
/// until a fork is over. In a static program libc's own takes this one's place.
THERMOCLINE_INTERFACE __attribute__((weak)) int
__register_atfork(void (*Prepare)(), void (*InParent)(), void (*InChild)(),
                  void *Library) noexcept {
  static int (*Libc)(void (*)(), void (*)(), void (*)(), void *);
  if (!Libc && !resolveAs(Libc, definitionBelow("__register_atfork")))
    return ENOSYS;
  Guard G(Runtime::get().forkHandlers());
  return Libc(Prepare, InParent, InChild, Library);
}

#ifdef __PIE__
/// The definition in a program that has the archive, which may be static.
extern "C" int pthread_atfork(void (*Prepare)(), void (*InParent)(),
                              void (*InChild)()) noexcept {
  if (definitionBelow("__register_atfork"))
    return __register_atfork(Prepare, InParent, InChild, nullptr);
  Guard G(Runtime::get().forkHandlers());
  return __register_atfork(Prepare, InParent, InChild, nullptr);
}
#endif

//===-- Memory ------------------------------------------------------------===//

/// Locks pages as they are touched, and those that are there: to touch them all
/// would take 19 TiB. Where the limit for locked memory counts these, nothing
/// is locked, but the program goes on as it would have.
THERMOCLINE_INTERFACE int mlockall(int Flags) {
  const bool IsAbsent = Runtime::get().isAbsent();
  int OnFault = IsAbsent ? Flags : Flags | MCL_ONFAULT;
  long Result = sys::call(SYS_mlockall, Flags & ~MCL_ONFAULT ? OnFault : Flags);
  if (Result == 0 || (Result == -ENOMEM && !IsAbsent))
    return 0;
  errno = static_cast<int>(-Result);
  return -1;
}
