//===- Callsites/PGOOptions.cpp - What clang was told of PGO --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22's PassBuilder holds the PGO options of the compilation in a private
// member without accessor. Explicit instantiation may name private members, so
// a template that is instantiated with a pointer to that member can hand it
// out; it breaks at compile time, not silently, if the member changes.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/PGOOptions.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace thermocline::callsites;

using PGOOptionsMember = std::optional<PGOOptions> PassBuilder::*;

namespace {

template <PGOOptionsMember Member> struct Disclose {
  friend PGOOptionsMember pgoOptionsMember() { return Member; }
};
PGOOptionsMember pgoOptionsMember();
template struct Disclose<&PassBuilder::PGOOpt>;

} // namespace

std::string thermocline::callsites::pgoProfileFile(const PassBuilder &PB) {
  const std::optional<PGOOptions> &Options = PB.*pgoOptionsMember();
  if (!Options)
    return "";
  if (!Options->MemoryProfile.empty())
    return Options->MemoryProfile;
  if (Options->Action == PGOOptions::IRUse)
    return Options->ProfileFile;
  return "";
}

bool thermocline::callsites::countsEdges(const PassBuilder &PB) {
  const std::optional<PGOOptions> &Options = PB.*pgoOptionsMember();
  return Options && (Options->Action == PGOOptions::IRInstr ||
                     Options->Action == PGOOptions::IRUse);
}

std::optional<ProfilingOptions>
thermocline::callsites::takeProfilingOptions(PassBuilder &PB) {
  std::optional<PGOOptions> &Options = PB.*pgoOptionsMember();
  if (!Options || Options->Action != PGOOptions::NoAction ||
      Options->CSAction != PGOOptions::NoCSAction ||
      Options->PseudoProbeForProfiling)
    return std::nullopt;
  ProfilingOptions Taken = {Options->MemoryProfile,
                            Options->DebugInfoForProfiling};
  Options.reset();
  return Taken;
}
