// However the program ends, its profile is written: return, exit, quick_exit,
// _exit, abort, an uncaught exception, signals, the end of the main thread, exec.
// RUN: %clangxx --config=%generate-cfg -O1 -w -fuse-ld=lld %s -o %t
// RUN: %S/Inputs/check_ends.sh %t %llvm-profdata return exit quick_exit _exit _Exit abort throw segv term usr1 realtime overflow pthread_exit execve execlp execl execvpe fexecve script vfork spawn failed-exec failed-search | %FileCheck %s
// CHECK: return: status 0, 1 profile, 1 allocation each
// CHECK: exit: status 3, 1 profile, 1 allocation each
// CHECK: quick_exit: status 3, 1 profile, 1 allocation each
// CHECK: _exit: status 3, 1 profile, 1 allocation each
// CHECK: _Exit: status 3, 1 profile, 1 allocation each
// CHECK: abort: status 134, 1 profile, 1 allocation each
// CHECK: throw: status 134, 1 profile, 1 allocation each
// CHECK: segv: status 139, 1 profile, 1 allocation each
// CHECK: term: status 143, 1 profile, 1 allocation each
// CHECK: usr1: status 138, 1 profile, 1 allocation each
// CHECK: realtime: status 192, 1 profile, 1 allocation each
// CHECK: overflow: status 139, 1 profile, 1 allocation each
// CHECK: pthread_exit: status 0, 1 profile, 1 allocation each
// The new program has the same process id and its own profile.
// CHECK: execve: status 0, 2 profiles, 1 allocation each
// CHECK: execlp: status 0, 2 profiles, 1 allocation each
// CHECK: execl: status 0, 2 profiles, 1 allocation each
// CHECK: execvpe: status 0, 2 profiles, 1 allocation each
// CHECK: fexecve: status 0, 2 profiles, 1 allocation each
// A script that names no interpreter, found in PATH, is run by the shell.
// CHECK: script: status 7, 1 profile, 1 allocation each
// A child that borrows its parent's memory writes nothing, nor does it keep its
// parent from it; what it runs does.
// CHECK: vfork: status 0, 2 profiles, 1 allocation each
// CHECK: spawn: status 0, 2 profiles, 1 allocation each
// CHECK: failed-exec: status 0, 1 profile, 1 allocation each
// CHECK: failed-search: status 0, 1 profile, 1 allocation each

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" __attribute__((noinline)) char *allocateHere() {
  return static_cast<char *>(malloc(100));
}

__attribute__((noinline)) static long overflow(volatile long *P) {
  volatile long Large[1000];
  Large[0] = *P + 1;
  return overflow(Large) + Large[0];
}

static char *volatile Kept;

/// Puts a script into a directory of its own, the second in PATH.
static void runScript(const char *Program) {
  std::string Directory = std::string(Program) + ".scripts";
  mkdir(Directory.c_str(), 0777);
  std::string Path = Directory + "/the-script";
  FILE *F = fopen(Path.c_str(), "w");
  fputs("test \"$1\" = one && exit 7\n", F);
  fclose(F);
  chmod(Path.c_str(), 0755);
  setenv("PATH", ("/nonexistent::" + Directory).c_str(), 1);
  execlp("the-script", "the-script", "one", nullptr);
}

/// \returns 0 if searching in vain is reported as libc does.
static int searchInVain(char **Arguments) {
  setenv("PATH", "/nonexistent:/etc", 1);
  int Wrong = 0;
  Wrong |= execvp("no-such-program", Arguments) != -1 || errno != ENOENT;
  Wrong |= execvp("passwd", Arguments) != -1 || errno != EACCES;
  Wrong |= execvp("", Arguments) != -1 || errno != ENOENT;
  Wrong |= execv("/etc/passwd/x", Arguments) != -1 || errno != ENOTDIR;
  Wrong |= fexecve(-1, Arguments, environ) != -1 || errno != EINVAL;
  return Wrong;
}

int main(int argc, char **argv) {
  const char *End = argv[1];
  Kept = allocateHere();
  char Return[] = "return";
  char *Again[] = {argv[0], Return, nullptr};
  auto is = [End](const char *Name) { return strcmp(End, Name) == 0; };
  if (is("exit"))
    exit(3);
  if (is("quick_exit"))
    quick_exit(3);
  if (is("_exit"))
    _exit(3);
  if (is("_Exit"))
    _Exit(3);
  if (is("abort"))
    abort();
  if (is("throw"))
    throw 1;
  if (is("segv"))
    *reinterpret_cast<volatile int *>(8) = 1;
  if (is("term"))
    raise(SIGTERM);
  if (is("usr1"))
    raise(SIGUSR1);
  if (is("realtime"))
    raise(SIGRTMAX);
  if (is("overflow")) {
    volatile long Zero = 0;
    return static_cast<int>(overflow(&Zero));
  }
  if (is("pthread_exit"))
    pthread_exit(nullptr);
  if (is("execve"))
    execve(argv[0], Again, environ);
  if (is("execlp"))
    execlp(argv[0], argv[0], "return", nullptr);
  if (is("execl"))
    execl(argv[0], argv[0], "return", nullptr);
  if (is("execvpe"))
    execvpe(argv[0], Again, environ);
  if (is("fexecve"))
    fexecve(open(argv[0], O_RDONLY | O_CLOEXEC), Again, environ);
  if (is("script"))
    runScript(argv[0]);
  int Status = 0;
  if (is("vfork")) {
    pid_t Child = vfork();
    if (Child == 0) {
      execv(argv[0], Again);
      _exit(1);
    }
    waitpid(Child, &Status, 0);
    return Status;
  }
  if (is("spawn")) {
    pid_t Child;
    if (posix_spawn(&Child, argv[0], nullptr, nullptr, Again, environ) != 0)
      return 1;
    waitpid(Child, &Status, 0);
    return Status;
  }
  if (is("failed-search"))
    return searchInVain(Again);
  if (is("failed-exec"))
    execl("/nonexistent/program", "program", nullptr);
  return 0;
}
