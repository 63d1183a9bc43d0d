//===- bench/profiler/measure.cpp - What a process took -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// measure FILE COMMAND... runs the command and writes the seconds that it
// waited for it, those of processor time, and the KiB that it had resident at
// most to the file. A program of its own because a process starts with the
// maximum of the one that made it, and Python's is large.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cstdio>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: measure FILE COMMAND...\n");
    return 2;
  }
  auto Start = std::chrono::steady_clock::now();
  pid_t Child = vfork();
  if (Child == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  int Status;
  rusage Used;
  if (Child < 0 || wait4(Child, &Status, 0, &Used) != Child) {
    perror("measure");
    return 2;
  }
  std::chrono::duration<double> Waited =
      std::chrono::steady_clock::now() - Start;
  auto Seconds = [](const timeval &T) {
    return static_cast<double>(T.tv_sec) + static_cast<double>(T.tv_usec) / 1e6;
  };
  FILE *Out = fopen(argv[1], "w");
  if (!Out) {
    perror(argv[1]);
    return 2;
  }
  fprintf(Out, "%.6f %.6f %ld\n", Waited.count(),
          Seconds(Used.ru_utime) + Seconds(Used.ru_stime), Used.ru_maxrss);
  fclose(Out);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 1;
}
