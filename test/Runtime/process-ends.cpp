// However the program ends, its profile is written: return, exit, quick_exit,
// _exit, abort, an uncaught exception, signals, the end of the main thread, exec.
// RUN: %clangxx --config=%generate-cfg -O1 -w -fuse-ld=lld %s -o %t
// RUN: %S/Inputs/check_ends.sh %t %llvm-profdata return exit quick_exit _exit _Exit abort throw segv term overflow pthread_exit execve execlp execl failed-exec | %FileCheck %s
// CHECK: return: status 0, 1 profile, 1 allocation each
// CHECK: exit: status 3, 1 profile, 1 allocation each
// CHECK: quick_exit: status 3, 1 profile, 1 allocation each
// CHECK: _exit: status 3, 1 profile, 1 allocation each
// CHECK: _Exit: status 3, 1 profile, 1 allocation each
// CHECK: abort: status 134, 1 profile, 1 allocation each
// CHECK: throw: status 134, 1 profile, 1 allocation each
// CHECK: segv: status 139, 1 profile, 1 allocation each
// CHECK: term: status 143, 1 profile, 1 allocation each
// CHECK: overflow: status 139, 1 profile, 1 allocation each
// CHECK: pthread_exit: status 0, 1 profile, 1 allocation each
// The new program has the same process id and its own profile.
// CHECK: execve: status 0, 2 profiles, 1 allocation each
// CHECK: execlp: status 0, 2 profiles, 1 allocation each
// CHECK: execl: status 0, 2 profiles, 1 allocation each
// CHECK: failed-exec: status 0, 1 profile, 1 allocation each

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
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
  if (is("failed-exec"))
    execl("/nonexistent/program", "program", nullptr);
  return 0;
}
