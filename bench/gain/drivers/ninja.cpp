//===- bench/gain/drivers/ninja.cpp - A graph that is walked  -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: ninja MANIFEST ROUNDS
// Loads a graph of which all files are there, then looks what is out of date,
// again and again.
//
//===----------------------------------------------------------------------===//

#include "phase.h"

#include "depfile_parser.h"
#include "disk_interface.h"
#include "graph.h"
#include "manifest_parser.h"
#include "state.h"

#include <vector>

namespace {
/// All files are there and equally old; manifests are read from the disk.
struct FilesOfOneTime : RealDiskInterface {
  TimeStamp Stat(const std::string &, std::string *) const override {
    return 1;
  }
};
} // namespace

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    std::fprintf(stderr, "usage: ninja MANIFEST ROUNDS\n");
    return 1;
  }
  State Graph;
  FilesOfOneTime Disk;
  std::string Error;
  ManifestParser Parser(&Graph, &Disk);
  if (!Parser.Load(Arguments[1], &Error)) {
    std::fprintf(stderr, "ninja: %s\n", Error.c_str());
    return 1;
  }
  DepfileParserOptions Depfiles;
  unsigned long Dirty = 0;
  phaseBegin();
  for (int Round = 0, Rounds = std::atoi(Arguments[2]); Round < Rounds;
       ++Round) {
    Graph.Reset();
    DependencyScan Scan(&Graph, nullptr, nullptr, &Disk, &Depfiles);
    std::vector<Node *> Roots = Graph.RootNodes(&Error), Validations;
    for (Node *Root : Roots)
      if (Scan.RecomputeDirty(Root, &Validations, &Error))
        Dirty += Root->dirty() + 1;
  }
  phaseEnd(Dirty);
  return 0;
}
