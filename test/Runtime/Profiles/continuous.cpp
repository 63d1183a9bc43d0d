// Continuous mode: whenever the program is killed, its file holds a valid
// profile of nearly everything up to then; when it ends, an exact one.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -O1 -fuse-ld=lld %s -o %t/program -pthread
// RUN: %S/Inputs/check_continuous.py %t/program %thermo-profdata %llvm-profdata | %FileCheck %s
//
// CHECK: kill: status -9, 1 profile, before 1000 during 500
// The file became too small for the contexts again and again.
// CHECK: many: status -9, 1 profile, before 1000 during 500, 1900 contexts or more
// CHECK: pattern: status -9, 1 profile, before 1000 during 500
// At the end, the compact and exact profile takes the file's place.
// CHECK: return: status 0, 1 profile, before 1000 during 500 after 3
// CHECK: abort: status -6, 1 profile, before 1000 during 500 after 3
// CHECK: _exit: status 3, 1 profile, before 1000 during 500 after 3
// The main thread ends, others go on: the process ends with the last of them,
// and what they print is not lost.
// CHECK: threads: status 0, 1 profile, before 1000 during 500 after 3, printed all
// CHECK: threads-killed: status -9, 1 profile, before 1000 during 500
// CHECK: fork: status -9, 2 profiles, before 1000 during 0, before 0 during 500
// CHECK: exec: status -9, 2 profiles, before 1000 during 0 after 3, before 1000 during 500
// CHECK: failed-exec: status -9, 1 profile, before 1000 during 500 after 3
// A dump in between takes the file's place, and is continued.
// CHECK: dump: status -9, 1 profile, before 1000 during 500
// What was dumped stays, and a new round has its own file.
// CHECK: reset: status -9, 2 profiles, before 1000 during 0, before 0 during 500
// Somebody removed the file: it is made again.
// CHECK: removed: status -9, 1 profile, before 1000 during 500
// The program closes all its descriptors and opens others.
// CHECK: close-all: status -9, 1 profile, before 1000 during 500

#include "../Inputs/many_contexts.h"
#include "../Inputs/pass_time.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <sanitizer/memprof_interface.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALLOCATE(Name)                                                         \
  extern "C" __attribute__((noinline)) char *Name() {                          \
    char *volatile P = static_cast<char *>(malloc(100));                       \
    P[0] = 1;                                                                  \
    return P;                                                                  \
  }
ALLOCATE(before)
ALLOCATE(during)
ALLOCATE(after)

static bool is(const char *Name, const char *Other) {
  return strcmp(Name, Other) == 0;
}

/// Says that it may be killed, and goes on until it is.
[[noreturn]] static void waitToBeKilled() {
  passMilliseconds(450);
  puts("ready");
  fflush(stdout);
  for (;;)
    pause();
}

static const char *Mode;

static pthread_t MainThread;

static void *goOn(void *) {
  pthread_join(MainThread, nullptr);
  for (int I = 0; I < 500; ++I)
    free(during());
  if (is(Mode, "threads-killed"))
    waitToBeKilled();
  for (int I = 0; I < 3; ++I)
    after();
  printf("printed all"); // The last thread flushes it.
  return nullptr;
}

int main(int argc, char **argv) {
  Mode = argv[1];
  for (int I = 0; I < 1000; ++I)
    free(before());
  passMilliseconds(50);
  if (is(Mode, "threads") || is(Mode, "threads-killed")) {
    MainThread = pthread_self();
    pthread_t Other;
    pthread_create(&Other, nullptr, goOn, nullptr);
    pthread_exit(nullptr);
  }
  if (is(Mode, "fork")) {
    // The child goes on; the parent is as it was.
    if (pid_t Child = fork())
      waitpid(Child, nullptr, 0);
  }
  if (is(Mode, "exec")) {
    for (int I = 0; I < 3; ++I)
      after();
    execl(argv[0], argv[0], "kill", nullptr);
  }
  if (is(Mode, "failed-exec")) {
    for (int I = 0; I < 3; ++I)
      after();
    execl("/nonexistent/program", "program", nullptr);
  }
  if (is(Mode, "dump") || is(Mode, "reset"))
    __memprof_profile_dump();
  if (is(Mode, "reset")) {
    passMilliseconds(100); // The file is written again meanwhile.
    __memprof_profile_reset();
  }
  if (is(Mode, "removed"))
    unlink(argv[2]);
  if (is(Mode, "close-all")) {
    for (int Fd = 3; Fd < 100; ++Fd)
      close(Fd);
    for (int Fd = 3; Fd < 20; ++Fd)
      if (open("/dev/null", O_WRONLY) != Fd)
        return 1;
  }
  for (int I = 0; I < 500; ++I)
    free(during());
  if (is(Mode, "many"))
    for (unsigned Bits = 6; Bits <= 10; ++Bits) {
      for (unsigned Path = 0; Path != 1u << Bits; ++Path)
        free(many(Path, Bits));
      passMilliseconds(120);
    }
  if (is(Mode, "return") || is(Mode, "abort") || is(Mode, "_exit")) {
    for (int I = 0; I < 3; ++I)
      after();
    if (is(Mode, "abort"))
      abort();
    if (is(Mode, "_exit"))
      _exit(3);
    return 0;
  }
  waitToBeKilled();
}
