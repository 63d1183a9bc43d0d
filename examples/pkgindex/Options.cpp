//===- pkgindex/Options.cpp - The command line ----------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options have the form --name or --name=NUMBER.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace pkgindex;

const char *const pkgindex::Usage =
    "usage: pkgindex [options] [STATUS-FILE]\n"
    "Loads a dpkg status file (default /var/lib/dpkg/status) and answers a\n"
    "fixed stream of queries about its packages.\n"
    "  --copies=N   load the file N times, under different names (24)\n"
    "  --queries=N  number of queries (20000)\n"
    "  --seed=N     start of the stream of queries (1)\n"
    "  --pages      report the heap pages that the queries touch\n"
    "  --time       report the time that each phase takes\n";

template <typename T>
static bool takeNumber(std::string_view Argument, std::string_view Name,
                       T &Value) {
  if (Argument.substr(0, Name.size()) != Name)
    return false;
  std::string_view Digits = Argument.substr(Name.size());
  const char *End = Digits.data() + Digits.size();
  auto [Stop, Error] = std::from_chars(Digits.data(), End, Value);
  if (Error != std::errc() || Stop != End)
    throw std::invalid_argument(std::string(Argument) +
                                ": not a number in range");
  return true;
}

Options pkgindex::parseOptions(int ArgumentCount, char **Arguments) {
  Options Result;
  bool HasFile = false;
  for (int I = 1; I < ArgumentCount; ++I) {
    std::string_view Argument = Arguments[I];
    if (Argument == "--pages") {
      Result.CountPages = true;
    } else if (Argument == "--time") {
      Result.ReportTimes = true;
    } else if (takeNumber(Argument, "--copies=", Result.Copies) ||
               takeNumber(Argument, "--queries=", Result.Queries) ||
               takeNumber(Argument, "--seed=", Result.Seed)) {
      continue;
    } else if (Argument.substr(0, 1) == "-" || HasFile) {
      throw std::invalid_argument(std::string(Argument) + ": unknown argument");
    } else {
      Result.StatusFile = Arguments[I];
      HasFile = true;
    }
  }
  return Result;
}
