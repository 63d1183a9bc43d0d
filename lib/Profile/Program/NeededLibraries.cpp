//===- Profile/Program/NeededLibraries.cpp - Libraries of a program -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/NeededLibraries.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <vector>

using namespace llvm;
using namespace thermocline::profile;

namespace {

constexpr StringLiteral SystemDirectories[] = {"/lib/x86_64-linux-gnu",
                                               "/usr/lib/x86_64-linux-gnu",
                                               "/usr/local/lib",
                                               "/lib64",
                                               "/usr/lib64",
                                               "/lib",
                                               "/usr/lib"};

} // namespace

/// The file \p Name that the object \p By needs; empty if there is none.
static std::string findLibrary(StringRef Name, StringRef By,
                               ArrayRef<std::string> RunPaths) {
  if (Name.contains('/'))
    return Name.str();
  auto In = [&](StringRef Directory) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Name);
    return sys::fs::is_regular_file(Path) ? Path.str().str() : std::string();
  };
  SmallString<128> Origin(By);
  sys::fs::make_absolute(Origin);
  sys::path::remove_filename(Origin);
  for (const std::string &RunPath : RunPaths) {
    StringRef Rest = RunPath;
    const bool IsBeside =
        Rest.consume_front("$ORIGIN") || Rest.consume_front("${ORIGIN}");
    if (std::string Path = In(IsBeside ? (Origin + Rest).str() : RunPath);
        !Path.empty())
      return Path;
  }
  for (StringRef Directory : SystemDirectories)
    if (std::string Path = In(Directory); !Path.empty())
      return Path;
  return "";
}

std::map<std::string, std::string>
thermocline::profile::neededLibraries(ArrayRef<std::string> Programs,
                                      ProgramReader &Reader) {
  std::map<std::string, std::string> Result;
  StringSet<> Seen;
  std::vector<std::string> Waiting = Programs.vec();
  while (!Waiting.empty()) {
    const std::string Path = std::move(Waiting.back());
    Waiting.pop_back();
    if (!Seen.insert(Path).second)
      continue;
    Expected<ProgramFacts> Facts = Reader.facts(Path);
    if (!Facts) {
      consumeError(Facts.takeError());
      continue;
    }
    if (!Facts->Id.empty())
      Result.try_emplace(toHex(Facts->Id, /*LowerCase=*/true), Path);
    for (const std::string &Name : Facts->Needed)
      if (std::string Found = findLibrary(Name, Path, Facts->RunPaths);
          !Found.empty())
        Waiting.push_back(std::move(Found));
  }
  return Result;
}
