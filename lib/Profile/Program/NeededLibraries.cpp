//===- Profile/Program/NeededLibraries.cpp - Libraries of a program -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/NeededLibraries.h"
#include "thermocline/Profile/Program/ProgramFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/BuildID.h"
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

/// What the dynamic section of an object says.
struct DynamicSection {
  std::vector<std::string> Needed;
  std::vector<std::string> RunPaths;
};

} // namespace

static DynamicSection readDynamic(const object::ELF64LEObjectFile &Object) {
  DynamicSection Result;
  const object::ELF64LEFile &File = Object.getELFFile();
  auto Entries = File.dynamicEntries();
  if (!Entries) {
    consumeError(Entries.takeError());
    return Result;
  }
  uint64_t Address = 0, Size = 0;
  for (const auto &Entry : *Entries) {
    if (Entry.getTag() == ELF::DT_STRTAB)
      Address = Entry.getPtr();
    if (Entry.getTag() == ELF::DT_STRSZ)
      Size = Entry.getVal();
  }
  auto Strings = File.toMappedAddr(Address);
  if (!Strings) {
    consumeError(Strings.takeError());
    return Result;
  }
  const auto *Begin = reinterpret_cast<const char *>(*Strings);
  if (Size > static_cast<uint64_t>(Object.getData().end() - Begin))
    return Result;
  const StringRef Table(Begin, Size);
  for (const auto &Entry : *Entries) {
    const StringRef Text = Table.substr(Entry.getVal()).split('\0').first;
    if (Entry.getTag() == ELF::DT_NEEDED)
      Result.Needed.push_back(Text.str());
    if (Entry.getTag() == ELF::DT_RUNPATH || Entry.getTag() == ELF::DT_RPATH)
      for (StringRef Path : split(Text, ':'))
        Result.RunPaths.push_back(Path.str());
  }
  return Result;
}

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
thermocline::profile::neededLibraries(ArrayRef<std::string> Programs) {
  std::map<std::string, std::string> Result;
  StringSet<> Seen;
  std::vector<std::string> Waiting = Programs.vec();
  while (!Waiting.empty()) {
    const std::string Path = std::move(Waiting.back());
    Waiting.pop_back();
    if (!Seen.insert(Path).second)
      continue;
    auto Opened = openProgram(Path);
    if (!Opened) {
      consumeError(Opened.takeError());
      continue;
    }
    const auto *Object =
        dyn_cast<object::ELF64LEObjectFile>(Opened->getBinary());
    if (!Object)
      continue;
    if (object::BuildIDRef Id = object::getBuildID(Object); !Id.empty())
      Result.try_emplace(toHex(Id, /*LowerCase=*/true), Path);
    const DynamicSection Dynamic = readDynamic(*Object);
    for (const std::string &Name : Dynamic.Needed)
      if (std::string Found = findLibrary(Name, Path, Dynamic.RunPaths);
          !Found.empty())
        Waiting.push_back(std::move(Found));
  }
  return Result;
}
