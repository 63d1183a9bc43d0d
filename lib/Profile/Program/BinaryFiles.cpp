//===- Profile/Program/BinaryFiles.cpp - Where the binaries are -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/BinaryFiles.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <set>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

/// A file that has a build id.
struct BinaryFiles::Candidate {
  std::string Path;
  BuildId Id;
  /// A file of debug information has sections of code without contents.
  bool HasCode = false;
  bool HasDebugInfo = false;
};

/// The regular files at and below \p Directory, in order of their names.
static std::vector<std::string> filesBelow(StringRef Directory) {
  std::vector<std::string> Result;
  std::error_code Failed;
  for (sys::fs::recursive_directory_iterator
           It(Directory, Failed, /*follow_symlinks=*/false),
       End;
       It != End && !Failed; It.increment(Failed))
    // For a symbolic link, this is the type of what it leads to.
    if (sys::fs::is_regular_file(It->path()))
      Result.push_back(It->path());
  llvm::sort(Result);
  return Result;
}

/// Whether \p Path begins like a linked ELF file: a program or a library.
static bool isLinkedFile(StringRef Path) {
  file_magic Magic;
  if (identify_magic(Path, Magic))
    return false;
  return Magic == file_magic::elf_executable ||
         Magic == file_magic::elf_shared_object;
}

Expected<BinaryFiles> BinaryFiles::list(ArrayRef<std::string> Given,
                                        ProgramReader &Reader) {
  BinaryFiles Result;
  std::vector<Candidate> All;
  auto Add = [&](const std::string &Path, Source &S) -> Expected<bool> {
    Expected<ProgramFacts> Facts = Reader.facts(Path);
    if (!Facts)
      return Facts.takeError();
    if (Facts->Id.empty())
      return false;
    All.push_back({Path, Facts->Id, Facts->HasCode, Facts->HasDebugInfo});
    S.Ids.push_back(std::move(Facts->Id));
    return true;
  };
  for (const std::string &Path : Given) {
    if (Path.empty())
      continue;
    Source S;
    S.Path = Path;
    S.IsDirectory = sys::fs::is_directory(Path);
    if (!S.IsDirectory) {
      Expected<bool> HasId = Add(Path, S);
      if (!HasId) {
        // What was mistyped is told at once.
        if (!sys::fs::exists(Path))
          return HasId.takeError();
        Result.Problems.push_back(toString(HasId.takeError()));
        continue;
      }
      if (!*HasId)
        return fileError(Path, "has no build id, so that profiles cannot be "
                               "told to be its own; link it with "
                               "-Wl,--build-id");
    } else {
      for (const std::string &File : filesBelow(Path))
        if (isLinkedFile(File))
          if (Expected<bool> HasId = Add(File, S); !HasId)
            Result.Problems.push_back(toString(HasId.takeError()));
      if (S.Ids.empty())
        return fileError(Path, "has no program and no library with a build id");
    }
    Result.Sources.push_back(std::move(S));
  }
  if (Result.Sources.empty() && !Result.Problems.empty())
    return createStringError(Result.Problems.front());
  Result.choose(All);
  return std::move(Result);
}

void BinaryFiles::choose(ArrayRef<Candidate> All) {
  std::map<BuildId, std::vector<const Candidate *>> ById;
  for (const Candidate &C : All)
    ById[C.Id].push_back(&C);
  for (auto &[Id, Files] : ById) {
    // What was given first, of those that have most.
    llvm::sort(Files, [](const Candidate *A, const Candidate *B) {
      return std::tuple(B->HasCode, B->HasDebugInfo, A) <
             std::tuple(A->HasCode, A->HasDebugInfo, B);
    });
    ChosenBinary &Best = Chosen[Id];
    Best.Path = Files.front()->Path;
    if (!Files.front()->HasDebugInfo)
      for (const Candidate *C : Files)
        if (C->HasDebugInfo)
          Best.DebugFiles.push_back(C->Path);
  }
}

const ChosenBinary *BinaryFiles::find(ArrayRef<uint8_t> Id) const {
  auto Found = Chosen.find(BuildId(Id));
  return Found == Chosen.end() ? nullptr : &Found->second;
}

std::vector<std::string> BinaryFiles::directories() const {
  std::vector<std::string> Result;
  for (const Source &S : Sources)
    if (S.IsDirectory)
      Result.push_back(S.Path);
  return Result;
}

std::vector<std::string> BinaryFiles::expand(ArrayRef<std::string> Given) {
  std::vector<std::string> Result;
  std::set<sys::fs::UniqueID> Seen;
  auto Add = [&](const std::string &Path) {
    sys::fs::UniqueID Identity;
    if (sys::fs::getUniqueID(Path, Identity) || Seen.insert(Identity).second)
      Result.push_back(Path);
  };
  for (const std::string &Path : Given) {
    if (Path.empty())
      continue;
    if (!sys::fs::is_directory(Path)) {
      Add(Path);
      continue;
    }
    for (const std::string &File : filesBelow(Path))
      if (isLinkedFile(File))
        Add(File);
  }
  return Result;
}
