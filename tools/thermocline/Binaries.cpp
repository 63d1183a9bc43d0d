//===- thermocline/Binaries.cpp - Binaries of recorded processes ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Binaries.h"
#include "thermocline/Profile/Program/BinaryFiles.h"
#include "thermocline/Profile/Program/NeededLibraries.h"
#include "thermocline/Profile/Program/ProgramReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;
using namespace thermocline::profile;

/// How many files below the directories of programs are looked at.
static constexpr unsigned MostFiles = 10000;

//===-- Raw profiles ------------------------------------------------------===//

static uint64_t wordAt(StringRef Contents, uint64_t Offset) {
  return support::endian::read64le(Contents.data() + Offset);
}

std::vector<std::string> front::objectsOf(StringRef RawProfile) {
  // Not read as a whole: only the segments are needed.
  auto File = MemoryBuffer::getFile(RawProfile, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!File)
    return {};
  constexpr uint64_t EntrySize =
      4 * sizeof(uint64_t) + MEMPROF_BUILDID_MAX_SIZE;
  std::vector<std::string> Result;
  StringRef Rest = (*File)->getBuffer();
  while (Rest.size() >= sizeof(memprof::Header) &&
         wordAt(Rest, 0) == MEMPROF_RAW_MAGIC_64) {
    const uint64_t Size = std::min<uint64_t>(wordAt(Rest, 16), Rest.size());
    const uint64_t Begin = wordAt(Rest, 24);
    if (Begin > Size || Size - Begin < sizeof(uint64_t))
      break;
    const StringRef Entries =
        Rest.substr(Begin + sizeof(uint64_t), Size - Begin - sizeof(uint64_t));
    const uint64_t Count =
        std::min(wordAt(Rest, Begin), Entries.size() / EntrySize);
    for (uint64_t I = 0; I != Count; ++I) {
      const StringRef Entry = Entries.substr(I * EntrySize, EntrySize);
      const StringRef Id =
          Entry.drop_front(4 * sizeof(uint64_t)).take_front(wordAt(Entry, 24));
      std::string Hex = toHex(Id, /*LowerCase=*/true);
      if (!is_contained(Result, Hex))
        Result.push_back(std::move(Hex));
    }
    if (Size < sizeof(memprof::Header))
      break;
    Rest = Rest.drop_front(Size);
  }
  return Result;
}

//===-- Binaries ----------------------------------------------------------===//

/// The build id of the ELF file at \p Path; empty if there is none.
static std::string buildIdOf(StringRef Path, ProgramReader &Reader) {
  // Opening a FIFO would wait, and most files are no ELF.
  file_magic Magic;
  if (!sys::fs::is_regular_file(Path) || identify_magic(Path, Magic) ||
      (Magic != file_magic::elf_executable &&
       Magic != file_magic::elf_shared_object))
    return "";
  Expected<ProgramFacts> Facts = Reader.facts(Path);
  if (Facts)
    return toHex(Facts->Id, /*LowerCase=*/true);
  consumeError(Facts.takeError());
  return "";
}

namespace {

/// Looks for files by build id.
class Search {
public:
  Search(std::set<std::string> Wanted, ProgramReader &Reader)
      : Reader(Reader), Wanted(std::move(Wanted)) {}

  bool isDone() const { return Wanted.empty(); }
  const std::map<std::string, std::string> &found() const { return Found; }

  void take(const std::string &Id) { Wanted.erase(Id); }
  void tryFile(StringRef Path) { enter(buildIdOf(Path, Reader), Path); }
  void tryCommand(ArrayRef<std::string> Words);
  void tryLibraries();
  void tryDirectories();

private:
  void enter(const std::string &Id, StringRef Path) {
    if (!Id.empty() && Wanted.erase(Id))
      Found.emplace(Id, Path);
  }
  void tryBelow(const std::string &Directory);

  ProgramReader &Reader;
  std::set<std::string> Wanted;
  std::map<std::string, std::string> Found;
  /// Where programs are that the command names, whether they were found by
  /// build id or not: a script is beside what it starts.
  std::vector<std::string> Directories;
  unsigned Files = 0;
};

} // namespace

void Search::tryCommand(ArrayRef<std::string> Words) {
  for (const std::string &Word : Words) {
    SmallVector<StringRef, 8> Parts;
    // What a shell is given may be a whole command.
    SplitString(Word, Parts);
    Parts.push_back(Word);
    for (StringRef Part : Parts) {
      std::string Path = Part.str();
      if (!Part.contains('/') && &Word == &Words.front())
        if (ErrorOr<std::string> InPath = sys::findProgramByName(Part))
          Path = *InPath;
      if (!sys::fs::is_regular_file(Path))
        continue;
      tryFile(Path);
      if (sys::fs::can_execute(Path)) {
        const StringRef Parent = sys::path::parent_path(Path);
        Directories.push_back(Parent.empty() ? "." : Parent.str());
      }
    }
  }
}

void Search::tryLibraries() {
  std::vector<std::string> Programs;
  for (const auto &[Id, Path] : Found)
    Programs.push_back(Path);
  for (const auto &[Id, Path] : neededLibraries(Programs, Reader))
    enter(Id, Path);
}

void Search::tryBelow(const std::string &Directory) {
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator
           Each(Directory, EC, /*FollowSymlinks=*/false),
       End;
       Each != End && !EC && !isDone() && Files != MostFiles;
       Each.increment(EC)) {
    ++Files;
    if (Each->type() == sys::fs::file_type::regular_file)
      tryFile(Each->path());
  }
}

void Search::tryDirectories() {
  if (const char *Paths = std::getenv("LD_LIBRARY_PATH"))
    for (StringRef Path : split(StringRef(Paths), ':')) {
      std::error_code EC;
      for (sys::fs::directory_iterator Each(Path, EC), End;
           !Path.empty() && Each != End && !EC && !isDone(); Each.increment(EC))
        tryFile(Each->path());
    }
  for (const std::string &Directory : Directories) {
    SmallString<128> Real;
    // The directories of the system's own programs have no one's plugins.
    if (sys::fs::real_path(Directory, Real) ||
        is_contained(
            {"/", "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin"},
            Real.str()))
      continue;
    tryBelow(Directory);
  }
}

Expected<Binaries> Binaries::find(ArrayRef<std::string> RawProfiles,
                                  ArrayRef<std::string> Given,
                                  ArrayRef<std::string> Command) {
  ProgramReader Reader;
  Expected<BinaryFiles> Named = BinaryFiles::list(Given, Reader);
  if (!Named)
    return Named.takeError();
  std::map<std::string, std::vector<std::string>> Objects;
  std::set<std::string> Wanted, Programs, Known;
  for (const std::string &Raw : RawProfiles) {
    std::vector<std::string> &Ids = Objects[Raw] = objectsOf(Raw);
    Wanted.insert(Ids.begin(), Ids.end());
    if (!Ids.empty())
      Programs.insert(Ids.front());
  }
  Search Files(Wanted, Reader);
  for (const BinaryFiles::Source &Each : Named->sources())
    for (const BuildId &Id : Each.Ids) {
      Known.insert(toHex(Id, /*LowerCase=*/true));
      Files.take(toHex(Id, /*LowerCase=*/true));
    }
  Files.tryCommand(Command);
  Files.tryLibraries();
  if (!Files.isDone())
    Files.tryDirectories();
  if (!Files.isDone())
    Files.tryLibraries();

  Binaries Result;
  for (const auto &[Id, Path] : Files.found())
    if (Programs.count(Id) || Reader.isBuiltForProfiles(Path)) {
      Known.insert(Id);
      Result.Paths.push_back(Path);
    }
  llvm::sort(Result.Paths);
  Result.Paths.insert(Result.Paths.begin(), Given.begin(), Given.end());
  for (const std::string &Raw : RawProfiles) {
    const std::vector<std::string> &Ids = Objects[Raw];
    // What is no raw profile is left to merge, which says what is wrong.
    if (Ids.empty() ||
        any_of(Ids, [&](const std::string &Id) { return Known.count(Id); }))
      Result.Usable.push_back(Raw);
    else
      ++Result.Unknown[Ids.front()];
  }
  return std::move(Result);
}

bool Binaries::areOfRust() const {
  return any_of(Paths, [](const std::string &Path) {
    auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    return File && (*File)->getBuffer().contains("rust_eh_personality");
  });
}
