//===- pkgindex/Options.h - The command line --------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the user asked for.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_OPTIONS_H
#define PKGINDEX_OPTIONS_H

#include <cstdint>

namespace pkgindex {

struct Options {
  const char *StatusFile = "/var/lib/dpkg/status";
  unsigned Copies = 24;     ///< Times the file is loaded.
  uint64_t Queries = 20000; ///< Number of queries.
  uint64_t Seed = 1;        ///< Of the stream of queries.
  bool CountPages = false;  ///< Report the pages that the queries touch.
  bool ReportTimes = false; ///< Report the time that each phase takes.
};

/// Throws std::invalid_argument, whose text is for the user.
Options parseOptions(int ArgumentCount, char **Arguments);

extern const char *const Usage;

} // namespace pkgindex

#endif
