// A program names its phases: the profile says of each what it touched, whatever
// comes between. Phases may take turns, or go on after a reset and in a child.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -I%srcroot/runtime/profile/include -O1 %s -o program -pthread
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=exact ./program
// RUN: %thermo-profdata export --binary=program -o exact.json exact.*
// RUN: python3 %S/Inputs/check_phases.py exact.json
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=continuous:continuous=1:sync_interval_ms=1 ./program thread
// RUN: %thermo-profdata export --binary=program -o continuous.json continuous.*
// RUN: python3 %S/Inputs/check_phases.py continuous.json
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=sampled:sample=10 ./program
// RUN: %thermo-profdata export --binary=program -o sampled.json sampled.*
// RUN: python3 %S/Inputs/check_phases.py sampled.json
//
// RUN: %thermo-profdata show --binary=program exact.[0-9]* | %FileCheck %s --check-prefix=SHOW
// SHOW: Phases: {{.*}}"load", window{{.*}}"serve \22now\22", windows
// RUN: %llvm-profdata show --memory --profiled-binary=program exact.[0-9]* | %FileCheck %s --check-prefix=STOCK
// STOCK: NumMibInfo: {{[1-9][0-9]*}}
//
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=rounds ./program reset
// RUN: %thermo-profdata show rounds.* | %FileCheck %s --check-prefix=GOES-ON
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=forked.%%p ./program fork > child
// RUN: %thermo-profdata show forked.$(cat child)* | %FileCheck %s --check-prefix=GOES-ON
// GOES-ON: Phases: "going on", {{window 1|windows 1-[0-9]+}}{{$}}
//
// Names without room are reported once, and are no phase.
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=many ./program many 2> many.txt
// RUN: %FileCheck %s --check-prefix=MANY --implicit-check-not=Thermocline: < many.txt
// MANY: Thermocline: a phase has a name of more than 63 bytes, or there are more than 15 phases
// RUN: %thermo-profdata show many.[0-9]* | %FileCheck %s --check-prefix=MANY-SHOWN
// MANY-SHOWN: Phases: {{.*}}none, window
// MANY-SHOWN-NOT: 016
//
// Without windows, or in a program that is not profiled, a call does nothing.
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=without ./program
// RUN: %clangxx -I%srcroot/runtime/profile/include -O1 %s -o plain -pthread
// RUN: ./plain
// RUN: %clangxx -I%srcroot/runtime/profile/include -O1 -static %s -o plain-static -pthread
// RUN: ./plain-static
// RUN: %clangxx --config=%generate-cfg -I%srcroot/runtime/profile/include -O1 -static %s -o static -pthread
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=static ./static
// RUN: %thermo-profdata export --binary=static -o static.json static.[0-9]*
// RUN: python3 %S/Inputs/check_phases.py static.json

#include "../Inputs/pass_time.h"
#include "thermocline/phases.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" __attribute__((weak)) void __memprof_profile_reset();

constexpr int Count = 2000;
static volatile long Sink;

__attribute__((noinline)) long *forLoad() { return (long *)malloc(32); }
__attribute__((noinline)) long *forServe() { return (long *)malloc(32); }
__attribute__((noinline)) long *forBoth() { return (long *)malloc(32); }

static std::vector<long *> Load, Serve, Both;

static void use(const std::vector<long *> &Objects) {
  long Sum = 0;
  for (long *L : Objects)
    Sum += *L;
  Sink = Sum;
}

static void work(int Milliseconds, const std::vector<long *> &Own) {
  for (int I = 0; I != Milliseconds; ++I) {
    use(Own);
    use(Both);
    passMilliseconds(1);
  }
}

int main(int ArgCount, char **Arguments) {
  const char *How = ArgCount > 1 ? Arguments[1] : "";
  for (int I = 0; I != Count; ++I) {
    Load.push_back(forLoad());
    Serve.push_back(forServe());
    Both.push_back(forBoth());
    *Load.back() = *Serve.back() = *Both.back() = I;
  }
  work(10, Both);
  if (!strcmp(How, "reset")) {
    thermocline_phase("going on");
    __memprof_profile_reset();
    passMilliseconds(50);
    work(50, Load);
    return 0;
  }
  if (!strcmp(How, "fork")) {
    thermocline_phase("going on");
    pid_t Child = fork();
    if (!Child) {
      passMilliseconds(50);
      work(50, Load);
      return 0;
    }
    printf("%d\n", Child);
    waitpid(Child, nullptr, 0);
    return 0;
  }
  if (!strcmp(How, "many")) {
    for (int I = 1; I != 20; ++I) {
      thermocline_phase(("phase 0" + std::to_string(I)).c_str());
      work(6, Load);
    }
    thermocline_phase(std::string(64, 'x').c_str());
    return 0;
  }
  auto Phases = [] {
    thermocline_phase("load");
    work(40, Load);
    for (int I = 0; I != 5; ++I) {
      thermocline_phase("serve \"now\"");
      work(40, Serve);
      thermocline_phase("load");
      work(10, Load);
    }
    thermocline_phase("");
    work(20, Both);
  };
  if (!strcmp(How, "thread"))
    std::thread(Phases).join();
  else
    Phases();
  return 0;
}
