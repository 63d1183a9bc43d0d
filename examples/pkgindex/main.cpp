//===- pkgindex/main.cpp - Index of installed packages --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads the package database, answers queries, and prints what they found. Two
// builds of this program that agree print the same two lines.
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "Loader.h"
#include "Node.h"
#include "Options.h"
#include "Pages.h"
#include "QueryStream.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <exception>

using namespace pkgindex;

using Clock = std::chrono::steady_clock;

/// Names what the program does from now on, for Thermocline's profile. Programs
/// that are not profiled lack it.
extern "C" void __thermocline_phase(const char *Name) __attribute__((weak));

static double secondsSince(Clock::time_point Start) {
  return std::chrono::duration<double>(Clock::now() - Start).count();
}

static Database &loadDatabase(const Options &Opts) {
  // Never torn down: the process ends with it.
  Database *Packages = new Database;
  Loader *Filler = new Loader(*Packages);
  FileContents Status(Opts.StatusFile);
  for (unsigned Copy = 0; Copy != Opts.Copies; ++Copy)
    Filler->load(Status.text(), Copy);
  Packages->link();
  return *Packages;
}

static void run(const Options &Opts) {
  Clock::time_point Start = Clock::now();
  Database &Packages = loadDatabase(Opts);
  double LoadSeconds = secondsSince(Start);
  std::printf("loaded: %zu packages, %zu names, %zu records\n",
              Packages.packages().size(), Packages.names().size(), nodeCount());

  if (__thermocline_phase)
    __thermocline_phase("queries");
  if (Opts.CountPages)
    clearReferenced();
  Start = Clock::now();
  Answer Found = askQueries(Packages, Opts.Queries, Opts.Seed);
  double QuerySeconds = secondsSince(Start);
  HeapPages Pages;
  if (Opts.CountPages)
    Pages = countHeapPages();

  std::printf("answered: %" PRIu64 " queries, %" PRIu64
              " packages found, checksum %016" PRIx64 "\n",
              Found.Queries, Found.Found, Found.Checksum);
  if (Opts.CountPages)
    std::printf("query phase: referenced %" PRIu64 " KiB of %" PRIu64
                " KiB resident\n",
                Pages.ReferencedKiB, Pages.ResidentKiB);
  if (Opts.ReportTimes)
    std::printf("times: load %.3f s, queries %.3f s\n", LoadSeconds,
                QuerySeconds);
}

int main(int ArgumentCount, char **Arguments) {
  Options Opts;
  try {
    Opts = parseOptions(ArgumentCount, Arguments);
  } catch (const std::exception &Error) {
    std::fprintf(stderr, "pkgindex: error: %s\n%s", Error.what(), Usage);
    return 1;
  }
  try {
    run(Opts);
  } catch (const std::exception &Error) {
    std::fprintf(stderr, "pkgindex: error: %s: %s\n", Opts.StatusFile,
                 Error.what());
    return 1;
  }
  return 0;
}
