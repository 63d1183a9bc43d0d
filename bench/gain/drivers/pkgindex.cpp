//===- bench/gain/drivers/pkgindex.cpp - Queries of the example -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: pkgindex STATUS-FILE COPIES QUERIES
// What main.cpp of the example does, with its queries as the steady phase.
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "Loader.h"
#include "QueryStream.h"
#include "phase.h"

using namespace pkgindex;

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 4) {
    std::fprintf(stderr, "usage: pkgindex STATUS-FILE COPIES QUERIES\n");
    return 1;
  }
  // Never torn down: the process ends with them.
  Database &Packages = *new Database;
  Loader &Filler = *new Loader(Packages);
  FileContents Status(Arguments[1]);
  for (unsigned Copy = 0, Copies = std::atoi(Arguments[2]); Copy != Copies;
       ++Copy)
    Filler.load(Status.text(), Copy);
  Packages.link();
  phaseBegin();
  Answer Found = askQueries(Packages, std::atoi(Arguments[3]), 1);
  phaseEnd(Found.Checksum);
  return 0;
}
