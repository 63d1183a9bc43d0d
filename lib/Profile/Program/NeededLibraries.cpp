//===- Profile/Program/NeededLibraries.cpp - Libraries of a program -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/NeededLibraries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <vector>

using namespace llvm;
using namespace thermocline::profile;

/// Where systems have libraries. Debian's have a folder for each architecture,
/// and those to link for another one.
static std::vector<std::string> systemDirectories() {
  std::vector<std::string> Result;
  auto AddEach = [&Result](const char *Parent, StringRef Below) {
    std::error_code EC;
    std::vector<std::string> Found;
    for (sys::fs::directory_iterator I(Parent, EC), E; !EC && I != E;
         I.increment(EC))
      if (StringRef(I->path()).ends_with("-linux-gnu"))
        Found.push_back(I->path() + Below.str());
    llvm::sort(Found);
    append_range(Result, Found);
  };
  AddEach("/lib", "");
  AddEach("/usr/lib", "");
  append_range(Result, ArrayRef<StringRef>{"/usr/local/lib", "/lib64",
                                           "/usr/lib64", "/lib", "/usr/lib"});
  AddEach("/usr", "/lib");
  return Result;
}

/// The architecture, class and order of bytes of the ELF file \p Path, as its
/// header has them; empty if it has none.
static std::string machineOf(StringRef Path) {
  constexpr size_t IdentEnd = ELF::EI_DATA + 1, Machine = 18, End = 20;
  auto File = MemoryBuffer::getFileSlice(Path, End, /*Offset=*/0);
  if (!File || !(*File)->getBuffer().starts_with(StringRef(ELF::ElfMagic, 4)))
    return "";
  StringRef Header = (*File)->getBuffer();
  return (Header.take_front(IdentEnd) + Header.slice(Machine, End)).str();
}

/// The file \p Name that \p Object needs; empty if there is none.
static std::string findLibrary(StringRef Name, StringRef Object,
                               ArrayRef<std::string> RunPaths) {
  if (Name.contains('/'))
    return Name.str();
  // As the dynamic linker does, pass over those of another architecture.
  const std::string Machine = machineOf(Object);
  auto FindIn = [&](StringRef Directory) {
    SmallString<128> Path(Directory);
    sys::path::append(Path, Name);
    return sys::fs::is_regular_file(Path) && machineOf(Path) == Machine
               ? Path.str().str()
               : std::string();
  };
  SmallString<128> Origin(Object);
  sys::fs::make_absolute(Origin);
  sys::path::remove_filename(Origin);
  for (const std::string &RunPath : RunPaths) {
    StringRef Rest = RunPath;
    const bool IsBeside =
        Rest.consume_front("$ORIGIN") || Rest.consume_front("${ORIGIN}");
    if (std::string Path = FindIn(IsBeside ? (Origin + Rest).str() : RunPath);
        !Path.empty())
      return Path;
  }
  static const std::vector<std::string> System = systemDirectories();
  for (StringRef Directory : System)
    if (std::string Path = FindIn(Directory); !Path.empty())
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
